// Numbers that more than one part of the format needs. FORMAT.md, section 1.

#ifndef JOURNAL_FORMAT_FORMAT_H_
#define JOURNAL_FORMAT_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "journal/record.h"

namespace journal {

inline constexpr uint16_t kFormatMajor = 1;
// The newest minor version that this build reads.
inline constexpr uint16_t kFormatMinor = 2;
// What a segment says that a writer wrote, and one that was compacted: each version is also the
// least that a reader must know. A reader of 1.0 would take our CONTROL blocks for damage, and one
// of 1.1 the SEAL block of a compacted segment.
inline constexpr uint16_t kWrittenMinor = 1;
inline constexpr uint16_t kCompactedMinor = 2;

// Blocks start here and nowhere else, so that no sector with acknowledged data is written twice.
inline constexpr uint64_t kAlignment = 4096;
constexpr uint64_t AlignUp(uint64_t bytes) { return (bytes + kAlignment - 1) & ~(kAlignment - 1); }

// One copy of a preamble, at most.
inline constexpr uint64_t kPreambleBytesMax = 256 << 10;

// A body before compression, at most: what a reader allocates for a block it has not decoded yet.
inline constexpr uint32_t kRawBytesMax = 16 << 20;
inline constexpr uint32_t kBlockRecordsMax = 65536;
inline constexpr uint32_t kBlockAttachmentBytesMax = 4 << 20;

// The fullest block fits: all its rows, attachments up to the limit plus the one that passed it,
// and for each attachment two words of list and up to one of padding.
static_assert(uint64_t{kBlockRecordsMax} * (sizeof(Row) + 3 * 8) + kBlockAttachmentBytesMax +
                  kMaxAttachmentBytes + 4096 <=
              kRawBytesMax);

// Zeros that become the next segment; no part of the journal until then.
inline constexpr char kSpareFileName[] = "next.zeros";
// A segment that is being compacted; no part of the journal until it replaces the original.
inline constexpr char kCompactionFileName[] = "compacted.part";

// "segment-000007.tape".
std::string SegmentFileName(uint64_t segment_index);
// Nothing for any other name.
std::optional<uint64_t> ParseSegmentFileName(absl::string_view name);

}  // namespace journal

#endif  // JOURNAL_FORMAT_FORMAT_H_
