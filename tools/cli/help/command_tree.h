// The program's command line as its verbs declare it: the source of completions and man page.
//
//   CLI::App ticktape ─► Command "" ─┬─► Command "cat":      options, arguments, examples
//                                    └─► Command "snapshot" ─┬─► Command "make" ...

#ifndef TOOLS_CLI_HELP_COMMAND_TREE_H_
#define TOOLS_CLI_HELP_COMMAND_TREE_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace CLI {
class App;
}  // namespace CLI

namespace tools {

// What a value can be.
enum class ValueKind {
  kNone,     // A flag.
  kAny,      // No suggestions.
  kChoices,  // One of a few words.
  kFile,
  kFolder,
};

// An option or an argument. A regular value type.
struct CommandOption {
  std::vector<std::string> names = {};  // "--output", "-o"; the name of an argument.
  std::string type = {};                // "FILE"; empty for a flag.
  std::string help = {};
  std::string default_value = {};  // Empty: help shows none.
  bool is_required = false;
  bool is_repeated = false;
  ValueKind kind = ValueKind::kNone;
  std::vector<std::string> choices = {};

  bool takes_value() const { return kind != ValueKind::kNone; }
};

// A regular value type.
struct Command {
  std::string name = {};
  std::string path = {};  // With the commands above it: "snapshot make"; empty for the program.
  std::string summary = {};
  std::string footer = {};  // Examples and further notes.
  std::vector<CommandOption> options = {};
  std::vector<CommandOption> arguments = {};  // In their order.
  std::vector<Command> commands = {};
};

// Returns the help of the command at `path`, below the program that `verb` belongs to; of the
// program if the path is empty. Errors: INVALID_ARGUMENT: there is no such command.
absl::StatusOr<std::string> HelpOf(CLI::App& verb, const std::vector<std::string>& path);

// Describes the whole program that `verb` belongs to, or, in a test, the verb alone.
Command DescribeProgram(CLI::App& verb);

}  // namespace tools

#endif  // TOOLS_CLI_HELP_COMMAND_TREE_H_
