// Comma-separated values as in RFC 4180, except that lines end with a single line feed. Fields are
// quoted only when necessary.

#ifndef TOOLS_CLI_BASE_CSV_H_
#define TOOLS_CLI_BASE_CSV_H_

#include <concepts>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"

namespace tools {

// One row. A value type that is reused row after row and keeps its memory.
class CsvRow {
 public:
  void Field(absl::string_view text) {
    Separate();
    if (text.find_first_of(",\"\r\n") == absl::string_view::npos) {
      absl::StrAppend(&row_, text);
    } else {
      absl::StrAppend(&row_, "\"", absl::StrReplaceAll(text, {{"\"", "\"\""}}), "\"");
    }
  }
  void Field(std::integral auto number) {
    Separate();
    absl::StrAppend(&row_, number);
  }
  void EmptyField() { Separate(); }

  // Returns the row with its line end, valid until the next Field(), which begins another row.
  absl::string_view Finish() {
    row_ += '\n';
    is_finished_ = true;
    return row_;
  }

 private:
  void Separate() {
    if (std::exchange(is_finished_, false)) return row_.clear();
    row_ += ',';
  }

  std::string row_;
  bool is_finished_ = true;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CSV_H_
