#include "tools/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/machine_program.h"
#include "tools/cli/base/nearest_word.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/time_zone.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/help/manual_entries.h"

namespace tools {
namespace {

constexpr char kDescription[] =
    "Ticktape: a deterministic, event-sourced exchange engine with replay tooling.\n"
    "Every command is journalled before it is matched, so a run is a function of its log.";

constexpr char kFooter[] =
    "Try first:\n"
    "  ticktape demo                     a real session, recorded, replayed and proven identical\n"
    "  ticktape help VERB                options and examples, as ticktape VERB --help\n"
    "\n"
    "Positions: @SEQUENCE, @-N (from the end), @TIME, @+5s (after the start), @order:ID;\n"
    "ranges: A..B, A.., ..B, A..+N, A..+10ms. Both ends are included.\n"
    "Times: 2020-01-30T14:30:00Z, '2020-01-30 09:30:00.5-05:00'; --tz shows those of a zone, and\n"
    "reads '2020-01-30 09:30' as one of it.\n"
    "With --json, an error is the last object on standard output, too:\n"
    "{\"schema\":\"ticktape.error/1\",\"error\":{\"verb\":...,\"code\":the exit "
    "code,\"message\":...}}";

// A line of each.
std::string ExitCodes() {
  std::string text = "\nExit codes:";
  for (const ManualEntry& code : ExitCodesOf("")) {
    absl::StrAppend(&text, "\n", absl::StrFormat("  %3s  %s", code.name, code.meaning));
  }
  return text;
}

// Wraps no lines: examples are meant to be pasted.
class Formatter : public CLI::Formatter {
 public:
  std::string make_usage(const CLI::App* app, std::string name) const override {
    return CLI::Formatter::make_usage(app, app->get_parent() ? "ticktape " + name : name);
  }
  // Leaves out exclusions, which would push the descriptions aside; an error message names them.
  std::string make_option_opts(const CLI::Option* option) const override {
    std::string text = CLI::Formatter::make_option_opts(option);
    for (const char* clutter : {" Excludes: ", " Needs: ", " x 2"}) {
      text = text.substr(0, text.find(clutter));
    }
    return text;
  }
  std::string make_footer(const CLI::App* app) const override {
    const std::string footer = app->get_footer();
    return footer.empty() ? "" : "\n" + footer + "\n";
  }
};

struct Declared {
  std::unique_ptr<Verb> verb;
  CLI::App* app = nullptr;
  std::unique_ptr<Options> options = nullptr;
  bool json = false;
  bool quiet = false;
  std::string time_zone = {};
};

// `machine`: receives --machine, for the verbs that take it.
void Declare(CLI::App& app, const std::optional<absl::TimeZone>& zone, Declared& declared,
             std::optional<std::string>& machine) {
  Verb& verb = *declared.verb;
  declared.app = app.add_subcommand(verb.name(), verb.summary());
  // Set before subcommands are created, which inherit the parent's footer.
  declared.app->footer(absl::StrCat("Examples:\n", verb.examples()));
  declared.options = std::make_unique<Options>(*declared.app, zone);
  verb.Declare(*declared.options);
  declared.app->add_flag("--json", declared.json, "Results as JSON, for machines");
  declared.app->add_flag("-q,--quiet", declared.quiet, "Only results and errors");
  declared.options
      ->Add("--tz", declared.time_zone,
            "Show times of this zone, and read times without an offset in it; JSON stays UTC")
      .Type("ZONE");
  if (std::ranges::count(kMachineVerbs, verb.name()) != 0) {
    declared.options->Add("--machine", machine, kMachineHelp).Type("PROGRAM");
  }
}

// The journals that the command line gives to the verb.
std::vector<std::string> JournalsOf(const CLI::App& verb) {
  std::vector<std::string> journals;
  for (const CLI::Option* option : verb.get_options()) {
    const std::string& type = option->get_type_name();
    const bool is_journal = absl::StartsWith(type, "JOURNAL") || type == "A" || type == "B";
    if (!option->get_positional() || !is_journal) continue;
    journals.insert(journals.end(), option->results().begin(), option->results().end());
  }
  return journals;
}

// Prints an error as text, and with --json as an object, too. `verb` is empty if there is none.
ExitCode PrintError(absl::string_view verb, absl::string_view message, ExitCode code,
                    Console& console) {
  console.Error("ticktape", verb.empty() ? "" : " ", verb, ": ", ConsoleText::Message(message),
                "\n");
  if (console.json()) {
    JsonObject json("ticktape.error/1");
    json.BeginObject("error");
    json.Field("verb", verb);
    json.Field("code", static_cast<int>(code));
    json.Field("message", message);
    json.EndObject();
    console.PrintLine(ConsoleText(json.Take()));
  }
  return code;
}

// Prints a usage error and how to get help.
ExitCode RefuseUsage(absl::string_view verb, absl::string_view message, Console& console) {
  PrintError(verb, message, ExitCode::kUsage, console);
  console.Error("Try 'ticktape", verb.empty() ? "" : " ", verb, " --help'.\n");
  return ExitCode::kUsage;
}

// Returns the message for a verb that needs one of its actions, and has none or a mistyped one.
std::string MissingAction(const CLI::App& verb, const std::vector<std::string>& words) {
  std::vector<std::string> actions;
  for (const CLI::App* action : verb.get_subcommands(nullptr)) {
    actions.push_back(action->get_name());
  }
  const auto typed = std::find_if(words.begin() + 1, words.end(), [](const std::string& word) {
    return !absl::StartsWith(word, "-");
  });
  if (typed != words.end()) return NoSuchWord("action", *typed, actions);
  return absl::StrCat("an action is missing; expected one of ", absl::StrJoin(actions, ", "));
}

// Returns the message of CLI11, or a clearer one.
std::string MessageOf(const CLI::ParseError& error) {
  std::string what = error.what();
  // "Could not convert: --limit = x"
  absl::string_view failed = what;
  const size_t between = failed.find(" = ");
  if (between != failed.npos && absl::ConsumePrefix(&failed, "Could not convert: ")) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(failed, absl::MaxSplits(" = ", 1));
    what = absl::StrCat(parts.first, ": '", parts.second, "' is not a number");
  }
  return what;
}

// The zone of --tz, which is needed before the other words are parsed; nullopt if there is none, or
// no such zone.
std::optional<absl::TimeZone> ZoneIn(const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  for (auto word = words.begin(); word != end; ++word) {
    absl::string_view name = *word;
    if (absl::ConsumePrefix(&name, "--tz=")) {
      const auto zone = FindTimeZone(std::string(name));
      return zone.ok() ? std::optional(*zone) : std::nullopt;
    }
    if (name == "--tz" && std::next(word) != end) {
      const auto zone = FindTimeZone(*std::next(word));
      return zone.ok() ? std::optional(*zone) : std::nullopt;
    }
  }
  return std::nullopt;
}

// The long names of the options of a verb or an action: each short one is as near to any letter.
void AddOptionNames(const CLI::App& app, std::vector<std::string>& names) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // For programs.
    for (const std::string& name : option->get_lnames()) names.push_back(absl::StrCat("--", name));
  }
}

// Returns the message for a word that the verb does not know: of an option, with the nearest.
std::string UnexpectedWord(const CLI::App& verb, const CLI::ParseError& error) {
  std::vector<std::string> names;
  AddOptionNames(verb, names);
  for (const CLI::App* action : verb.get_subcommands()) AddOptionNames(*action, names);
  for (const std::string& word : verb.remaining(/*recurse=*/true)) {
    if (word.size() < 2 || word.front() != '-') continue;
    return NoSuchWord("option", word.substr(0, word.find('=')), names);
  }
  return MessageOf(error);
}

// Whether the command line has --json, also where it cannot be parsed.
bool WantsJson(const std::vector<std::string>& words) {
  const auto end = std::ranges::find(words, "--");
  return std::find(words.begin(), end, "--json") != end;
}

}  // namespace

std::vector<std::unique_ptr<Verb>> MakeVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  using Make = std::unique_ptr<Verb> (*)();
  for (const Make make : std::initializer_list<Make>{
           MakeDemoVerb,         MakeRecordVerb,       MakeInfoVerb,   MakeStatsVerb,
           MakeCatVerb,          MakeReplayVerb,       MakeVerifyVerb, MakeInspectVerb,
           MakeSealVerb,         MakeRepairVerb,       MakeRepackVerb, MakeArchiveVerb,
           MakePruneVerb,        MakeSnapshotVerb,     MakeHoldVerb,   MakeDoctorVerb,
           MakeBacktestVerb,     MakeDiffVerb,         MakeBisectVerb, MakeMinimizeVerb,
           MakeRetimeVerb,       MakeGoldenVerb,       MakeBundleVerb, MakeSchemaVerb,
           MakeExportVerb,       MakeCutVerb,          MakeSplitVerb,  MakeMergeVerb,
           MakeFuzzVerb,         MakeShellVerb,        MakeServeVerb,  MakeAdminVerb,
           MakeTradeVerb,        MakeCancelOrdersVerb, MakeFeedVerb,   MakeFeedLoadVerb,
           MakeEngineServerVerb, MakeCompletionsVerb,  MakeManVerb,    MakeHelpVerb}) {
    verbs.push_back(make());
  }
  return verbs;
}

ExitCode RunCommandLine(const std::vector<std::string>& all_words, Console& console) {
  CLI::App app(kDescription, "ticktape");
  app.formatter(std::make_shared<Formatter>());
  app.get_formatter()->column_width(30);
  app.footer(absl::StrCat(kFooter, ExitCodes()));
  app.require_subcommand(1);
  const std::vector<std::string> words = WithoutMachine(all_words);
  app.set_version_flag("--version", BuildId(), "Print the version and the build");
  std::vector<Declared> verbs;
  for (std::unique_ptr<Verb>& verb : MakeVerbs()) verbs.push_back({.verb = std::move(verb)});
  const std::optional<absl::TimeZone> zone = ZoneIn(words);
  std::optional<std::string> machine;
  Options program_options(app);
  program_options.Add("--machine", machine, kMachineHelp).Type("PROGRAM");
  for (Declared& declared : verbs) Declare(app, zone, declared, machine);

  if (all_words.empty()) {
    console.Error(ConsoleText::Lines(app.help()));
    return ExitCode::kUsage;
  }
  console.set_json(WantsJson(words));
  std::vector<std::string> names;
  for (const Declared& declared : verbs) names.emplace_back(declared.verb->name());
  // CLI11's message only says that a verb is required.
  if (!words.empty() && std::ranges::count(names, words.front()) == 0 &&
      !absl::StartsWith(words.front(), "-")) {
    return RefuseUsage("", NoSuchWord("verb", words.front(), names), console);
  }
  try {
    // CLI11 takes arguments in reverse order.
    std::vector<std::string> reversed(all_words.rbegin(), all_words.rend());
    app.parse(reversed);
  } catch (const CLI::CallForVersion&) {
    console.PrintLine(BuildId());
    return ExitCode::kOk;
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    console.Print(ConsoleText::Lines(chosen.empty() ? app.help() : chosen.front()->help()));
    return ExitCode::kOk;
  } catch (const CLI::ParseError& error) {
    const auto chosen = app.get_subcommands();
    if (chosen.empty()) return RefuseUsage("", MessageOf(error), console);
    const CLI::App& verb = *chosen.front();
    const bool lacks_action = verb.get_subcommands().size() < verb.get_require_subcommand_min();
    return RefuseUsage(verb.get_name(),
                       lacks_action ? MissingAction(verb, words)
                       : error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError)
                           ? UnexpectedWord(verb, error)
                           : MessageOf(error),
                       console);
  }

  for (Declared& declared : verbs) {
    if (!declared.app->parsed()) continue;
    console.set_json(declared.json);
    console.set_quiet(declared.quiet);
    if (!declared.time_zone.empty()) {
      const absl::StatusOr<absl::TimeZone> zone = FindTimeZone(declared.time_zone);
      if (!zone.ok()) {
        return RefuseUsage(declared.verb->name(), absl::StrCat("--tz: ", zone.status().message()),
                           console);
      }
      console.set_time_zone(*zone);
    }
    if (machine.has_value()) {
      if (std::ranges::count(kMachineVerbs, declared.verb->name()) == 0) {
        return RefuseUsage(
            declared.verb->name(),
            absl::StrCat("it takes no --machine, as ", absl::StrJoin(kMachineVerbs, ", "), " do"),
            console);
      }
      const absl::Status status = RunByMachineProgram(*machine, words, JournalsOf(*declared.app));
      return PrintError(declared.verb->name(), status.message(), ExitCodeOf(status.code()),
                        console);
    }
    const absl::StatusOr<ExitCode> code = declared.verb->Run(console);
    if (code.ok()) return *code;
    return PrintError(declared.verb->name(), code.status().message(),
                      ExitCodeOf(code.status().code()), console);
  }
  return ExitCode::kUsage;
}

}  // namespace tools
