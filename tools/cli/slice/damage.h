// Damage to the files of a journal, done to a copy: what disks, crashes and hands do.
//
// Pure but for the directory it is given; so that the same words are the same damage.

#ifndef TOOLS_CLI_SLICE_DAMAGE_H_
#define TOOLS_CLI_SLICE_DAMAGE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"

namespace tools {

// One thing that goes wrong in one segment's file. A regular value type.
struct Damage {
  enum class Kind {
    kFlip,         // Bit `second` (0 to 7) of the byte at `first`.
    kTruncate,     // The file ends after `first` bytes.
    kZero,         // Bytes `first` to `second`, both included.
    kSwapSectors,  // The 4096 bytes of sector `first` with those of sector `second`.
    kDropSegment,  // The whole file.
  };
  Kind kind = Kind::kFlip;
  std::optional<uint64_t> segment;  // Its index; nullopt: the last.
  uint64_t first = 0;
  uint64_t second = 0;

  // The option that asks for it: "--flip 8192:3 --segment 0".
  std::string ToString() const;

  friend bool operator==(const Damage&, const Damage&) = default;
};

inline constexpr uint64_t kSectorBytes = 4096;

// "8192:3", "8192..9000", "2:5". Errors: INVALID_ARGUMENT with what was expected.
absl::StatusOr<Damage> ParseFlip(absl::string_view text);
absl::StatusOr<Damage> ParseZero(absl::string_view text);
absl::StatusOr<Damage> ParseSwapSectors(absl::string_view text);

// The names of a journal's files, by segment.
using SegmentFiles = std::map<uint64_t, std::string>;

// Before it is damaged. Errors: the reader's.
absl::StatusOr<SegmentFiles> SegmentFilesOf(const journal::Directory& directory);

// Some damage, the same for the same seed and files; never a dropped segment.
// REQUIRES: there is a segment. Errors: the storage's.
absl::StatusOr<Damage> RandomDamage(const journal::Directory& directory, const SegmentFiles& files,
                                    uint64_t seed);

// Does it. Errors: OUT_OF_RANGE that says how long the file is or which segments there are; the
// storage's.
absl::Status Apply(const Damage& damage, const SegmentFiles& files, journal::Directory& directory);

// Every file, byte for byte. Errors: the storages'.
absl::Status CopyFiles(const journal::Directory& from, journal::Directory& to);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_DAMAGE_H_
