// Constants, names and the checksum that several parts of the format share. FORMAT.md, section 1.
#ifndef JOURNAL_FORMAT_FORMAT_H_
#define JOURNAL_FORMAT_FORMAT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr uint16_t kFormatMajor = 1;
// The newest minor version that this build reads.
inline constexpr uint16_t kFormatMinor = 2;
// The minor version of a segment from a writer, and of a compacted one. Each is also the lowest
// minor version that a reader must support: a 1.0 reader would report CONTROL blocks as damage, and
// a 1.1 reader the SEAL block of a compacted segment.
inline constexpr uint16_t kWrittenMinor = 1;
inline constexpr uint16_t kCompactedMinor = 2;

// Blocks start at multiples of this, so that no sector with acknowledged data is written twice.
inline constexpr uint64_t kAlignment = 4096;
constexpr uint64_t AlignUp(uint64_t bytes) { return (bytes + kAlignment - 1) & ~(kAlignment - 1); }

// The maximum length of one copy of a preamble.
inline constexpr uint64_t kPreambleBytesMax = 256 << 10;

// The maximum length of a body before compression, which is what a reader allocates for a block.
inline constexpr uint32_t kRawBytesMax = 16 << 20;
inline constexpr uint32_t kBlockRecordsMax = 65536;
inline constexpr uint32_t kBlockAttachmentBytesMax = 4 << 20;

// The largest block fits: all its rows, attachments up to the limit plus the one that exceeds it,
// and for each attachment two words of list entry and up to one word of padding.
static_assert(uint64_t{kBlockRecordsMax} * (sizeof(Row) + 3 * 8) + kBlockAttachmentBytesMax +
                  kMaxAttachmentBytes + 4096 <=
              kRawBytesMax);

// The copy of a segment being compacted; not part of the journal until it replaces the original.
inline constexpr char kCompactionFileName[] = "compacted.part";

// Whether all bytes are 0.
bool IsZero(engine::Bytes bytes);

// XXH3-64: the checksum of headers, payloads, trailers, entries and control files.
uint64_t Hash64(engine::Bytes bytes, uint64_t seed = 0);
// That of a struct whose last member is the hash of those before.
template <typename T>
uint64_t HashOfMembers(const T& value, uint64_t seed = 0) {
  return Hash64(engine::AsBytes(value).first(sizeof(T) - sizeof(uint64_t)), seed);
}

// Returns the two halves of a UUID, little-endian, XORed. As a seed it binds a header to its
// segment: a block of another segment, or of an earlier use of the file, has a wrong hash.
uint64_t SeedOf(const Uuid& uuid);

// "segment-000007.tape".
std::string SegmentFileName(uint64_t segment_index);
// The reverse; nothing for any other name.
std::optional<uint64_t> ParseSegmentFileName(absl::string_view name);
// The indexes of the segments in the directory, ascending. Errors: the storage's.
absl::StatusOr<std::vector<uint64_t>> ListSegments(const Directory& directory);
// Errors: ALREADY_EXISTS (the directory has a segment), the storage's.
absl::Status CheckHasNoJournal(const Directory& directory);

}  // namespace journal

#endif  // JOURNAL_FORMAT_FORMAT_H_
