// The program as its verbs declare it: what completions and the man page are made of.
//
//   CLI::App ticktape ─► Command "" ─┬─► Command "cat":      options, arguments, examples
//                                    └─► Command "snapshot" ─┬─► Command "make" ...

#ifndef TOOLS_CLI_HELP_COMMAND_TREE_H_
#define TOOLS_CLI_HELP_COMMAND_TREE_H_

#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace tools {

// What stands where a value is expected.
enum class ValueKind {
  kNone,     // A flag.
  kAny,      // Nothing that could be guessed.
  kChoices,  // One of a few words.
  kFile,
  kFolder,
};

// An option or an argument. A regular value type.
struct CommandOption {
  std::vector<std::string> names;  // "--output", "-o"; of an argument its name.
  std::string type;                // "FILE"; empty for a flag.
  std::string help;
  std::string default_value;  // Empty: none is told.
  bool is_required = false;
  bool is_repeated = false;
  ValueKind kind = ValueKind::kAny;
  std::vector<std::string> choices;

  bool takes_value() const { return kind != ValueKind::kNone; }
};

// A regular value type.
struct Command {
  std::string name;
  std::string summary;
  std::string footer;  // Examples, and what else there is to say.
  std::vector<CommandOption> options;
  std::vector<CommandOption> arguments;  // In their order.
  std::vector<Command> commands;
};

// The program that `verb` belongs to, or, in a test, the verb alone.
Command DescribeProgram(CLI::App& verb);

}  // namespace tools

#endif  // TOOLS_CLI_HELP_COMMAND_TREE_H_
