#include "journal/testing/plain_journal.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/match.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "journal/finding.h"

namespace journal {
namespace {

constexpr size_t kHeader = 128;
constexpr std::byte kSealKind{3};
constexpr Verdict kClean = Verdict::kClean;
constexpr Verdict kTorn = Verdict::kTorn;
constexpr Verdict kDamaged = Verdict::kDamaged;

// After both preambles.
constexpr size_t kBlocksBegin = 2 * kPlainPage;

std::vector<PlainBlock> BlocksOf(const std::vector<std::byte>& bytes) {
  std::vector<PlainBlock> blocks;
  for (size_t at = 0; at + kPlainPage <= bytes.size(); at += kPlainPage) {
    if (std::memcmp(bytes.data() + at, "TBLK", 4) != 0) continue;
    const auto word = [&](size_t offset) {
      return engine::LoadLittleEndian<uint64_t>(bytes.data() + at + offset);
    };
    const auto half = [&](size_t offset) {
      return engine::LoadLittleEndian<uint32_t>(bytes.data() + at + offset);
    };
    blocks.push_back({.number = word(16),
                      .durable_block = word(64),
                      .durable_sequence = word(72),
                      .first_sequence = word(24),
                      .record_count = half(32),
                      .is_seal = bytes[at + 6] == kSealKind,
                      .begin = at,
                      .end = at + kHeader + half(36)});
  }
  return blocks;
}

bool IsZero(const std::byte* begin, const std::byte* end) {
  return std::all_of(begin, end, [](std::byte byte) { return byte == std::byte{0}; });
}

// Of any segment: its hash is right.
bool IsPreamble(const std::vector<std::byte>& page) {
  return std::memcmp(page.data(), "TICKTAPE", 8) == 0;
}

}  // namespace

PlainJournal::PlainJournal(const JournalBytes& whole) {
  for (const auto& [name, bytes] : whole) {
    if (!absl::EndsWith(name, ".tape")) continue;
    segments_.push_back({.name = name, .bytes = bytes, .blocks = BlocksOf(bytes)});
    CHECK(!segments_.back().blocks.empty());
  }
  CHECK(!segments_.empty());
  segments_.back().is_last = true;
}

Expected PlainJournal::Whole(Verdict verdict) const {
  Expected expected;
  expected.durable = last_sequence();
  expected.is_whole = true;
  expected.verdict = verdict;
  expected.last_read = last_sequence();
  return expected;
}

// The watermark of the headers outside of these bytes.
uint64_t PlainJournal::DurableWithout(const PlainSegment& segment, size_t begin, size_t end) const {
  uint64_t durable = 0;
  for (const PlainSegment& other : segments_) {
    // A segment is started when all before it is durable.
    durable = std::max(durable, other.first_sequence() - 1);
    for (const PlainBlock& block : other.blocks) {
      const bool is_hit = other.name == segment.name && block.begin < end && block.begin >= begin;
      if (!is_hit) durable = std::max(durable, block.durable_sequence);
    }
  }
  return durable;
}

Expected PlainJournal::Without(const PlainSegment& segment, const PlainBlock& lost) const {
  // The footer, or a segment that follows, vouches for all of a sealed segment.
  bool was_durable = segment.is_sealed();
  for (const PlainBlock& other : segment.blocks) {
    was_durable |= other.number != lost.number && other.durable_block >= lost.number;
  }
  const bool has_records = lost.record_count != 0;
  Expected expected;
  expected.durable = DurableWithout(segment, lost.begin, lost.end);
  expected.verdict = was_durable ? kDamaged : kTorn;
  // A DAMAGED journal loses nothing else: if no record is hit, all of them can be read.
  expected.last_read = was_durable && !has_records ? last_sequence() : lost.first_sequence - 1;
  expected.is_refused = was_durable;
  return expected;
}

Expected PlainJournal::WithFlip(const PlainSegment& segment, size_t byte) const {
  for (const PlainBlock& block : segment.blocks) {
    if (byte >= block.begin && byte < block.end) return Without(segment, block);
  }
  // A preamble, padding; or an index: in the last segment it is unknown whether its
  // writer finished it.
  const bool is_index = byte >= segment.blocks.back().padded_end();
  return Whole(is_index && segment.is_last ? kTorn : kClean);
}

// Neither copy can be read, and nothing looks like a block.
Expected PlainJournal::WithoutPreamble(const PlainSegment& segment) const {
  Expected expected;
  expected.durable = DurableWithout(segment, 0, segment.bytes.size());
  expected.verdict = segment.is_last ? kTorn : kDamaged;
  expected.last_read = segment.first_sequence() - 1;
  expected.is_refused = !segment.is_last;
  if (segment.name == segments_.front().name && !segment.is_last) {
    // As without its file: the others can be read, and the report says that the first cannot.
    expected.first_read = segments_[1].first_sequence();
    expected.last_read = last_sequence();
  }
  return expected;
}

Expected PlainJournal::CutAt(const PlainSegment& segment, size_t length) const {
  CHECK_LT(length, segment.bytes.size());
  if (length < kPlainPage) return WithoutPreamble(segment);
  // The first block that is not whole any more, padding included.
  const auto lost =
      std::find_if(segment.blocks.begin(), segment.blocks.end(),
                   [length](const PlainBlock& block) { return block.padded_end() > length; });
  if (lost == segment.blocks.end()) {
    const size_t sealed_end = segment.blocks.back().padded_end();
    const bool has_tail = !IsZero(segment.bytes.data() + sealed_end, segment.bytes.data() + length);
    return Whole(segment.is_last && has_tail ? kTorn : kClean);
  }
  Expected expected;
  // A header counts even if its payload is cut.
  expected.durable =
      DurableWithout(segment, length < kHeader ? 0 : length - kHeader + 1, segment.bytes.size());
  if (!segment.is_last) {
    expected.verdict = kDamaged;
    expected.is_refused = true;
    expected.last_read = lost->is_seal ? last_sequence() : lost->first_sequence - 1;
    return expected;
  }
  // No header can mark its own block, or a later one, as durable.
  expected.verdict = length > lost->begin || length < kBlocksBegin ? kTorn : kClean;
  expected.last_read = lost->first_sequence - 1;
  expected.is_noticed = length > lost->begin || length < kBlocksBegin;
  return expected;
}

Expected PlainJournal::WithPage(const PlainSegment& segment, size_t at,
                                const std::vector<std::byte>& page) const {
  const bool is_zero = IsZero(page.data(), page.data() + page.size());
  if (at == 0 && IsPreamble(page)) {
    // Another segment's. It counts, as it is the first with a valid hash; by its fields
    // nothing here is in its place.
    Expected expected = WithoutPreamble(segment);
    expected.verdict = kDamaged;
    expected.is_refused = true;
    // The segments after the first may or may not seem to continue from its preamble.
    if (expected.first_read > 1) expected.last_read.reset();
    return expected;
  }
  for (const PlainBlock& block : segment.blocks) {
    if (block.begin != at) continue;
    Expected expected = Without(segment, block);
    // Zeros in place of the last block, if nothing vouches for it, are a shorter journal.
    const bool is_last = block.number == segment.blocks.back().number;
    if (is_zero && is_last && expected.verdict == kTorn) {
      expected.verdict = kClean;
      expected.is_noticed = false;
    }
    return expected;
  }
  const bool has_tail = at >= kBlocksBegin && !is_zero;
  return Whole(segment.is_last && has_tail ? kTorn : kClean);
}

}  // namespace journal
