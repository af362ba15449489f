#include "tools/cli/base/csv.h"

namespace tools {

void CsvRow::Separate() {
  if (is_finished_) {
    row_.clear();
    is_finished_ = false;
  } else {
    row_ += ',';
  }
}

void CsvRow::Field(absl::string_view text) {
  Separate();
  if (text.find_first_of(",\"\r\n") == absl::string_view::npos) {
    row_.append(text.data(), text.size());
    return;
  }
  row_ += '"';
  for (const char c : text) {
    if (c == '"') row_ += '"';
    row_ += c;
  }
  row_ += '"';
}

}  // namespace tools
