// The stages of the campaign in which bytes change without a write.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "journal/finding.h"
#include "journal/testing/campaign.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/plain_journal.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

// The padding of one segment is damaged in every byte; other segments make no difference to
// it. Not a factor of any size in the format, so that no place in a page is passed by each time.
constexpr size_t kZerosStep = 61;

// A journal to damage, and the expected results.
struct Specimen {
  std::string name;
  JournalBytes whole;
  uint64_t records = 0;  // Of SmallLog(): all its records …
  uint64_t durable = 0;  // … and those that it marks as durable.
  // Of a stretch of zeros, one place in so many.
  size_t zeros_step = 1;
};

std::vector<Specimen> OnePageSpecimens() {
  return {{"unsealed", UnsealedJournal(), kUnsealedRecords, kUnsealedDurable},
          {"sealed", SealedJournal(), kUnsealedRecords, kUnsealedRecords},
          {"three segments", SmallSegments(), kSmallSegmentsRecords, kSmallSegmentsDurable,
           kZerosStep}};
}

std::vector<Specimen> Specimens() {
  std::vector<Specimen> specimens = OnePageSpecimens();
  specimens.push_back({"compressed", CompressedJournal(), kCompressedRecords, kCompressedRecords});
  specimens.push_back({"compacted", CompactedJournal(), kLoneRecords, kLoneRecords, kZerosStep});
  return specimens;
}

// The next place to damage.
size_t NextPlace(const std::vector<std::byte>& bytes, size_t at, size_t zeros_step) {
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(at);
  const auto end = begin + static_cast<ptrdiff_t>(std::min(zeros_step, bytes.size() - at));
  const bool is_zero = std::all_of(begin, end, [](std::byte byte) { return byte == std::byte{0}; });
  return is_zero ? at + zeros_step : at + 1;
}

std::string FlipEveryBit(const Specimen& specimen, Share share, uint64_t& number) {
  const PlainJournal plain(specimen.whole);
  const auto log = FirstOfSmallLog(specimen.records);
  JournalBytes files = specimen.whole;
  for (const PlainSegment& segment : plain.segments()) {
    for (size_t byte = 0; byte < segment.bytes.size();
         byte = NextPlace(segment.bytes, byte, specimen.zeros_step)) {
      for (unsigned bit = 0; bit < 8; ++bit) {
        if (!share.Has(number++)) continue;
        std::byte& flipped = files[segment.name][byte];
        flipped ^= static_cast<std::byte>(1 << bit);
        const std::string violation =
            CheckAfterDamage(files, log, plain.WithFlip(segment, byte), bit == byte % 8);
        if (!violation.empty()) {
          return absl::StrCat(segment.name, ", bit ", bit, " of ", byte, ": ", violation);
        }
        flipped = segment.bytes[byte];
      }
    }
  }
  return "";
}

std::string CutAtEveryLength(const Specimen& specimen, Share share, uint64_t& number) {
  const PlainJournal plain(specimen.whole);
  const auto log = FirstOfSmallLog(specimen.records);
  JournalBytes files = specimen.whole;
  for (const PlainSegment& segment : plain.segments()) {
    for (size_t length = 0; length < segment.bytes.size();
         length = NextPlace(segment.bytes, length, specimen.zeros_step)) {
      if (!share.Has(number++)) continue;
      files[segment.name].assign(segment.bytes.begin(),
                                 segment.bytes.begin() + static_cast<ptrdiff_t>(length));
      const std::string violation =
          CheckAfterDamage(files, log, plain.CutAt(segment, length), length / 8 % 8 == length % 8);
      if (!violation.empty()) {
        return absl::StrCat(segment.name, ", cut at ", length, ": ", violation);
      }
    }
    files[segment.name] = segment.bytes;
  }
  return "";
}

// One page of a journal whose blocks take one page each becomes `page`.
std::string ReplacePage(const Specimen& specimen, const PlainSegment& segment, size_t at,
                        const std::vector<std::byte>& page, const Expected& expected) {
  JournalBytes files = specimen.whole;
  std::vector<std::byte>& bytes = files[segment.name];
  if (std::equal(page.begin(), page.end(), bytes.begin() + static_cast<ptrdiff_t>(at))) return "";
  std::copy(page.begin(), page.end(), bytes.begin() + static_cast<ptrdiff_t>(at));
  return CheckAfterDamage(files, FirstOfSmallLog(specimen.records), expected);
}

// Zeros, garbage, and every page of the journal.
std::vector<std::vector<std::byte>> PagesFor(const PlainJournal& plain) {
  engine::Prng prng(3);
  std::vector<std::vector<std::byte>> pages(2, std::vector<std::byte>(kPlainPage));
  for (std::byte& byte : pages.back()) byte = static_cast<std::byte>(prng.Below(256));
  for (const PlainSegment& segment : plain.segments()) {
    for (size_t from = 0; from < segment.bytes.size(); from += kPlainPage) {
      const auto begin = segment.bytes.begin() + static_cast<ptrdiff_t>(from);
      pages.emplace_back(begin, begin + kPlainPage);
    }
  }
  return pages;
}

std::string ReplaceEveryPage(const Specimen& specimen, Share share, uint64_t& number) {
  const PlainJournal plain(specimen.whole);
  const std::vector<std::vector<std::byte>> pages = PagesFor(plain);
  for (const PlainSegment& segment : plain.segments()) {
    for (size_t at = 0; at < segment.bytes.size(); at += kPlainPage) {
      for (size_t i = 0; i < pages.size(); ++i) {
        if (!share.Has(number++)) continue;
        const std::string violation =
            ReplacePage(specimen, segment, at, pages[i], plain.WithPage(segment, at, pages[i]));
        if (!violation.empty()) {
          return absl::StrCat(segment.name, ", page at ", at, " by page ", i, ": ", violation);
        }
      }
    }
  }
  return "";
}

// All promises before the last block are in the log: without them, nothing that
// is damaged could be distinguished from what is torn.
std::string CheckVouching() {
  for (const Specimen& specimen : Specimens()) {
    const auto directory = MemoryDirectory::FromSnapshot(specimen.whole);
    const uint64_t says = Verify(*directory)->durable_sequence.value();
    if (says != specimen.durable) {
      return absl::StrCat("(c) the log says that ", says, " was durable, and ", specimen.durable,
                          " was");
    }
  }
  return "";
}

// The same journal with other contents of its records.
JournalBytes AnotherFuture() {
  MemoryDirectory directory;
  const auto writer =
      Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, OnePageBlocks()).value();
  for (OwnedRecord record : FirstOfSmallLog(kUnsealedRecords)) {
    record.row.payload[47] ^= std::byte{1};
    CHECK_OK(writer->Append(record.row, record.attachment));
  }
  CHECK_OK(writer->Write());
  return directory.Snapshot();
}

std::string PutBlocksOf(const PlainJournal& other, const Specimen& specimen) {
  const PlainJournal plain(specimen.whole);
  const PlainSegment& here = plain.segments().front();
  const PlainSegment& there = other.segments().front();
  for (size_t i = 1; i < there.blocks.size();
       ++i) {  // The first follows no block that could show it.
    const size_t at = there.blocks[i].begin;
    const auto from = there.bytes.begin() + static_cast<ptrdiff_t>(at);
    const std::string violation = ReplacePage(specimen, here, at, {from, from + kPlainPage},
                                              plain.Without(here, here.blocks[i]));
    if (!violation.empty()) return violation;
  }
  return "";
}

std::string OfEach(const std::vector<Specimen>& specimens, Share share,
                   std::string (*damage)(const Specimen&, Share, uint64_t&)) {
  uint64_t number = 0;
  for (const Specimen& specimen : specimens) {
    const std::string violation = damage(specimen, share, number);
    if (!violation.empty()) return absl::StrCat(specimen.name, ", ", violation);
  }
  return "";
}

}  // namespace

std::string EveryBit(Share share) { return OfEach(Specimens(), share, FlipEveryBit); }

std::string EveryLength(Share share) { return OfEach(OnePageSpecimens(), share, CutAtEveryLength); }

std::string EveryPage(Share share) {
  const std::string violation = CheckVouching();
  return violation.empty() ? OfEach(OnePageSpecimens(), share, ReplaceEveryPage) : violation;
}

std::string WrongPlaces() {
  const JournalBytes other = AnotherFuture();
  for (const Specimen& specimen : OnePageSpecimens()) {
    if (specimen.records != kUnsealedRecords) continue;  // Its blocks are cut differently.
    const std::string violation = PutBlocksOf(PlainJournal(other), specimen);
    if (!violation.empty()) return absl::StrCat("block of another continuation: ", violation);
  }
  // Not the first, which a reader misses by the first number, nor the last, without which
  // the rest is a shorter journal.
  const JournalBytes whole = ThreeSegments();
  const std::string second = std::next(whole.begin())->first;
  const Expected damaged{.verdict = Verdict::kDamaged, .is_refused = true};
  JournalBytes files = whole;
  files.erase(second);
  std::string violation = CheckAfterDamage(files, SmallLog(), damaged);
  if (!violation.empty()) return absl::StrCat("without ", second, ": ", violation);
  files[second] = other.at(kFirstSegment);
  violation = CheckAfterDamage(files, SmallLog(), damaged, /*also_open=*/false);
  if (!violation.empty()) return absl::StrCat(second, " of another journal: ", violation);
  files = whole;
  const std::string last = PlainJournal(whole).segments().back().name;
  files[last] = other.at(kFirstSegment);
  violation = CheckAfterDamage(files, SmallLog(), damaged, /*also_open=*/false);
  return violation.empty() ? "" : absl::StrCat(last, " of another journal: ", violation);
}

}  // namespace journal
