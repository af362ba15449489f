#include "tools/cli/compare/bisect_predicates.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "replay/command_row.h"
#include "replay/compare/fixture_text.h"
#include "replay/compare/timed_source.h"
#include "replay/event_outputs.h"
#include "replay/exchange_vocabulary.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/compare/exec_bisection.h"
#include "tools/cli/compare/predicate_checks.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/where.h"

namespace tools {
namespace {

using engine::SequenceNumber;

void FollowBatch(const journal::Batch& batch, MarketFollower& markets) {
  const SequenceNumber first = batch.rows.front().sequence;
  for (const journal::AttachmentView& attachment : batch.attachments) {
    markets.Follow(
        {.row = &batch.rows[attachment.sequence - first], .attachment = attachment.bytes});
  }
}

absl::StatusOr<Where> ParseCondition(absl::string_view text) {
  return Where::Parse(text, Messages::kEvents, "event");
}

// ---- Finding the turn in a journal

absl::StatusOr<std::optional<Turn>> FindEvent(journal::Reader& reader, replay::Subject& subject,
                                              const std::string& text, Progress& progress) {
  ASSIGN_OR_RETURN(Where condition, ParseCondition(text));
  replay::JournalSource source(reader);
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  MarketFollower markets;
  const engine::MessageText format(markets.markets());
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    FollowBatch(run, markets);
    RETURN_IF_ERROR(replay::Put(subject, run, {}).status());
    ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, subject.Outputs());
    for (const engine::Event& event : replay::AsEvents(outputs)) {
      if (!condition.Matches(event, markets.markets())) continue;
      return Turn{.sequence = event.sequence, .what = format.Format(event)};
    }
    progress.Show(run.rows.back().sequence.value());
  }
}

absl::StatusOr<std::optional<Turn>> FindEngineEnd(journal::Reader& reader, replay::Subject& subject,
                                                  bool invariants, Progress& progress) {
  replay::JournalSource source(reader);
  ASSIGN_OR_RETURN(const std::optional<replay::End> end,
                   replay::FindEnd(source, subject, source.last(), invariants,
                                   [&](SequenceNumber at) { progress.Show(at.value()); }));
  if (!end.has_value()) return std::nullopt;
  return Turn{.sequence = end->sequence, .what = end->last_words};
}

// Finds the first command after which the book of its market violates the invariant. `progress` may
// be null.
absl::StatusOr<std::optional<Turn>> FindWrongBook(replay::LogSource& source,
                                                  replay::Subject& subject,
                                                  const std::string& invariant,
                                                  Progress* progress) {
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    for (size_t i = 0; i < run.rows.size(); ++i) {
      RETURN_IF_ERROR(replay::Put(subject, replay::PartOf(run, i, 1), {}).status());
      const engine::Command command = replay::ToCommand(run.rows[i]);
      ASSIGN_OR_RETURN(const std::string wrong, WrongWithBook(subject, command.market, invariant));
      if (!wrong.empty()) return Turn{.sequence = command.sequence, .what = wrong};
    }
    if (progress != nullptr) progress->Show(run.rows.back().sequence.value());
  }
}

absl::StatusOr<std::optional<Turn>> FindExec(journal::Reader& reader, const std::string& command,
                                             const TurnOptions& options,
                                             std::vector<std::string>& steps) {
  replay::JournalSource source(reader);
  ASSIGN_OR_RETURN(const replay::Log log, replay::LoadLog(source, source.last()));
  ASSIGN_OR_RETURN(const auto program, LogProgram::Make(command));
  const auto attempt = [&](uint64_t count) {
    return program->Judge({log.begin(), log.begin() + static_cast<std::ptrdiff_t>(count)});
  };
  ExecBisection bisection(attempt, options.memory);
  const auto found = bisection.FirstBad(log.size(), options.exhaustive);
  for (const ExecBisection::Step& step : bisection.steps()) {
    const bool bad = step.answer == ExecBisection::Answer::kBad;
    steps.push_back(absl::StrCat("the first ", step.count, ": ", bad ? "bad" : "good",
                                 step.remembered ? " (remembered)" : ""));
  }
  RETURN_IF_ERROR(found.status());
  if (!found->has_value()) return std::nullopt;
  return Turn{.sequence = SequenceNumber(**found), .what = absl::StrCat(command, " says bad")};
}

// ---- Testing a smaller log

// Returns the index of the turn; nullopt if there is none, or if the engine crashed, which is a
// different failure.
template <typename T>
absl::StatusOr<std::optional<size_t>> PlaceOf(const absl::StatusOr<std::optional<T>>& turn) {
  if (absl::IsAborted(turn.status())) return std::nullopt;
  RETURN_IF_ERROR(turn.status());
  if (!turn->has_value()) return std::nullopt;
  return (*turn)->sequence.value() - 1;
}

class TurnTest : public replay::FailureTest {
 public:
  TurnTest(const Predicate& predicate, SequenceNumber fails_at, replay::Subject& subject,
           replay::Subject& healthy)
      : predicate_(predicate), fails_at_(fails_at), subject_(subject), healthy_(healthy) {}

  const std::string& failure_class() const override { return predicate_.text; }
  SequenceNumber fails_at() const override { return fails_at_; }
  replay::Subject& healthy() override { return healthy_; }

 protected:
  const Predicate predicate_;
  const SequenceNumber fails_at_;
  replay::Subject& subject_;
  replay::Subject& healthy_;
};

class BookTest final : public TurnTest {
 public:
  using TurnTest::TurnTest;

  absl::StatusOr<std::optional<size_t>> FailsAt(const replay::Log& log) override {
    RETURN_IF_ERROR(subject_.Reset());
    replay::MemorySource memory(log);
    replay::TimedSource source(memory, out_of_time());
    return PlaceOf(FindWrongBook(source, subject_, predicate_.argument, nullptr));
  }
};

class EventTest final : public TurnTest {
 public:
  EventTest(const Predicate& predicate, SequenceNumber fails_at, Where condition,
            replay::Subject& subject, replay::Subject& healthy)
      : TurnTest(predicate, fails_at, subject, healthy), condition_(std::move(condition)) {}

  absl::StatusOr<std::optional<size_t>> FailsAt(const replay::Log& log) override {
    engine::MarketDirectory markets;
    for (const replay::LogEntry& entry : log) replay::FollowMarkets(entry.record(), markets);
    RETURN_IF_ERROR(subject_.Reset());
    replay::MemorySource memory(log);
    replay::TimedSource source(memory, out_of_time());
    RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
    while (true) {
      ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
      if (run.empty()) return std::nullopt;
      const absl::Status put = replay::Put(subject_, run, {}).status();
      if (absl::IsAborted(put)) return std::nullopt;
      RETURN_IF_ERROR(put);
      ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, subject_.Outputs());
      for (const engine::Event& event : replay::AsEvents(outputs)) {
        if (condition_.Matches(event, markets)) return event.sequence.value() - 1;
      }
    }
  }

 private:
  Where condition_;
};

// The program judges whole logs, so the failure is at the last command.
class ExecTest final : public TurnTest {
 public:
  ExecTest(const Predicate& predicate, SequenceNumber fails_at, std::unique_ptr<LogProgram> program,
           replay::Subject& subject, replay::Subject& healthy)
      : TurnTest(predicate, fails_at, subject, healthy), program_(std::move(program)) {}

  absl::StatusOr<std::optional<size_t>> FailsAt(const replay::Log& log) override {
    if (log.empty()) return std::nullopt;
    ASSIGN_OR_RETURN(const ExecBisection::Answer answer, program_->Judge(log));
    if (answer != ExecBisection::Answer::kBad) return std::nullopt;
    return log.size() - 1;
  }

 private:
  const std::unique_ptr<LogProgram> program_;
};

}  // namespace

absl::StatusOr<Predicate> ParsePredicate(absl::string_view text) {
  using Kind = Predicate::Kind;
  const auto make = [&](Kind kind, absl::string_view argument) {
    return Predicate{.kind = kind, .text = std::string(text), .argument = std::string(argument)};
  };
  absl::string_view rest = text;
  if (text == "crash") return make(Kind::kCrash, "");
  if (text == "invariant") return make(Kind::kInvariants, "");
  if (text == "invariant:E2" || text == "invariant:E3") return make(Kind::kBook, text.substr(10));
  if (absl::ConsumePrefix(&rest, "event ")) {
    RETURN_IF_ERROR(ParseCondition(rest).status());
    return make(Kind::kEvent, rest);
  }
  if (absl::ConsumePrefix(&rest, "exec ")) return make(Kind::kExec, rest);
  return absl::InvalidArgumentError(absl::StrCat(
      "'", text, "' is not a predicate; expected diverge, crash, invariant, invariant:E2, ",
      "invariant:E3, 'event CONDITION' or 'exec PROGRAM'"));
}

std::string NothingTurned(const Predicate& predicate) {
  switch (predicate.kind) {
    case Predicate::Kind::kCrash:
      return "the engine does not crash";
    case Predicate::Kind::kInvariants:
    case Predicate::Kind::kBook:
      return absl::StrCat(predicate.text, " holds throughout");
    case Predicate::Kind::kEvent:
      return absl::StrCat("no event is so: ", predicate.argument);
    case Predicate::Kind::kExec:
      break;
  }
  return absl::StrCat(predicate.argument, " says good of the whole log");
}

absl::StatusOr<std::optional<Turn>> FindTurn(const Predicate& predicate, journal::Reader& reader,
                                             const std::string& engine, const TurnOptions& options,
                                             Progress& progress, std::vector<std::string>& steps) {
  if (predicate.kind == Predicate::Kind::kExec) {
    return FindExec(reader, predicate.argument, options, steps);
  }
  ASSIGN_OR_RETURN(
      const auto subject,
      OpenSubject(engine, predicate.may_end() ? Isolation::kOwnProcess : Isolation::kNone));
  if (predicate.kind == Predicate::Kind::kEvent) {
    steps.push_back("one pass, every event held against the condition");
    return FindEvent(reader, *subject, predicate.argument, progress);
  }
  if (predicate.kind == Predicate::Kind::kBook) {
    steps.push_back("one pass, the book of each command's market looked at after it");
    replay::JournalSource source(reader);
    return FindWrongBook(source, *subject, predicate.argument, &progress);
  }
  const bool invariants = predicate.kind == Predicate::Kind::kInvariants;
  steps.push_back(absl::StrCat("the engine in a process of its own, 4,096 commands at a time",
                               invariants ? ", its invariants checked after each" : ""));
  ASSIGN_OR_RETURN(const std::optional<Turn> end,
                   FindEngineEnd(reader, *subject, invariants, progress));
  if (end.has_value()) {
    steps.push_back("it ended; again to the 4,096 before, then command by command");
  }
  return end;
}

absl::StatusOr<std::unique_ptr<replay::FailureTest>> MakeTurnTest(const Predicate& predicate,
                                                                  replay::Subject& subject,
                                                                  replay::Subject& healthy,
                                                                  const Turn& original) {
  switch (predicate.kind) {
    case Predicate::Kind::kCrash:
    case Predicate::Kind::kInvariants:
      return std::make_unique<replay::EndTest>(
          subject, healthy, replay::End{.sequence = original.sequence, .last_words = original.what},
          predicate.kind == Predicate::Kind::kInvariants);
    case Predicate::Kind::kBook:
      return std::make_unique<BookTest>(predicate, original.sequence, subject, healthy);
    case Predicate::Kind::kEvent: {
      ASSIGN_OR_RETURN(Where condition, ParseCondition(predicate.argument));
      return std::make_unique<EventTest>(predicate, original.sequence, std::move(condition),
                                         subject, healthy);
    }
    case Predicate::Kind::kExec:
      break;
  }
  ASSIGN_OR_RETURN(auto program, LogProgram::Make(predicate.argument));
  return std::make_unique<ExecTest>(predicate, original.sequence, std::move(program), subject,
                                    healthy);
}

}  // namespace tools
