// A small text file beside the segments: a hold, `beginning` or `missing` (FORMAT.md, section 12).
//
//   ticktape hold 1            the title
//   sequence 123457            fields, in the order in which they were set
//   created 2026-11-20T09:30:00.000000000Z
//   xxh3 0123456789abcdef      XXH3-64 of everything before this line
//
// Text, so that an operator can read it; hashed, so that a torn file is detected.

#ifndef JOURNAL_FORMAT_CONTROL_FILE_H_
#define JOURNAL_FORMAT_CONTROL_FILE_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace journal {

inline constexpr uint64_t kControlFileBytesMax = 4096;

// A regular value type.
class ControlFile {
 public:
  // `title` names the kind of file and its version.
  explicit ControlFile(absl::string_view title) : title_(title) {}

  // Errors: DATA_LOSS (not of this form, another title, a wrong hash; the message says which).
  static absl::StatusOr<ControlFile> Parse(absl::string_view text, absl::string_view title);

  // Line ends in `value` become blanks. REQUIRES: `key` is one word, and was not set before.
  void Set(absl::string_view key, absl::string_view value);

  // Errors: DATA_LOSS (the field is missing, or is not of that form).
  absl::StatusOr<std::string> Get(absl::string_view key) const;
  absl::StatusOr<uint64_t> GetNumber(absl::string_view key) const;
  absl::StatusOr<Uuid> GetUuid(absl::string_view key) const;

  std::string ToString() const;

  friend bool operator==(const ControlFile&, const ControlFile&) = default;

 private:
  std::string title_;
  std::vector<std::pair<std::string, std::string>> fields_;
};

// Errors: NOT_FOUND, DATA_LOSS, the storage's; every message names the file.
absl::StatusOr<ControlFile> ReadControlFile(const Directory& directory, absl::string_view name,
                                            absl::string_view title);

// Replaces the file of that name atomically; durable when it returns.
// Errors: INVALID_ARGUMENT (longer than kControlFileBytesMax), the storage's.
absl::Status WriteControlFile(Directory& directory, absl::string_view name,
                              const ControlFile& file);

}  // namespace journal

#endif  // JOURNAL_FORMAT_CONTROL_FILE_H_
