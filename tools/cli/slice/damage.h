// Damages the files of a copy of a journal, as disks, crashes and people do.
//
// Pure except for the directory; the same arguments give the same damage.

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

// One kind of damage to the file of one segment. A regular value type.
struct Damage {
  enum class Kind {
    kFlip,         // Bit `second` (0 to 7) of the byte at `first`.
    kTruncate,     // The file is truncated to `first` bytes.
    kZero,         // Bytes `first` to `second`, both included, become zero.
    kSwapSectors,  // The 4096 bytes of sector `first` are swapped with those of sector `second`.
    kDropSegment,  // The file is deleted.
  };
  Kind kind = Kind::kFlip;
  std::optional<uint64_t> segment;  // The segment's index; nullopt: the last.
  uint64_t first = 0;
  uint64_t second = 0;

  // Returns the options that request it: "--flip 8192:3 --segment 0".
  std::string ToString() const;

  friend bool operator==(const Damage&, const Damage&) = default;
};

inline constexpr uint64_t kSectorBytes = 4096;

// "8192:3", "8192..9000", "2:5". Errors: INVALID_ARGUMENT with what was expected.
absl::StatusOr<Damage> ParseFlip(absl::string_view text);
absl::StatusOr<Damage> ParseZero(absl::string_view text);
absl::StatusOr<Damage> ParseSwapSectors(absl::string_view text);

// File names of a journal, by segment index.
using SegmentFiles = std::map<uint64_t, std::string>;

// REQUIRES: the journal is not damaged yet. Errors: the reader's.
absl::StatusOr<SegmentFiles> SegmentFilesOf(const journal::Directory& directory);

// Returns random damage, equal for equal seeds and files; never a dropped segment. REQUIRES: there
// is a segment. Errors: the storage's.
absl::StatusOr<Damage> RandomDamage(const journal::Directory& directory, const SegmentFiles& files,
                                    uint64_t seed);

// Applies the damage. Errors: OUT_OF_RANGE with the file's length or the existing segments; the
// storage's.
absl::Status Apply(const Damage& damage, const SegmentFiles& files, journal::Directory& directory);

// Copies every file, byte for byte. Errors: the storages'.
absl::Status CopyFiles(const journal::Directory& from, journal::Directory& to);

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_DAMAGE_H_
