// ticktape admin: an operator's commands to a venue that serves.

#include <array>
#include <span>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/views/login_setting.h"
#include "tools/cli/base/verb_includes.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/os/local_client.h"
#include "tools/os/private_file.h"

namespace tools {
namespace {

constexpr char kExamples[] =
    R"(  ticktape admin exchange suspend 7         account 7: cancel its orders, refuse new ones
  ticktape admin exchange resume 7
  ticktape admin exchange cancel-all 7      the orders of account 7; without it, of all accounts
  ticktape admin exchange position-limit 7 ACME 500    account 7 may hold 500 there; 0 is no limit
  ticktape admin exchange cancel-on-disconnect desk-1 on    or off: for sessions that log in later
  ticktape admin exchange pause ACME        the market; without it, the whole exchange
  ticktape admin exchange open ACME         it trades again; close ACME ends it
  ticktape admin exchange halt              the whole exchange; only notes pass
  ticktape admin exchange resume-trading    after a pause or halt of the exchange
  ticktape admin exchange send 'set_risk_limits account=7 open_orders_max=100'

DIR is that of 'ticktape serve DIR'. 'send' takes any command in the form that 'ticktape cat'
prints; testdata/transcripts/README.md lists them. Each is recorded in the journal like all others.
The answer is the command's events, the first hundred of them, then DONE or REFUSED.
Exit codes: 0 done, 1 refused by the exchange, 2 not a command, 6 no venue serves DIR.)";

constexpr int kAnswerSeconds = 10;
constexpr size_t kTokenBytesMax = 1'000;

// A word of the command line, and what it stands for.
struct Shorthand {
  absl::string_view word;
  absl::string_view command;                     // With its arguments, if it has any.
  std::array<absl::string_view, 3> fields = {};  // Of the arguments; empty after the last.
  absl::string_view without_arguments = {};      // The command without; empty if it needs them.

  size_t argument_count() const {
    return fields.size() - static_cast<size_t>(std::ranges::count(fields, ""));
  }
};

constexpr std::array kShorthands = {
    Shorthand{.word = "suspend", .command = "suspend_account", .fields = {"account"}},
    Shorthand{.word = "resume", .command = "resume_account", .fields = {"account"}},
    Shorthand{.word = "cancel-all",
              .command = "mass_cancel",
              .fields = {"account"},
              .without_arguments = "mass_cancel"},
    Shorthand{.word = "position-limit",
              .command = "set_position_limit",
              .fields = {"account", "market", "quantity"}},
    Shorthand{.word = "pause",
              .command = "pause_market",
              .fields = {"market"},
              .without_arguments = "pause_exchange"},
    Shorthand{.word = "open", .command = "open_market", .fields = {"market"}},
    Shorthand{.word = "close", .command = "close_market", .fields = {"market"}},
    Shorthand{.word = "halt", .command = {}, .fields = {}, .without_arguments = "halt_exchange"},
    Shorthand{.word = "resume-trading",
              .command = {},
              .fields = {},
              .without_arguments = "resume_exchange"},
};

absl::string_view ArgumentOf(absl::string_view field) {
  if (field == "account") return "ACCOUNT";
  return field == "market" ? "SYMBOL" : "QUANTITY";
}

std::string UsageOf(const Shorthand& shorthand) {
  std::string usage(shorthand.word);
  for (size_t i = 0; i < shorthand.argument_count(); ++i) {
    const absl::string_view argument = ArgumentOf(shorthand.fields[i]);
    if (shorthand.without_arguments.empty()) {
      absl::StrAppend(&usage, " ", argument);
    } else {
      absl::StrAppend(&usage, " [", argument, "]");
    }
  }
  return usage;
}

absl::Status Expected(absl::string_view expected, std::span<const std::string> words) {
  return absl::InvalidArgumentError(
      absl::StrCat("expected ", expected, ", found '", absl::StrJoin(words, " "), "'"));
}

constexpr absl::string_view kCancelOnDisconnect = "cancel-on-disconnect";
constexpr absl::string_view kCancelOnDisconnectUsage = "cancel-on-disconnect LOGIN on|off";

// The note that sets it. Errors: INVALID_ARGUMENT; those of ReadVenueFile().
absl::StatusOr<std::string> CancelOnDisconnect(std::span<const std::string> words,
                                               absl::string_view folder) {
  if (words.size() != 3 || (words[2] != "on" && words[2] != "off")) {
    return Expected(kCancelOnDisconnectUsage, words);
  }
  ASSIGN_OR_RETURN(const VenueConfig venue, ReadVenueFile(VenueFileOf(folder)));
  if (std::ranges::count(venue.logins, words[1], &LoginConfig::name) == 0) {
    return Expected(absl::StrCat("a login of ", VenueFileOf(folder)), words.subspan(1, 1));
  }
  const engine::Note note = engine::NoteOf({.login = words[1], .cancels_at_end = words[2] == "on"});
  return absl::StrCat("note namespace=", note.name_space, " version=", note.version,
                      " bytes=", engine::ToHex(note.bytes));
}

// The command of the words after the folder. Errors: INVALID_ARGUMENT; those of ReadVenueFile().
absl::StatusOr<std::string> CommandOf(std::span<const std::string> words,
                                      absl::string_view folder) {
  const std::string& first = words.front();
  if (first == "send") {
    if (words.size() == 2) return words[1];
    return Expected("send 'COMMAND LINE', one word", words);
  }
  if (first == kCancelOnDisconnect) return CancelOnDisconnect(words, folder);
  const auto found = std::ranges::find(kShorthands, absl::string_view(first), &Shorthand::word);
  if (found == kShorthands.end()) {
    return Expected(absl::StrCat(absl::StrJoin(kShorthands, ", ",
                                               [](std::string* out, const Shorthand& shorthand) {
                                                 absl::StrAppend(out, UsageOf(shorthand));
                                               }),
                                 ", ", kCancelOnDisconnectUsage, " or send 'COMMAND LINE'"),
                    words);
  }
  if (words.size() == 1 && !found->without_arguments.empty()) {
    return std::string(found->without_arguments);
  }
  const size_t count = found->argument_count();
  if (count == 0 || words.size() != 1 + count) return Expected(UsageOf(*found), words);
  std::string command(found->command);
  for (size_t i = 0; i < count; ++i) {
    absl::StrAppend(&command, " ", found->fields[i], "=", words[1 + i]);
  }
  return command;
}

constexpr absl::string_view kDone = "DONE ";
constexpr absl::string_view kRefused = "REFUSED ";
// The token is the first line, the command the second.
constexpr absl::string_view kError = "ERROR line 2: ";

// How a venue answers a command.
struct Answer {
  std::vector<std::string> events;  // The first of them.
  std::string outcome;              // The last line: DONE or REFUSED.
};

// Errors: INVALID_ARGUMENT if the venue does not understand the command; those of the client.
absl::StatusOr<Answer> Ask(LocalClient& client, absl::string_view token,
                           absl::string_view command) {
  RETURN_IF_ERROR(client.Send(absl::StrCat("TOKEN ", token, "\n")));
  ASSIGN_OR_RETURN(const std::string welcome, client.ReadLine());
  if (welcome != "OK") return absl::PermissionDeniedError(welcome);
  RETURN_IF_ERROR(client.Send(absl::StrCat(command, "\n")));
  Answer answer;
  for (;;) {
    ASSIGN_OR_RETURN(std::string line, client.ReadLine());
    if (absl::StartsWith(line, kError)) {
      return absl::InvalidArgumentError(absl::StripPrefix(line, kError));
    }
    if (absl::StartsWith(line, kDone) || absl::StartsWith(line, kRefused)) {
      answer.outcome = std::move(line);
      return answer;
    }
    answer.events.push_back(std::move(line));
  }
}

// Adds what the last line holds: DONE @7 events=2, REFUSED @7 reason, or REFUSED reason.
void AddOutcome(absl::string_view outcome, Report& report) {
  const bool is_done = absl::StartsWith(outcome, kDone);
  report.Field("outcome", is_done ? "done" : "refused");
  const std::vector<absl::string_view> words = absl::StrSplit(outcome, ' ');
  for (absl::string_view word : words) {
    uint64_t number = 0;
    if (absl::ConsumePrefix(&word, "@") && engine::ParseInteger(word, number)) {
      report.Field("sequence", number);
    } else if (absl::ConsumePrefix(&word, "events=") && engine::ParseInteger(word, number)) {
      report.Field("event_count", number);
    }
  }
  if (!is_done) report.Field("reason", words.back());
}

class AdminVerb final : public Verb {
 public:
  AdminVerb() : Verb("admin", "Suspend accounts, pause, halt: a venue's operator", kExamples) {}

  void Declare(Options& options) override {
    options.Add("folder", path_, "The venue's folder").Required().Type("DIR");
    options.Add("words", words_, "What to do, as in the examples").Required().Type("WORDS");
  }

  absl::StatusOr<ExitCode> Run(Console& console) override {
    ASSIGN_OR_RETURN(const std::string command, CommandOf(words_, path_));
    // Blank lines and comments have no answer, two lines two.
    const absl::string_view text = absl::StripLeadingAsciiWhitespace(command);
    if (text.empty() || text[0] == '#' || absl::StrContains(text, '\n')) {
      return Expected("one command", words_);
    }
    ASSIGN_OR_RETURN(const Answer answer, AskVenue(command));
    Report report("ticktape.admin/1");
    report.Field("path", path_);
    report.Field("command", command);
    AddOutcome(answer.outcome, report);
    report.Texts("events", answer.events);
    for (const std::string& event : answer.events) report.Line(event);
    report.Line(answer.outcome);
    report.PrintTo(console);
    return absl::StartsWith(answer.outcome, kDone) ? ExitCode::kOk : ExitCode::kDifferent;
  }

 private:
  absl::StatusOr<Answer> AskVenue(absl::string_view command) const {
    const absl::StatusOr<std::string> token =
        ReadPrivateFile(absl::StrCat(path_, "/admin.token"), kTokenBytesMax);
    if (absl::IsNotFound(token.status())) return NotServed();
    RETURN_IF_ERROR(token.status());
    const auto client = LocalClient::Connect(absl::StrCat(path_, "/admin.sock"), kAnswerSeconds);
    if (absl::IsNotFound(client.status())) return NotServed();
    RETURN_IF_ERROR(client.status());
    return Ask(**client, absl::StripSuffix(*token, "\n"), command);
  }
  absl::Status NotServed() const {
    return absl::NotFoundError(absl::StrCat("no venue serves ", path_, ": 'ticktape serve ",
                                            ShellWord(path_), "' starts one"));
  }

  std::string path_;
  std::vector<std::string> words_;
};

}  // namespace

std::unique_ptr<Verb> MakeAdminVerb() { return std::make_unique<AdminVerb>(); }

}  // namespace tools
