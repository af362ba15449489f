#include "tools/cli/help/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "tools/cli/base/nearest_word.h"

namespace tools {
namespace {

// The value that the option makes of the text; nullopt if it rejects it.
std::optional<std::string> Receive(CLI::Option& option, const std::string& text) {
  std::string value = text;
  for (int i = 0;; ++i) {
    const CLI::Validator* validator = nullptr;
    try {
      validator = option.get_validator(i);
    } catch (const CLI::OptionNotFound&) {
      return value;
    }
    try {
      if (!(*validator)(value).empty()) return std::nullopt;
    } catch (const CLI::Error&) {
      return std::nullopt;
    }
  }
}

// Options with a fixed set of words list them in their help text. Each word of that text is a
// choice if the option accepts it.
std::vector<std::string> ChoicesOf(CLI::Option& option) {
  const bool takes_anything = Receive(option, "no such word").has_value();
  std::vector<std::string> choices;
  const std::string& help = option.get_description();
  for (const absl::string_view piece :
       absl::StrSplit(help, absl::ByAnyChar(" \n\t,.;:()'\""), absl::SkipEmpty())) {
    const std::string word(piece);
    // Single letters are units of time or size.
    const bool is_word =
        word.size() > 1 && absl::ascii_islower(static_cast<unsigned char>(word.front())) &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") == std::string::npos;
    if (!is_word || std::ranges::find(choices, word) != choices.end()) continue;
    const std::optional<std::string> value = Receive(option, word);
    if (value.has_value() && (*value != word || !takes_anything)) choices.push_back(word);
  }
  return choices;
}

ValueKind KindOf(absl::string_view type) {
  absl::ConsumeSuffix(&type, "...");
  for (const char* const folder : {"JOURNAL", "FOLDER", "DIR", "OUTPUT"}) {
    if (type == folder) return ValueKind::kFolder;
  }
  // A and B are either two journals, or two other files.
  for (const char* const file : {"FILE", "FIXTURE", "PROGRAM", "ENGINE", "A", "B"}) {
    if (type == file) return ValueKind::kFile;
  }
  return ValueKind::kAny;
}

CommandOption DescribeOption(CLI::Option& option) {
  CommandOption described = {.help = option.get_description(),
                             .default_value = option.get_default_str(),
                             .is_required = option.get_required(),
                             .is_repeated = option.get_items_expected_max() > 1};
  if (option.get_positional()) {
    described.names.push_back(option.get_name(/*positional=*/true));
  } else {
    for (const std::string& name : option.get_lnames()) described.names.push_back("--" + name);
    for (const std::string& name : option.get_snames()) described.names.push_back("-" + name);
  }
  if (option.get_items_expected_max() == 0) return described;
  described.type = option.get_type_name();
  described.choices = ChoicesOf(option);
  described.kind = described.choices.empty() ? KindOf(described.type) : ValueKind::kChoices;
  return described;
}

Command DescribeCommand(CLI::App& app, const std::string& path) {
  Command command = {.name = app.get_name(),
                     .path = path,
                     .summary = app.get_description(),
                     .footer = app.get_footer()};
  for (CLI::Option* option : app.get_options()) {
    // Options without a group are hidden from help, for use by programs.
    if (option->get_group().empty()) continue;
    auto& list = option->get_positional() ? command.arguments : command.options;
    list.push_back(DescribeOption(*option));
  }
  for (CLI::App* child : app.get_subcommands([](CLI::App*) { return true; })) {
    const std::string below = absl::StrCat(path, path.empty() ? "" : " ", child->get_name());
    command.commands.push_back(DescribeCommand(*child, below));
  }
  return command;
}

}  // namespace

absl::StatusOr<std::string> HelpOf(CLI::App& verb, const std::vector<std::string>& path) {
  CLI::App* command = verb.get_parent() == nullptr ? &verb : verb.get_parent();
  std::string above;  // The verb, of an action.
  for (const std::string& word : path) {
    std::vector<std::string> names;
    CLI::App* found = nullptr;
    for (CLI::App* child : command->get_subcommands([](CLI::App*) { return true; })) {
      names.push_back(child->get_name());
      if (child->get_name() == word) found = child;
    }
    const bool is_verb = command == verb.get_parent();
    if (found == nullptr) {
      if (names.empty()) {
        return absl::InvalidArgumentError(
            absl::StrCat("'", command->get_name(), "' has no command '", word, "', nor any other"));
      }
      return absl::InvalidArgumentError(NoSuchWord(is_verb ? "verb" : "command", word, names));
    }
    if (!is_verb) above = command->get_name();
    command = found;
  }
  // App::help() would show the help of the verb that was parsed.
  const std::string name = absl::StrCat(above, above.empty() ? "" : " ", command->get_name());
  return command->get_formatter()->make_help(command, name, CLI::AppFormatMode::Normal);
}

Command DescribeProgram(CLI::App& verb) {
  CLI::App* const program = verb.get_parent();
  return DescribeCommand(program == nullptr ? verb : *program, "");
}

}  // namespace tools
