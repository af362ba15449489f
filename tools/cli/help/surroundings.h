// What a verb has to do with besides its options: exit codes, environment variables, files. For the
// manual pages and the program's help.

#ifndef TOOLS_CLI_HELP_SURROUNDINGS_H_
#define TOOLS_CLI_HELP_SURROUNDINGS_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

// A regular value type.
struct Surrounding {
  std::string name;  // "NO_COLOR", "DIR/venue.json", "3".
  std::string meaning;
};

// Those of `verb`, or of the whole program if it is empty.
std::vector<Surrounding> ExitCodesOf(absl::string_view verb);
std::vector<Surrounding> VariablesOf(absl::string_view verb);
std::vector<Surrounding> FilesOf(absl::string_view verb);

}  // namespace tools

#endif  // TOOLS_CLI_HELP_SURROUNDINGS_H_
