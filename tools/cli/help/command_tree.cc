#include "tools/cli/help/command_tree.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace tools {
namespace {

// Whether the option accepts the text, and whether it maps it to another value.
struct Reception {
  bool is_taken = true;
  bool is_changed = false;
};

Reception Receive(CLI::Option& option, const std::string& text) {
  Reception reception;
  std::string value = text;
  for (int i = 0;; ++i) {
    const CLI::Validator* validator = nullptr;
    try {
      validator = option.get_validator(i);
    } catch (const CLI::OptionNotFound&) {
      reception.is_changed = value != text;
      return reception;
    }
    try {
      if (!(*validator)(value).empty()) reception.is_taken = false;
    } catch (const CLI::Error&) {
      reception.is_taken = false;
    }
  }
}

// Options with a fixed set of words list them in their help text. Each word of that text is a
// choice if the option accepts it.
std::vector<std::string> ChoicesOf(CLI::Option& option) {
  const bool takes_anything = Receive(option, "no such word").is_taken;
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
    const Reception reception = Receive(option, word);
    if (reception.is_taken && (reception.is_changed || !takes_anything)) choices.push_back(word);
  }
  return choices;
}

ValueKind KindOf(absl::string_view type) {
  if (absl::StartsWith(type, "JOURNAL") || absl::StartsWith(type, "FOLDER") || type == "DIR" ||
      type == "OUTPUT") {
    return ValueKind::kFolder;
  }
  // Either two journals, or two other files.
  const bool is_either = type == "A" || type == "B";
  if (is_either || absl::StartsWith(type, "FILE") || absl::StartsWith(type, "FIXTURE") ||
      type == "PROGRAM" || type == "ENGINE") {
    return ValueKind::kFile;
  }
  return ValueKind::kAny;
}

CommandOption DescribeOption(CLI::Option& option) {
  CommandOption described = {.names = {},
                             .type = {},
                             .help = option.get_description(),
                             .default_value = option.get_default_str(),
                             .is_required = option.get_required(),
                             .is_repeated = option.get_items_expected_max() > 1,
                             .kind = ValueKind::kNone,
                             .choices = {}};
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

Command DescribeCommand(CLI::App& app) {
  Command command = {.name = app.get_name(),
                     .summary = app.get_description(),
                     .footer = app.get_footer(),
                     .options = {},
                     .arguments = {},
                     .commands = {}};
  for (CLI::Option* option : app.get_options()) {
    // Options without a group are hidden from help, for use by programs.
    if (option->get_group().empty()) continue;
    auto& list = option->get_positional() ? command.arguments : command.options;
    list.push_back(DescribeOption(*option));
  }
  for (CLI::App* child : app.get_subcommands([](CLI::App*) { return true; })) {
    command.commands.push_back(DescribeCommand(*child));
  }
  return command;
}

}  // namespace

Command DescribeProgram(CLI::App& verb) {
  CLI::App* const program = verb.get_parent();
  return DescribeCommand(program == nullptr ? verb : *program);
}

}  // namespace tools
