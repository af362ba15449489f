// ticktape completions: prints a completion script for a shell.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/help/command_tree.h"
#include "tools/cli/help/verbs.h"

namespace tools {
namespace {

// Shell completions for the program.

// Scripts to be sourced, or installed where the shell looks for completions.
std::string BashCompletions(const Command& program);
std::string ZshCompletions(const Command& program);
std::string FishCompletions(const Command& program);

constexpr char kBeginning[] =
    R"bash(# bash completion for ticktape. Made by 'ticktape completions bash'.

# What there is below the commands $1: commands, options, options with a value, arguments.
_ticktape_describe() {
  commands= options= valued= arguments=0 repeated=
  case "$1" in
)bash";

constexpr char kMiddle[] = R"bash(  esac
}

# What can stand as the value of the option, or as the argument, $2 of the commands $1.
_ticktape_value() {
  kind= words=
  case "$1|$2" in
)bash";

constexpr char kEnd[] = R"bash(  esac
}

_ticktape() {
  local commands options valued arguments repeated kind words
  local path= count=0 skip= word previous current i
  COMPREPLY=()
  current=${COMP_WORDS[COMP_CWORD]}
  previous=${COMP_WORDS[COMP_CWORD - 1]}
  # --option=value is three words to bash.
  if [[ $current == "=" ]]; then
    current=
  elif [[ $previous == "=" ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  _ticktape_describe ""
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    if [[ -n $skip ]]; then
      [[ $word == "=" ]] || skip=
    elif [[ " $valued " == *" $word "* ]]; then
      skip=1
    elif [[ $word == -* ]]; then
      :
    elif [[ " $commands " == *" $word "* ]]; then
      path="${path:+$path }$word"
      count=0
      _ticktape_describe "$path"
    else
      count=$((count + 1))
    fi
  done
  if [[ " $valued " == *" $previous "* ]]; then
    _ticktape_value "$path" "$previous"
  elif [[ $current == -* ]]; then
    kind=words words=$options
  elif [[ -n $commands && $count -eq 0 ]]; then
    kind=words words=$commands
  else
    [[ -n $repeated && $count -ge $arguments ]] && count=$((arguments - 1))
    _ticktape_value "$path" "$count"
  fi
  case "$kind" in
    words) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    file) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    folder) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
  esac
  if [[ $kind == file || $kind == folder ]]; then
    compopt -o filenames 2>/dev/null || true
  fi
}

complete -F _ticktape ticktape
)bash";

std::string Words(const std::vector<std::string>& words) { return absl::StrJoin(words, " "); }

void Describe(const Command& command, const std::string& path, std::string& out) {
  std::vector<std::string> commands;
  std::vector<std::string> options;
  std::vector<std::string> valued;
  for (const Command& child : command.commands) commands.push_back(child.name);
  for (const CommandOption& option : command.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
    if (option.takes_value()) valued.insert(valued.end(), option.names.begin(), option.names.end());
  }
  const bool is_repeated = !command.arguments.empty() && command.arguments.back().is_repeated;
  absl::StrAppend(&out, "    '", path, "') commands='", Words(commands), "' options='",
                  Words(options), "'\n      valued='", Words(valued),
                  "' arguments=", command.arguments.size(), is_repeated ? " repeated=1" : "",
                  " ;;\n");
  for (const Command& child : command.commands) {
    Describe(child, absl::StrCat(path, path.empty() ? "" : " ", child.name), out);
  }
}

void Value(const CommandOption& option, absl::string_view path, absl::string_view name,
           std::string& out) {
  const auto line = [&](absl::string_view what) {
    absl::StrAppend(&out, "    '", path, "|", name, "') ", what, " ;;\n");
  };
  switch (option.kind) {
    case ValueKind::kChoices:
      return line(absl::StrCat("kind=words words='", Words(option.choices), "'"));
    case ValueKind::kFile:
      return line("kind=file");
    case ValueKind::kFolder:
      return line("kind=folder");
    case ValueKind::kAny:
    case ValueKind::kNone:
      return;
  }
}

void Values(const Command& command, const std::string& path, std::string& out) {
  for (const CommandOption& option : command.options) {
    for (const std::string& name : option.names) Value(option, path, name, out);
  }
  for (size_t i = 0; i < command.arguments.size(); ++i) {
    Value(command.arguments[i], path, absl::StrCat(i), out);
  }
  for (const Command& child : command.commands) {
    Values(child, absl::StrCat(path, path.empty() ? "" : " ", child.name), out);
  }
}

std::string BashCompletions(const Command& program) {
  std::string out = kBeginning;
  Describe(program, "", out);
  out += kMiddle;
  Values(program, "", out);
  return out + kEnd;
}

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

std::string FishCompletions(const Command& program) {
  std::string out = "# fish completion for ticktape. Made by 'ticktape completions fish'.\n";
  Complete(program, {}, out);
  return out;
}

enum class Shell { kBash, kZsh, kFish };

class CompletionsVerb final : public Verb {
 public:
  const char* name() const override { return "completions"; }
  const char* summary() const override { return "Print completions for bash, zsh or fish"; }
  const char* examples() const override {
    return "  source <(ticktape completions bash)\n"
           "  ticktape completions bash > ~/.local/share/bash-completion/completions/ticktape\n"
           "  ticktape completions zsh > ~/.zfunc/_ticktape       (a folder of $fpath)\n"
           "  ticktape completions fish > ~/.config/fish/completions/ticktape.fish";
  }
  void Declare(Options& options) override {
    const std::map<std::string, Shell> shells = {
        {"bash", Shell::kBash}, {"zsh", Shell::kZsh}, {"fish", Shell::kFish}};
    parser_ = &options.parser();
    options.AddChoice("shell", shell_, shells, "bash, zsh or fish").Required().Type("SHELL");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    const Command program = DescribeProgram(*parser_);
    switch (shell_) {
      case Shell::kBash:
        console.Print(ConsoleText::Lines(BashCompletions(program)));
        break;
      case Shell::kZsh:
        console.Print(ConsoleText::Lines(ZshCompletions(program)));
        break;
      case Shell::kFish:
        console.Print(ConsoleText::Lines(FishCompletions(program)));
        break;
    }
    return ExitCode::kOk;
  }

 private:
  CLI::App* parser_ = nullptr;
  Shell shell_ = Shell::kBash;
};

}  // namespace

std::unique_ptr<Verb> MakeCompletionsVerb() { return std::make_unique<CompletionsVerb>(); }

}  // namespace tools
