// Comma-separated values: RFC 4180, but for lines that end in a single line feed. A field is quoted
// only when it must be.

#ifndef TOOLS_CLI_BASE_CSV_H_
#define TOOLS_CLI_BASE_CSV_H_

#include <concepts>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tools {

// One row. A value type that is filled and taken again and again; keeps its memory.
class CsvRow {
 public:
  void Field(absl::string_view text);
  void Field(std::integral auto number) {
    Separate();
    absl::StrAppend(&row_, number);
  }
  void EmptyField() { Separate(); }

  // The row with its end of line, valid until the next Field(), which begins another row.
  absl::string_view Finish() {
    row_ += '\n';
    is_finished_ = true;
    return row_;
  }

 private:
  void Separate();

  std::string row_;
  bool is_finished_ = true;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CSV_H_
