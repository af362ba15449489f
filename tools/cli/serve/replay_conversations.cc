#include "tools/cli/serve/replay_conversations.h"

#include <algorithm>
#include <bit>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/conversation.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "journal/record.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/report.h"
#include "tools/cli/record/book_text.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/record/resting_orders.h"
#include "tools/cli/serve/conversation_journal.h"
#include "tools/cli/serve/venue_file.h"
#include "tools/os/clocks.h"
#include "tools/serve/conversation_replay.h"
#include "tools/serve/venue_config.h"

namespace tools {
namespace {

// The state before a conversation goes to the replay.
class History final : public Recording::HistoryListener {
 public:
  History(ConversationReplay& conversation, Console& console)
      : conversation_(conversation), console_(console) {}

  absl::Status OnRestored(const Restored& restored) override {
    conversation_.Restore(std::move(restored.memory),
                          replay::ExchangeOf(restored.machine).markets());
    return RepeatRestingOrders(
               restored, console_, [](engine::AccountId) { return true; },
               [&](const engine::Command& command, std::span<const engine::Event> events) {
                 conversation_.OnRestingOrder(command, events);
               })
        .status();
  }
  void OnHistory(const journal::Record& record, std::span<const engine::Event> events) override {
    conversation_.OnHistory(record, events);
  }

 private:
  ConversationReplay& conversation_;
  Console& console_;
};

// The accounts that log in: their orders must be known from before.
absl::StatusOr<std::vector<engine::AccountId>> AccountsOf(const std::string& path) {
  ASSIGN_OR_RETURN(const OpenedJournal talk, OpenJournal(path));
  std::vector<engine::AccountId> accounts;
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<journal::Record> record, talk.reader->Next());
    if (!record.has_value()) return accounts;
    const auto row = std::bit_cast<engine::TalkRow>(*record->row);
    const bool is_login =
        row.kind == engine::TalkKind::kLogin && (row.detail & engine::kLoginAccepted) != 0;
    if (is_login && std::ranges::count(accounts, row.account) == 0) {
      accounts.push_back(row.account);
    }
  }
}

absl::StatusOr<TalkReport> ReplayOne(const std::string& path, const std::string& journal,
                                     Console& console) {
  ASSIGN_OR_RETURN(const OpenedJournal talk, OpenJournal(path));
  ASSIGN_OR_RETURN(const OpenedJournal commands, OpenJournal(journal));
  Recording::State state;
  ConversationReplay conversation(
      *talk.reader, *commands.reader,
      [&](const engine::MarketDefinition* market, const engine::MarketDirectory& markets,
          std::string& out) { AppendBooks(*state.machine, markets, market, out); });
  ASSIGN_OR_RETURN(const engine::SequenceNumber start, conversation.ReadStart());
  std::optional<VenueConfig> config;
  if (!conversation.configuration().empty()) {
    ASSIGN_OR_RETURN(config,
                     ParseVenueFile(conversation.configuration(), path + ": the venue file"));
    conversation.ServeKalshi(*config);
  }
  ASSIGN_OR_RETURN(const std::vector<engine::AccountId> accounts, AccountsOf(path));
  for (const engine::AccountId account : accounts) conversation.AddAccount(account);
  History history(conversation, console);
  Recording::Options options;
  options.is_venue = true;
  options.needs_whole_history = config.has_value();
  RETURN_IF_ERROR(Recording::Restore(options, *commands.reader, *commands.directory, start, history,
                                     console, state));
  return conversation.Run(*state.driver);
}

void Add(const TalkReport& talk, const std::string& path, double seconds, Report& report) {
  report.BeginElement();
  report.Field("path", path);
  report.Field("rows", talk.rows);
  report.Field("sessions", talk.sessions);
  report.Field("requests", talk.requests);
  report.Field("replies", talk.replies);
  report.Field("commands", talk.commands);
  report.Field("ended", talk.has_ended);
  report.Field("equal", !talk.difference.has_value());
  report.Field("seconds", seconds);
  report.Line(talk.difference.has_value() ? Styled(Style::kRed, "DIFFERENT")
                                          : Styled(Style::kGreen, "EQUAL"),
              "  ", path);
  report.Row("replayed", Counted(talk.sessions, "session"), ", ", Counted(talk.requests, "read"),
             ", ", Counted(talk.commands, "command"), ", in ", HumanSeconds(seconds));
  report.Row("compared", Counted(talk.replies, "write"), ", every byte");
  if (!talk.early_end.empty()) {
    report.Field("early_end", talk.early_end);
    report.Row("not compared", "the rest: ", talk.early_end);
  } else if (!talk.has_ended && !talk.difference.has_value()) {
    report.Row("end", "the venue did not end in order");
  }
  if (talk.difference.has_value()) {
    const TalkDifference& difference = *talk.difference;
    const bool is_kalshi = difference.gateway == engine::TalkGateway::kKalshi;
    const std::string session = absl::StrCat(is_kalshi ? "kalshi " : "", difference.session.place,
                                             ".", difference.session.generation);
    report.Field("row", difference.row);
    report.Field("applied", difference.applied);
    report.Field("session", session);
    report.Field("request", difference.request);
    report.Field("expected", difference.expected);
    report.Field("actual", difference.actual);
    report.Row("at", "row @", difference.row, " of the conversation, after command @",
               difference.applied, ", session ", session);
    report.Row("request", difference.request);
    report.Row("expected", difference.expected);
    report.Row("actual", difference.actual);
  }
  report.EndElement();
}

}  // namespace

absl::StatusOr<ExitCode> ReplayConversations(const std::string& venue, const std::string& journal,
                                             Console& console) {
  ASSIGN_OR_RETURN(const std::vector<std::string> paths, ListConversations(venue));
  if (paths.empty()) {
    return absl::NotFoundError(absl::StrCat(venue, " has no conversation: 'ticktape serve ", venue,
                                            " --record-conversation hashes'"));
  }
  Report report("ticktape.serve_replay/1");
  report.Field("venue", venue);
  report.BeginArray("conversations");
  ExitCode code = ExitCode::kOk;
  for (const std::string& path : paths) {
    const Stopwatch stopwatch;
    const absl::StatusOr<TalkReport> replayed = ReplayOne(path, journal, console);
    if (absl::IsNotFound(replayed.status())) {
      console.Note("note: ", path, " holds nothing: the venue was killed before it wrote any");
      continue;
    }
    if (absl::IsFailedPrecondition(replayed.status())) {
      console.Note("note: ", path, " is not replayed: ", replayed.status().message());
      continue;
    }
    RETURN_IF_ERROR(replayed.status());
    const TalkReport& talk = *replayed;
    if (talk.difference.has_value()) code = ExitCode::kDifferent;
    Add(talk, path, stopwatch.Seconds(), report);
  }
  report.EndArray();
  report.PrintTo(console);
  return code;
}

}  // namespace tools
