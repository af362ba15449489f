#include "journal/format/format.h"

// Inlined, not linked: headers are short, and a call would cost as much as the hash.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace journal {

// Compares the first byte with 0, and each byte with the one before.
bool IsZero(engine::Bytes bytes) {
  return bytes.empty() || (bytes.front() == std::byte{0} &&
                           std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

uint64_t Hash64(engine::Bytes bytes, uint64_t seed) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t SeedOf(const Uuid& uuid) {
  return engine::LoadLittleEndian<uint64_t>(uuid.bytes.data()) ^
         engine::LoadLittleEndian<uint64_t>(uuid.bytes.data() + 8);
}

std::string SegmentFileName(uint64_t segment_index) {
  return absl::StrFormat("segment-%06d.tape", segment_index);
}

std::optional<uint64_t> ParseSegmentFileName(absl::string_view name) {
  uint64_t segment_index = 0;
  absl::string_view digits = name;
  if (!absl::ConsumePrefix(&digits, "segment-") || !absl::ConsumeSuffix(&digits, ".tape") ||
      !engine::ParseInteger(digits, segment_index) || SegmentFileName(segment_index) != name) {
    return std::nullopt;
  }
  return segment_index;
}

absl::StatusOr<std::vector<uint64_t>> ListSegments(const Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, directory.List());
  std::vector<uint64_t> indexes;
  for (const std::string& name : names) {
    if (const auto index = ParseSegmentFileName(name)) indexes.push_back(*index);
  }
  std::sort(indexes.begin(), indexes.end());
  return indexes;
}

absl::Status CheckHasNoJournal(const Directory& directory) {
  ASSIGN_OR_RETURN(const std::vector<uint64_t> segments, ListSegments(directory));
  if (segments.empty()) return absl::OkStatus();
  return absl::AlreadyExistsError(absl::StrCat(directory.path(), ": a journal is there"));
}

}  // namespace journal
