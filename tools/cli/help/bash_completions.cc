#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tools/cli/help/completions.h"

namespace tools {
namespace {

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

}  // namespace

std::string BashCompletions(const Command& program) {
  std::string out = kBeginning;
  Describe(program, "", out);
  out += kMiddle;
  Values(program, "", out);
  return out + kEnd;
}

}  // namespace tools
