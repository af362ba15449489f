// What the manual says of a verb besides its options: exit codes, environment variables, files. The
// program's help has the exit codes, too.

#ifndef TOOLS_CLI_HELP_MANUAL_ENTRIES_H_
#define TOOLS_CLI_HELP_MANUAL_ENTRIES_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

// A regular value type.
struct ManualEntry {
  std::string name;  // "NO_COLOR", "DIR/venue.json", "3".
  std::string meaning;
};

// Those of `verb`, or of the whole program if it is empty.
std::vector<ManualEntry> ExitCodesOf(absl::string_view verb);
std::vector<ManualEntry> VariablesOf(absl::string_view verb);
std::vector<ManualEntry> FilesOf(absl::string_view verb);

}  // namespace tools

#endif  // TOOLS_CLI_HELP_MANUAL_ENTRIES_H_
