#include "journal/format/segment_index.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/format/segment_index.capnp.h"

namespace journal {
namespace {

// The trailer's bytes on disk: the last 64 of a sealed segment.
struct Trailer {
  std::array<char, 8> magic = kMagic;
  uint64_t footer_offset = 0;
  uint64_t footer_bytes = 0;   // From footer_offset to the trailer, padding included.
  engine::Digest footer_hash;  // Of those bytes.
  std::array<uint64_t, 2> reserved = {};
  uint64_t hash = 0;  // XXH3-64 of the 56 bytes before, seeded by the segment.

  static constexpr std::array<char, 8> kMagic = {'T', 'A', 'P', 'E', 'F', 'O', 'O', 'T'};
};
static_assert(sizeof(Trailer) == 64);
static_assert(std::has_unique_object_representations_v<Trailer>);

// A segment has at most one block for each 4 KiB before its footer. An entry takes six words; a
// later minor version may need eight.
constexpr uint64_t EntriesMax(uint64_t footer_offset) { return footer_offset / kAlignment; }
constexpr uint64_t FooterBytesMax(uint64_t footer_offset) {
  return EntriesMax(footer_offset) * 64 + 4096;
}

BlockEntry FromSchema(schema::BlockEntry::Reader entry) {
  return {.number = entry.getNumber(),
          .offset = entry.getOffset(),
          .first_sequence = engine::SequenceNumber(entry.getFirstSequence()),
          .first_timestamp = engine::Timestamp::FromNanos(entry.getFirstTimestamp()),
          .last_timestamp = engine::Timestamp::FromNanos(entry.getLastTimestamp()),
          .record_count = entry.getRecordCount(),
          .stored_bytes = entry.getStoredBytes()};
}

void ToSchema(const BlockEntry& from, schema::BlockEntry::Builder to) {
  to.setNumber(from.number);
  to.setOffset(from.offset);
  to.setFirstSequence(from.first_sequence.value());
  to.setFirstTimestamp(from.first_timestamp.nanos());
  to.setLastTimestamp(from.last_timestamp.nanos());
  to.setRecordCount(from.record_count);
  to.setStoredBytes(from.stored_bytes);
}

absl::StatusOr<SegmentIndex> DecodeIndex(std::vector<uint64_t>& words, uint64_t entries_max) {
  SegmentIndex index;
  bool has_too_many = false;
  RETURN_IF_ERROR(engine::CatchKj([&] {
    capnp::ReaderOptions options;
    options.traversalLimitInWords = 2 * words.size();
    capnp::FlatArrayMessageReader message(
        kj::arrayPtr(reinterpret_cast<const capnp::word*>(words.data()), words.size()), options);
    const auto from = message.getRoot<schema::SegmentIndex>();
    const auto entries = from.getBlocks();
    // Cap'n Proto list entries of size zero take no bytes of the file, so check their number.
    if (entries.size() > entries_max) {
      has_too_many = true;
      return;
    }
    index.blocks.reserve(entries.size());
    for (const auto entry : entries) index.blocks.push_back(FromSchema(entry));
    index.end = {.next_block = from.getNextBlock(),
                 .next_sequence = engine::SequenceNumber(from.getNextSequence()),
                 .last_timestamp = engine::Timestamp::FromNanos(from.getLastTimestamp()),
                 .last_block_hash = from.getSealHash(),
                 .incarnation = from.getIncarnation()};
    index.digests = {.log = {.low = from.getLogDigestLow(), .high = from.getLogDigestHigh()},
                     .chain = {.low = from.getLogChainLow(), .high = from.getLogChainHigh()}};
    index.raw_bytes = from.getRawBytes();
  }));
  if (has_too_many) {
    return absl::DataLossError(
        absl::StrCat("segment index: more entries than the ", entries_max, " blocks there can be"));
  }
  return index;
}

absl::Status CheckIndex(const SegmentIndex& index, uint64_t footer_offset) {
  uint64_t offset = 0;
  engine::Timestamp time = engine::Timestamp::FromNanos(std::numeric_limits<int64_t>::min());
  for (const BlockEntry& entry : index.blocks) {
    const bool is_last = &entry == &index.blocks.back();
    const engine::SequenceNumber next_sequence =
        is_last ? index.end.next_sequence : (&entry + 1)->first_sequence;
    if (entry.offset % kAlignment != 0 || entry.offset < offset ||
        entry.stored_bytes % kAlignment != 0 || entry.offset >= footer_offset ||
        entry.stored_bytes > footer_offset - entry.offset || entry.record_count == 0 ||
        entry.first_sequence.value() == 0 || entry.next_sequence() != next_sequence ||
        entry.first_timestamp > entry.last_timestamp || entry.first_timestamp < time) {
      return absl::DataLossError(
          absl::StrCat("segment index: entry of block ", entry.number, " breaks its rules"));
    }
    offset = entry.offset + entry.stored_bytes;
    time = entry.last_timestamp;
  }
  if (!index.blocks.empty() && index.end.last_timestamp != time) {
    return absl::DataLossError("segment index: its last time is not that of the last entry");
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::byte> EncodeFooter(const SegmentIndex& index, uint64_t offset,
                                    uint64_t segment_seed) {
  capnp::MallocMessageBuilder message;
  auto to = message.initRoot<schema::SegmentIndex>();
  auto entries = to.initBlocks(static_cast<unsigned>(index.blocks.size()));
  for (unsigned i = 0; i < index.blocks.size(); ++i) ToSchema(index.blocks[i], entries[i]);
  to.setNextSequence(index.end.next_sequence.value());
  to.setNextBlock(index.end.next_block);
  to.setSealHash(index.end.last_block_hash);
  to.setIncarnation(index.end.incarnation);
  to.setLastTimestamp(index.end.last_timestamp.nanos());
  to.setLogDigestLow(index.digests.log.low);
  to.setLogDigestHigh(index.digests.log.high);
  to.setLogChainLow(index.digests.chain.low);
  to.setLogChainHigh(index.digests.chain.high);
  to.setRawBytes(index.raw_bytes);
  const auto words = capnp::messageToFlatArray(message);
  const auto body = words.asBytes();

  std::vector<std::byte> footer(AlignUp(body.size() + sizeof(Trailer)));
  std::memcpy(footer.data(), body.begin(), body.size());
  Trailer trailer;
  trailer.footer_offset = offset;
  trailer.footer_bytes = footer.size() - sizeof(Trailer);
  trailer.footer_hash = engine::DigestOf(engine::Bytes(footer).first(trailer.footer_bytes));
  trailer.hash = HashOfMembers(trailer, segment_seed);
  std::memcpy(footer.data() + trailer.footer_bytes, &trailer, sizeof(trailer));
  return footer;
}

absl::StatusOr<FooterRead> ReadFooter(const File& file, uint64_t file_bytes,
                                      uint64_t segment_seed) {
  Trailer trailer;
  if (file_bytes < sizeof(trailer) || file_bytes % kAlignment != 0) {
    return absl::NotFoundError("no trailer at the end of the file");
  }
  const uint64_t trailer_offset = file_bytes - sizeof(trailer);
  ASSIGN_OR_RETURN(
      const size_t trailer_bytes,
      file.Read(trailer_offset, {reinterpret_cast<std::byte*>(&trailer), sizeof(trailer)}));
  if (trailer_bytes < sizeof(trailer) || trailer.magic != Trailer::kMagic) {
    return absl::NotFoundError("no trailer at the end of the file");
  }
  if (HashOfMembers(trailer, segment_seed) != trailer.hash ||
      trailer.footer_offset % kAlignment != 0 || trailer.footer_offset > trailer_offset ||
      trailer.footer_bytes != trailer_offset - trailer.footer_offset ||
      trailer.footer_bytes > FooterBytesMax(trailer.footer_offset)) {
    return absl::DataLossError("trailer is damaged");
  }
  std::vector<uint64_t> words(trailer.footer_bytes / sizeof(uint64_t));
  const engine::MutableBytes footer = std::as_writable_bytes(std::span(words));
  ASSIGN_OR_RETURN(const size_t footer_bytes, file.Read(trailer.footer_offset, footer));
  const bool is_right = engine::DigestOf(footer) == trailer.footer_hash;
  if (footer_bytes < footer.size() || !is_right) {
    return absl::DataLossError("segment index is damaged: its hash is not the trailer's");
  }
  ASSIGN_OR_RETURN(SegmentIndex index, DecodeIndex(words, EntriesMax(trailer.footer_offset)));
  RETURN_IF_ERROR(CheckIndex(index, trailer.footer_offset));
  return FooterRead{.index = std::move(index), .offset = trailer.footer_offset};
}

}  // namespace journal
