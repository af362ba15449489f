// A whole journal as its headers say, and the expected report when one place is damaged.
//
// Read by code of its own, and judged by FORMAT.md, section 7, alone: a test must not use the
// tested code to find the expected result.

#ifndef JOURNAL_TESTING_PLAIN_JOURNAL_H_
#define JOURNAL_TESTING_PLAIN_JOURNAL_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "journal/testing/oracles.h"

namespace journal {

inline constexpr size_t kPlainPage = 4096;

struct PlainBlock {
  uint64_t number = 0;
  uint64_t durable_block = 0;
  uint64_t durable_sequence = 0;
  uint64_t first_sequence = 0;
  uint64_t record_count = 0;
  bool is_seal = false;
  size_t begin = 0;
  size_t end = 0;  // Of header and payload.

  size_t padded_end() const { return (end + kPlainPage - 1) / kPlainPage * kPlainPage; }
  uint64_t last_sequence() const { return first_sequence + record_count - 1; }
};

struct PlainSegment {
  std::string name;
  std::vector<std::byte> bytes;
  std::vector<PlainBlock> blocks;  // Never empty.
  bool is_last = false;

  bool is_sealed() const { return blocks.back().is_seal; }
  uint64_t first_sequence() const { return blocks.front().first_sequence; }
};

// For tests: undamaged, each preamble copy one page, fewer records than a run of the log digest
// (FORMAT.md, section 9), so that a writer that takes over has to read them all.
class PlainJournal {
 public:
  explicit PlainJournal(const JournalBytes& whole);

  const std::vector<PlainSegment>& segments() const { return segments_; }

  // One bit of this byte is flipped.
  Expected WithFlip(const PlainSegment& segment, size_t byte) const;
  // The segment's file ends here. REQUIRES: length < segment.bytes.size().
  Expected CutAt(const PlainSegment& segment, size_t length) const;
  // The page at `at` is replaced: by zeros, garbage, or any page of the journal.
  // REQUIRES: blocks of one page each.
  Expected WithPage(const PlainSegment& segment, size_t at,
                    const std::vector<std::byte>& page) const;
  // A block is missing, and everything around it is there.
  Expected Without(const PlainSegment& segment, const PlainBlock& lost) const;

 private:
  Expected Whole(Verdict verdict) const;
  Expected WithoutPreamble(const PlainSegment& segment) const;
  uint64_t DurableWithout(const PlainSegment& segment, size_t begin, size_t end) const;
  uint64_t last_sequence() const { return segments_.back().blocks.back().last_sequence(); }

  std::vector<PlainSegment> segments_;
};

}  // namespace journal

#endif  // JOURNAL_TESTING_PLAIN_JOURNAL_H_
