// Rows of reports for people.

#ifndef TOOLS_CLI_BASE_REPORT_ROW_H_
#define TOOLS_CLI_BASE_REPORT_ROW_H_

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"

namespace tools {

// Prints a dim name and its value, aligned with the other rows.
inline void PrintRow(Console& console, absl::string_view name, const ConsoleText& value) {
  console.PrintLine("  ", console.Styled(Style::kDim, absl::StrFormat("%-16s", name)), " ", value);
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_REPORT_ROW_H_
