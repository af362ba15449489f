#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "tools/cli/help/completions.h"

namespace tools {
namespace {

// Escapes text for '...' within an _arguments specification.
std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text,
      {{"'", "'\\''"}, {"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}, {"\n", " "}});
}

std::string Action(const CommandOption& option) {
  switch (option.kind) {
    case ValueKind::kChoices:
      return absl::StrCat("(", absl::StrJoin(option.choices, " "), ")");
    case ValueKind::kFile:
      return "_files";
    case ValueKind::kFolder:
      return "_files -/";
    case ValueKind::kAny:
    case ValueKind::kNone:
      return " ";
  }
  return "";
}

std::string FunctionName(absl::string_view path) {
  return absl::StrCat("_ticktape", path.empty() ? "" : "_",
                      absl::StrReplaceAll(path, {{" ", "_"}, {"-", "_"}}));
}

void Arguments(const Command& command, std::string& out) {
  for (const CommandOption& option : command.options) {
    const std::string value =
        option.takes_value() ? absl::StrCat(":", Escaped(option.type), ":", Action(option)) : "";
    for (const std::string& name : option.names) {
      absl::StrAppend(&out, " \\\n    '", option.is_repeated ? "*" : "", name,
                      option.takes_value() && name.size() > 2 ? "=" : "", "[", Escaped(option.help),
                      "]", value, "'");
    }
  }
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    const CommandOption& argument = command.arguments[i];
    const std::string place = argument.is_repeated ? "*" : absl::StrCat(i + 1);
    absl::StrAppend(&out, " \\\n    '", place,
                    argument.is_required ? ":" : "::", Escaped(argument.names.front()), ":",
                    Action(argument), "'");
  }
}

void Function(const Command& command, const std::string& path, std::string& out) {
  absl::StrAppend(&out, "\n", FunctionName(path), "() {\n");
  if (command.commands.empty()) {
    out += "  _arguments -s -S";
    Arguments(command, out);
    out += "\n}\n";
    return;
  }
  out += "  local context state state_descr line\n  typeset -A opt_args\n  _arguments -C";
  Arguments(command, out);
  out += " \\\n    '1:command:->command' \\\n    '*::argument:->argument'\n";
  out += "  case $state in\n    command)\n      local -a commands=(\n";
  for (const Command& child : command.commands) {
    absl::StrAppend(&out, "        '", child.name, ":", Escaped(child.summary), "'\n");
  }
  out += "      )\n      _describe command commands ;;\n    argument)\n      case $line[1] in\n";
  for (const Command& child : command.commands) {
    const std::string below = absl::StrCat(path, path.empty() ? "" : " ", child.name);
    absl::StrAppend(&out, "        ", child.name, ") ", FunctionName(below), " ;;\n");
  }
  out += "      esac ;;\n  esac\n}\n";
  for (const Command& child : command.commands) {
    Function(child, absl::StrCat(path, path.empty() ? "" : " ", child.name), out);
  }
}

}  // namespace

std::string ZshCompletions(const Command& program) {
  std::string out =
      "#compdef ticktape\n# zsh completion for ticktape. Made by 'ticktape completions zsh'.\n";
  Function(program, "", out);
  // When autoloaded under its file's name, it completes; when sourced, it registers itself.
  out +=
      "\nif [[ $funcstack[1] == _ticktape ]]; then\n  _ticktape \"$@\"\n"
      "else\n  compdef _ticktape ticktape\nfi\n";
  return out;
}

}  // namespace tools
