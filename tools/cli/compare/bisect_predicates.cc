#include "tools/cli/compare/bisect_predicates.h"

#include <array>
#include <filesystem>
#include <set>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/book/resting_order.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/text.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "replay/command_row.h"
#include "replay/event_condition.h"
#include "replay/failure_test.h"
#include "replay/lock_step.h"
#include "replay/log_source.h"
#include "replay/subject.h"
#include "tools/cli/compare/exec_bisection.h"
#include "tools/cli/compare/subject_option.h"
#include "tools/cli/compare/write_log.h"
#include "tools/cli/read/market_follower.h"
#include "tools/os/child_process.h"
#include "tools/os/temporary_directory.h"

namespace tools {
namespace {

using engine::RestingOrder;
using engine::SequenceNumber;

void FollowBatch(const journal::Batch& batch, MarketFollower& markets) {
  const SequenceNumber first = batch.rows.front().sequence;
  for (const journal::AttachmentView& attachment : batch.attachments) {
    markets.Follow(
        {.row = &batch.rows[attachment.sequence - first], .attachment = attachment.bytes});
  }
}

// Empty where the book is as it must be.
std::string WrongWith(const std::string& invariant, const std::vector<RestingOrder>& bids,
                      const std::vector<RestingOrder>& asks) {
  if (invariant == "E2") {
    if (bids.empty() || asks.empty() || bids.front().price < asks.front().price) return "";
    return absl::StrCat("crossed: bid ", bids.front().id.value(), " at #",
                        bids.front().price.units(), ", ask ", asks.front().id.value(), " at #",
                        asks.front().price.units());
  }
  for (const auto* orders : {&bids, &asks}) {
    for (size_t i = 1; i < orders->size(); ++i) {
      const RestingOrder& before = (*orders)[i - 1];
      const RestingOrder& order = (*orders)[i];
      if (before.price != order.price || before.priority < order.priority) continue;
      return absl::StrCat("order ", before.id.value(), " stands before order ", order.id.value(),
                          ", which has the earlier priority");
    }
  }
  return "";
}

absl::StatusOr<std::string> WrongIn(replay::Subject& subject, engine::MarketId market,
                                    const std::string& invariant) {
  ASSIGN_OR_RETURN(const auto bids, subject.Orders(market, engine::Side::kBid));
  ASSIGN_OR_RETURN(const auto asks, subject.Orders(market, engine::Side::kAsk));
  return WrongWith(invariant, bids, asks);
}

}  // namespace

absl::StatusOr<std::optional<Turn>> FindEvent(journal::Reader& reader, const std::string& engine,
                                              const std::string& text, Progress& progress,
                                              std::vector<std::string>& steps) {
  ASSIGN_OR_RETURN(const auto condition, replay::EventCondition::Parse(text));
  ASSIGN_OR_RETURN(const auto subject, OpenSubject(engine));
  replay::JournalSource source(reader);
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  MarketFollower markets;
  const engine::MessageText format(markets.markets());
  steps.push_back("one pass, every event held against the condition");
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    FollowBatch(run, markets);
    RETURN_IF_ERROR(replay::Put(*subject, run, {}).status());
    ASSIGN_OR_RETURN(const std::span<const engine::Event> events, subject->Events());
    for (const engine::Event& event : events) {
      if (!condition.Matches(event, markets.markets())) continue;
      return Turn{.sequence = event.sequence, .what = format.Format(event)};
    }
    progress.Show(run.rows.back().sequence.value());
  }
}

absl::StatusOr<std::optional<Turn>> FindEngineEnd(journal::Reader& reader,
                                                  const std::string& engine, bool invariants,
                                                  Progress& progress,
                                                  std::vector<std::string>& steps) {
  ASSIGN_OR_RETURN(const auto subject, OpenSubject(engine, Isolation::kOwnProcess));
  replay::JournalSource source(reader);
  steps.push_back(absl::StrCat("the engine in a process of its own, 4,096 commands at a time",
                               invariants ? ", its invariants checked after each" : ""));
  ASSIGN_OR_RETURN(const std::optional<replay::End> end,
                   replay::FindEnd(source, *subject, source.last(), invariants,
                                   [&](SequenceNumber at) { progress.Show(at.value()); }));
  if (!end.has_value()) return std::nullopt;
  steps.push_back("it ended; again to the 4,096 before, then command by command");
  return Turn{.sequence = end->sequence, .what = end->last_words};
}

absl::StatusOr<std::optional<Turn>> FindBookInvariant(journal::Reader& reader,
                                                      const std::string& engine,
                                                      const std::string& invariant,
                                                      Progress& progress,
                                                      std::vector<std::string>& steps) {
  ASSIGN_OR_RETURN(const auto subject, OpenSubject(engine));
  replay::JournalSource source(reader);
  RETURN_IF_ERROR(source.Seek(SequenceNumber::First()));
  steps.push_back("one pass, the book of each command's market looked at after it");
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch run, source.NextRun());
    if (run.empty()) return std::nullopt;
    for (size_t i = 0; i < run.rows.size(); ++i) {
      RETURN_IF_ERROR(replay::Put(*subject, replay::PartOf(run, i, 1), {}).status());
      const engine::Command command = replay::ToCommand(run.rows[i]);
      ASSIGN_OR_RETURN(const std::string wrong, WrongIn(*subject, command.market, invariant));
      if (!wrong.empty()) return Turn{.sequence = command.sequence, .what = wrong};
    }
    progress.Show(run.rows.back().sequence.value());
  }
}

absl::StatusOr<std::optional<Turn>> FindExec(journal::Reader& reader, const std::string& program,
                                             const std::string& memory, bool exhaustive,
                                             std::vector<std::string>& steps) {
  replay::JournalSource source(reader);
  ASSIGN_OR_RETURN(const replay::Log log, replay::LoadLog(source, source.last()));
  ASSIGN_OR_RETURN(const auto folder, TemporaryDirectory::Make());
  const std::string path = folder->path() + "/prefix.tape";
  const auto attempt = [&](uint64_t count) -> absl::StatusOr<ExecBisection::Answer> {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    const replay::Log prefix(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(count));
    RETURN_IF_ERROR(WriteLog(path, prefix, "ticktape bisect", nullptr));
    ASSIGN_OR_RETURN(const auto child,
                     ChildProcess::Start({"sh", "-c", program + " \"$1\"", "sh", path}));
    std::array<std::byte, 4096> ignored;
    for (auto got = child->Read(ignored); got.ok() && *got > 0; got = child->Read(ignored)) {
    }
    const int code = child->Wait();
    if (code == 125) return ExecBisection::Answer::kCannotSay;
    return code == 0 ? ExecBisection::Answer::kGood : ExecBisection::Answer::kBad;
  };
  ExecBisection bisection(attempt, memory);
  const auto found = bisection.FirstBad(log.size(), exhaustive);
  for (const ExecBisection::Step& step : bisection.steps()) {
    const bool bad = step.answer == ExecBisection::Answer::kBad;
    steps.push_back(absl::StrCat("the first ", step.count, ": ", bad ? "bad" : "good",
                                 step.remembered ? " (remembered)" : ""));
  }
  RETURN_IF_ERROR(found.status());
  if (!found->has_value()) return std::nullopt;
  return Turn{.sequence = SequenceNumber(**found), .what = absl::StrCat(program, " says bad")};
}

}  // namespace tools
