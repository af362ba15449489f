#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "tools/cli/help/completions.h"

namespace tools {
namespace {

std::string Quoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}, {"\n", " "}}),
                      "'");
}

// The flags for the option's value: -r takes a value, -f no files.
std::string Value(const CommandOption& option) {
  switch (option.kind) {
    case ValueKind::kNone:
      return "";
    case ValueKind::kChoices:
      return absl::StrCat(" -x -a ", Quoted(absl::StrJoin(option.choices, " ")));
    case ValueKind::kFile:
      return " -r -F";
    case ValueKind::kFolder:
      return " -x -a '(__fish_complete_directories)'";
    case ValueKind::kAny:
      return " -x";
  }
  return "";
}

void Complete(const Command& command, const std::vector<std::string>& path, std::string& out) {
  // Matches after these commands, and no further subcommand.
  std::string below = "test 1 = 1";
  for (const std::string& name : path) {
    absl::StrAppend(&below, "; and __fish_seen_subcommand_from ", name);
  }
  std::vector<std::string> children;
  for (const Command& child : command.commands) children.push_back(child.name);
  if (!children.empty()) {
    absl::StrAppend(&below, "; and not __fish_seen_subcommand_from ", absl::StrJoin(children, " "));
  }
  const std::string start = absl::StrCat("complete -c ticktape -n ", Quoted(below));
  for (const Command& child : command.commands) {
    absl::StrAppend(&out, start, " -f -a ", child.name, " -d ", Quoted(child.summary), "\n");
  }
  for (const CommandOption& option : command.options) {
    out += start;
    for (const std::string& name : option.names) {
      absl::StrAppend(&out, name.size() > 2 ? " -l " : " -s ",
                      absl::string_view(name).substr(name.size() > 2 ? 2 : 1));
    }
    absl::StrAppend(&out, Value(option), " -d ", Quoted(option.help), "\n");
  }
  for (const CommandOption& argument : command.arguments) {
    if (argument.kind == ValueKind::kFolder) {
      absl::StrAppend(&out, start, " -f -a '(__fish_complete_directories)'\n");
    } else if (argument.kind == ValueKind::kFile) {
      absl::StrAppend(&out, start, " -F\n");
    } else if (argument.kind == ValueKind::kChoices) {
      absl::StrAppend(&out, start, " -f -a ", Quoted(absl::StrJoin(argument.choices, " ")), "\n");
    }
  }
  for (const Command& child : command.commands) {
    std::vector<std::string> deeper = path;
    deeper.push_back(child.name);
    Complete(child, deeper, out);
  }
}

}  // namespace

std::string FishCompletions(const Command& program) {
  std::string out = "# fish completion for ticktape. Made by 'ticktape completions fish'.\n";
  Complete(program, {}, out);
  return out;
}

}  // namespace tools
