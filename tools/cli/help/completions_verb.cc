// ticktape completions: prints a completion script for a shell.

#include <array>
#include <map>

#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/help/command_tree.h"

// Created by the linker from completions.bash (BUILD.bazel, bash_completions_object).
extern "C" const char _binary_completions_bash_start[];
extern "C" const char _binary_completions_bash_end[];

namespace tools {
namespace {

std::string Words(const std::vector<std::string>& words) { return absl::StrJoin(words, " "); }

std::vector<std::string> NamesOf(const std::vector<Command>& commands) {
  std::vector<std::string> names;
  for (const Command& command : commands) names.push_back(command.name);
  return names;
}

// What describes a value to a shell, by ValueKind; '@' stands for the choices.
using ValueTexts = std::array<absl::string_view, 5>;

std::string ValueText(const CommandOption& option, const ValueTexts& texts) {
  return absl::StrReplaceAll(texts[static_cast<size_t>(option.kind)],
                             {{"@", Words(option.choices)}});
}

// ---- bash

constexpr ValueTexts kBashValues = {"", "", "kind=words words='@'", "kind=file", "kind=folder"};

void Describe(const Command& command, std::string& out) {
  std::vector<std::string> options;
  std::vector<std::string> valued;
  for (const CommandOption& option : command.options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
    if (option.takes_value()) valued.insert(valued.end(), option.names.begin(), option.names.end());
  }
  const bool is_repeated = !command.arguments.empty() && command.arguments.back().is_repeated;
  absl::StrAppend(&out, "    '", command.path, "') commands='", Words(NamesOf(command.commands)),
                  "' options='", Words(options), "'\n      valued='", Words(valued),
                  "' arguments=", command.arguments.size(), is_repeated ? " repeated=1" : "",
                  " ;;\n");
  for (const Command& child : command.commands) Describe(child, out);
}

void Values(const Command& command, std::string& out) {
  const auto add = [&](const CommandOption& option, absl::string_view name) {
    const std::string text = ValueText(option, kBashValues);
    if (!text.empty()) {
      absl::StrAppend(&out, "    '", command.path, "|", name, "') ", text, " ;;\n");
    }
  };
  for (const CommandOption& option : command.options) {
    for (const std::string& name : option.names) add(option, name);
  }
  for (size_t i = 0; i < command.arguments.size(); ++i) add(command.arguments[i], absl::StrCat(i));
  for (const Command& child : command.commands) Values(child, out);
}

std::string BashCompletions(const Command& program) {
  std::string commands;
  std::string values;
  Describe(program, commands);
  Values(program, values);
  const absl::string_view script(
      _binary_completions_bash_start,
      static_cast<size_t>(_binary_completions_bash_end - _binary_completions_bash_start));
  return absl::StrReplaceAll(script, {{"# @commands@\n", commands}, {"# @values@\n", values}});
}

// ---- zsh

constexpr ValueTexts kZshValues = {" ", " ", "(@)", "_files", "_files -/"};

// Escapes text for '...' within an _arguments specification.
std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(
      text,
      {{"'", "'\\''"}, {"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}, {"\n", " "}});
}

std::string FunctionName(const Command& command) {
  return absl::StrCat("_ticktape", command.path.empty() ? "" : "_",
                      absl::StrReplaceAll(command.path, {{" ", "_"}, {"-", "_"}}));
}

void Arguments(const Command& command, std::string& out) {
  for (const CommandOption& option : command.options) {
    const std::string value = option.takes_value() ? absl::StrCat(":", Escaped(option.type), ":",
                                                                  ValueText(option, kZshValues))
                                                   : "";
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
                    ValueText(argument, kZshValues), "'");
  }
}

void Function(const Command& command, std::string& out) {
  absl::StrAppend(&out, "\n", FunctionName(command), "() {\n");
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
    absl::StrAppend(&out, "        ", child.name, ") ", FunctionName(child), " ;;\n");
  }
  out += "      esac ;;\n  esac\n}\n";
  for (const Command& child : command.commands) Function(child, out);
}

std::string ZshCompletions(const Command& program) {
  std::string out =
      "#compdef ticktape\n# zsh completion for ticktape. Made by 'ticktape completions zsh'.\n";
  Function(program, out);
  // When autoloaded under its file's name, it completes; when sourced, it registers itself.
  out +=
      "\nif [[ $funcstack[1] == _ticktape ]]; then\n  _ticktape \"$@\"\n"
      "else\n  compdef _ticktape ticktape\nfi\n";
  return out;
}

// ---- fish

// -r takes a value, -f no files.
constexpr ValueTexts kFishValues = {"", " -x", " -x -a '@'", " -r -F",
                                    " -x -a '(__fish_complete_directories)'"};
constexpr ValueTexts kFishArguments = {"", "", " -f -a '@'", " -F",
                                       " -f -a '(__fish_complete_directories)'"};

std::string Quoted(absl::string_view text) {
  return absl::StrCat("'", absl::StrReplaceAll(text, {{"\\", "\\\\"}, {"'", "\\'"}, {"\n", " "}}),
                      "'");
}

void Complete(const Command& command, std::string& out) {
  // Matches after these commands, and no further subcommand.
  std::string below = "test 1 = 1";
  for (const absl::string_view name : absl::StrSplit(command.path, ' ', absl::SkipEmpty())) {
    absl::StrAppend(&below, "; and __fish_seen_subcommand_from ", name);
  }
  if (!command.commands.empty()) {
    absl::StrAppend(&below, "; and not __fish_seen_subcommand_from ",
                    Words(NamesOf(command.commands)));
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
    absl::StrAppend(&out, ValueText(option, kFishValues), " -d ", Quoted(option.help), "\n");
  }
  for (const CommandOption& argument : command.arguments) {
    const std::string text = ValueText(argument, kFishArguments);
    if (!text.empty()) absl::StrAppend(&out, start, text, "\n");
  }
  for (const Command& child : command.commands) Complete(child, out);
}

std::string FishCompletions(const Command& program) {
  std::string out = "# fish completion for ticktape. Made by 'ticktape completions fish'.\n";
  Complete(program, out);
  return out;
}

// Scripts to be sourced, or installed where the shell looks for completions.
struct Shell {
  const char* name;
  std::string (*completions)(const Command& program);
};
constexpr Shell kShells[] = {
    {"bash", BashCompletions}, {"zsh", ZshCompletions}, {"fish", FishCompletions}};

constexpr char kExamples[] = R"(  source <(ticktape completions bash)
  ticktape completions bash > ~/.local/share/bash-completion/completions/ticktape
  ticktape completions zsh > ~/.zfunc/_ticktape       (a folder of $fpath)
  ticktape completions fish > ~/.config/fish/completions/ticktape.fish)";

class CompletionsVerb final : public Verb {
 public:
  CompletionsVerb() : Verb("completions", "Print completions for bash, zsh or fish", kExamples) {}

  void Declare(Options& options) override {
    std::map<std::string, size_t> shells;
    for (const Shell& shell : kShells) shells.emplace(shell.name, shells.size());
    parser_ = &options.parser();
    options.AddChoice("shell", shell_, shells, "bash, zsh or fish").Required().Type("SHELL");
  }
  absl::StatusOr<ExitCode> Run(Console& console) override {
    console.Print(ConsoleText::Lines(kShells[shell_].completions(DescribeProgram(*parser_))));
    return ExitCode::kOk;
  }

 private:
  CLI::App* parser_ = nullptr;
  size_t shell_ = 0;
};

}  // namespace

std::unique_ptr<Verb> MakeCompletionsVerb() { return std::make_unique<CompletionsVerb>(); }

}  // namespace tools
