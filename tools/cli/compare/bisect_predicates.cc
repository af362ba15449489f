#include "tools/cli/compare/bisect_predicates.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/text.h"
#include "journal/storage/posix_storage.h"
#include "replay/compare/write_log.h"
#include "replay/event_outputs.h"
#include "replay/exchange_vocabulary.h"
#include "replay/log_source.h"
#include "replay/output.h"
#include "replay/vocabulary.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/compare/exec_bisection.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using replay::SearchProgress;
using replay::Turn;

// ---- Searching a log

absl::StatusOr<std::optional<Turn>> FindEvent(replay::LogSource& source, replay::Subject& subject,
                                              engine::Filter condition,
                                              const SearchProgress& progress) {
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  engine::MarketDirectory markets;
  const engine::MessageText format(markets);
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    replay::FollowMarkets(run, markets);
    RETURN_IF_ERROR(replay::Put(subject, run, {}).status());
    ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, subject.Outputs());
    for (const engine::Event& event : replay::AsEvents(outputs)) {
      if (!condition.Matches(event, markets)) continue;
      return Turn{.sequence = event.sequence, .what = format.Format(event)};
    }
    if (progress) progress(run.rows.back().sequence);
  }
}

bool Matches(const Predicate& predicate, const replay::Output& output,
             const replay::Vocabulary& vocabulary) {
  if (vocabulary.OutputKindName(output.kind) != predicate.argument) return false;
  const std::vector<replay::NamedValue> fields = vocabulary.Fields(output);
  return std::ranges::all_of(predicate.fields, [&](const auto& wanted) {
    return std::ranges::any_of(fields, [&](const replay::NamedValue& field) {
      return field.name == wanted.first && field.value == wanted.second;
    });
  });
}

absl::StatusOr<std::optional<Turn>> FindOutput(replay::LogSource& source, replay::Subject& subject,
                                               const Predicate& predicate,
                                               replay::Vocabulary& vocabulary,
                                               const SearchProgress& progress) {
  RETURN_IF_ERROR(subject.Reset());
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    RETURN_IF_ERROR(replay::Put(subject, run, {}).status());
    ASSIGN_OR_RETURN(const std::span<const replay::Output> outputs, subject.Outputs());
    for (const replay::Output& output : outputs) {
      if (!Matches(predicate, output, vocabulary)) continue;
      return Turn{.sequence = output.sequence, .what = vocabulary.Text(output)};
    }
    if (progress) progress(run.rows.back().sequence);
  }
}

// Of every predicate but exec. Resets `subject` first.
absl::StatusOr<std::optional<Turn>> FindIn(const Predicate& predicate, replay::LogSource& source,
                                           replay::Subject& subject, replay::Vocabulary& vocabulary,
                                           const SearchProgress& progress) {
  if (predicate.kind == Predicate::Kind::kEvent) {
    return FindEvent(source, subject, predicate.condition, progress);
  }
  if (predicate.kind == Predicate::Kind::kOutput) {
    return FindOutput(source, subject, predicate, vocabulary, progress);
  }
  if (predicate.kind == Predicate::Kind::kBook) {
    return replay::FindWrongBook(source, subject, predicate.argument, progress);
  }
  const bool invariants = predicate.kind == Predicate::Kind::kInvariants;
  return replay::FindEnd(source, subject, invariants, progress);
}

// ---- The user's program

// Gives the program a journal of this log, and returns whether that is bad. `command` is run by the
// shell, with the journal's path as its last argument. Errors: CANCELLED if it cannot say.
absl::StatusOr<bool> IsBad(const std::string& command, const TemporaryDirectory& folder,
                           const replay::Log& log) {
  const std::string path = folder.path() + "/log.tape";
  std::error_code error;
  std::filesystem::remove_all(path, error);
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kCreate));
  RETURN_IF_ERROR(replay::WriteLog(*directory, log, ExchangeMetadata("ticktape"), nullptr));
  ASSIGN_OR_RETURN(const auto child,
                   ChildProcess::Start({"sh", "-c", command + " \"$1\"", "sh", path}));
  const int code = WaitSilently(*child);
  if (code == 125) {
    return absl::CancelledError(absl::StrCat("the program cannot say (exit code 125) of the first ",
                                             log.size(), " commands"));
  }
  if (code == 126 || code == 127) {  // The shell's own codes: a mistyped command is not a bad log.
    return absl::InvalidArgumentError(
        absl::StrCat("exec: the shell cannot run '", command, "' (exit code ", code, ")"));
  }
  return code != 0;
}

absl::StatusOr<std::optional<Turn>> FindExec(journal::Reader& reader, const std::string& command,
                                             const TurnOptions& options,
                                             std::vector<std::string>& steps) {
  replay::JournalSource source(reader);
  ASSIGN_OR_RETURN(const replay::Log log, replay::LoadLog(source, source.last()));
  ASSIGN_OR_RETURN(const auto folder, TemporaryDirectory::Make());
  const auto attempt = [&](uint64_t count) {
    return IsBad(command, *folder, {log.begin(), log.begin() + static_cast<std::ptrdiff_t>(count)});
  };
  ExecBisection bisection(attempt, options.memory);
  ASSIGN_OR_RETURN(const std::optional<uint64_t> found,
                   bisection.FirstBad(log.size(), options.exhaustive));
  for (const ExecBisection::Step& step : bisection.steps()) {
    steps.push_back(absl::StrCat("the first ", step.count, ": ", step.is_bad ? "bad" : "good",
                                 step.remembered ? " (remembered)" : ""));
  }
  if (!found.has_value()) return std::nullopt;
  return Turn{.sequence = SequenceNumber(*found), .what = absl::StrCat(command, " says bad")};
}

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
    Predicate predicate = make(Kind::kEvent, rest);
    ASSIGN_OR_RETURN(predicate.condition,
                     engine::Filter::Parse(rest, engine::Messages::kEvents, "event"));
    return predicate;
  }
  if (absl::ConsumePrefix(&rest, "output ")) {
    const std::vector<std::string> words = absl::StrSplit(rest, ' ', absl::SkipEmpty());
    Predicate predicate = make(Kind::kOutput, words.empty() ? "" : words[0]);
    for (size_t i = 1; i < words.size(); ++i) {
      predicate.fields.push_back(absl::StrSplit(words[i], absl::MaxSplits('=', 1)));
    }
    return predicate;
  }
  if (absl::ConsumePrefix(&rest, "exec ")) return make(Kind::kExec, rest);
  return absl::InvalidArgumentError(absl::StrCat(
      "'", text, "' is not a predicate; expected diverge, crash, invariant, invariant:E2, ",
      "invariant:E3, 'event CONDITION', 'output KIND FIELD=VALUE' or 'exec PROGRAM'"));
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
    case Predicate::Kind::kOutput:
      return absl::StrCat("no such ", predicate.text);
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
  ASSIGN_OR_RETURN(const replay::Application* const application, ApplicationOf(reader.info()));
  ASSIGN_OR_RETURN(
      const auto subject,
      OpenSubject(engine, predicate.may_end() ? Isolation::kOwnProcess : Isolation::kNone,
                  *application));
  if (predicate.kind == Predicate::Kind::kEvent || predicate.kind == Predicate::Kind::kOutput) {
    steps.push_back("one pass, every event held against the condition");
  } else if (predicate.kind == Predicate::Kind::kBook) {
    steps.push_back("one pass, the book of each command's market looked at after it");
  } else {
    const bool invariants = predicate.kind == Predicate::Kind::kInvariants;
    steps.push_back(absl::StrCat("the engine in a process of its own, 4,096 commands at a time",
                                 invariants ? ", its invariants checked after each" : ""));
  }
  replay::JournalSource journal(reader);
  replay::TimedSource source(journal, options.out_of_time);
  ASSIGN_OR_RETURN(const std::optional<Turn> turn,
                   FindIn(predicate, source, *subject, *application->make_vocabulary(),
                          [&](SequenceNumber at) { progress.Show(at.value()); }));
  if (turn.has_value() && predicate.may_end()) {
    steps.push_back("it ended; again to the 4,096 before, then command by command");
  }
  return turn;
}

absl::StatusOr<replay::FailureTest> MakeTurnTest(const Predicate& predicate,
                                                 replay::Subject& subject, replay::Subject& healthy,
                                                 const replay::Application& application,
                                                 const Turn& original) {
  if (predicate.may_end()) {
    return replay::EndTest(subject, healthy, original,
                           predicate.kind == Predicate::Kind::kInvariants);
  }
  using Place = std::optional<SequenceNumber>;
  replay::FailureTest test = {.failure_class = predicate.text,
                              .fails_at = original.sequence,
                              .healthy = healthy,
                              .find = nullptr};
  if (predicate.kind == Predicate::Kind::kExec) {
    // The program judges whole logs, so the failure is at the last command.
    ASSIGN_OR_RETURN(std::shared_ptr<const TemporaryDirectory> folder, TemporaryDirectory::Make());
    test.find = [folder,
                 command = predicate.argument](replay::LogSource& source) -> absl::StatusOr<Place> {
      ASSIGN_OR_RETURN(const replay::Log log, replay::LoadLog(source, source.last()));
      if (log.empty()) return std::nullopt;
      const absl::StatusOr<bool> is_bad = IsBad(command, *folder, log);
      if (absl::IsCancelled(is_bad.status())) return std::nullopt;
      RETURN_IF_ERROR(is_bad.status());
      return *is_bad ? Place(source.last()) : std::nullopt;
    };
  } else {
    test.find = [predicate, &subject,
                 &application](replay::LogSource& source) -> absl::StatusOr<Place> {
      const absl::StatusOr<std::optional<Turn>> turn =
          FindIn(predicate, source, subject, *application.make_vocabulary(), nullptr);
      if (absl::IsAborted(turn.status())) return std::nullopt;  // A crash is a different failure.
      RETURN_IF_ERROR(turn.status());
      return turn->has_value() ? Place((*turn)->sequence) : std::nullopt;
    };
  }
  return test;
}

int WaitSilently(ChildProcess& child) {
  std::array<std::byte, 4096> ignored;
  for (auto got = child.Read(ignored); got.ok() && *got > 0; got = child.Read(ignored)) {
  }
  return child.Wait();
}

}  // namespace tools
