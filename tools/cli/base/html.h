// What the pages of reports have in common: self-contained, without scripts.

#ifndef TOOLS_CLI_BASE_HTML_H_
#define TOOLS_CLI_BASE_HTML_H_

#include <string>

#include "absl/strings/string_view.h"

namespace tools {

// From the beginning of the page into its body. `title` and `styles` are not escaped.
std::string HtmlHead(absl::string_view title, absl::string_view styles = "");

// Any text, as text of a page or the value of an attribute.
std::string HtmlEscaped(absl::string_view text);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_HTML_H_
