#include "tools/cli/serve/serving.h"

#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "journal/storage/posix_storage.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/format.h"
#include "tools/cli/record/resting_orders.h"
#include "tools/cli/serve/live_line.h"

namespace tools {
namespace {

constexpr int64_t kSecondNanos = 1'000'000'000;

absl::StatusOr<bool> HasJournal(const std::string& path) {
  const auto directory = journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly);
  if (absl::IsNotFound(directory.status())) return false;
  RETURN_IF_ERROR(directory.status());
  ASSIGN_OR_RETURN(const std::vector<std::string> files, (*directory)->List());
  return !files.empty();
}

}  // namespace

void Serving::AddFlows(std::vector<OpenedFlow> flows) {
  flows_ = std::move(flows);
  for (OpenedFlow& flow : flows_) server_.AddFlow(std::move(flow.options), *flow.source);
  is_flow_printed_.resize(flows_.size());
}

absl::Status Serving::Open(Recording::Options options) {
  options.bell = &network_.bell();
  options.thread_count = 2;
  options.is_venue = true;
  options.needs_whole_history = needs_whole_history_;
  ASSIGN_OR_RETURN(const bool resume, HasJournal(options.path));
  const Stopwatch stopwatch;
  if (resume) {
    ASSIGN_OR_RETURN(recording_,
                     Recording::Resume(options, clock_, server_.listener(), *this, console_));
    console_.Note("continues after @", recording_->driver().last_applied().value(),
                  ", brought back in ", HumanSeconds(stopwatch.Seconds()));
  } else {
    ASSIGN_OR_RETURN(recording_, Recording::Create(options, clock_, server_.listener()));
  }
  return absl::OkStatus();
}

absl::Status Serving::Serve(ConversationJournal* conversation, Scenario scenario) {
  LiveLine line(console_);
  Stopwatch since_written;
  const engine::SteadyTime start = steady_.Now();
  while (!interrupt_->raised()) {
    const int64_t wait =
        is_busy_ ? 0 : scenario.NanosUntilNext(steady_.Now() - start, kSecondNanos);
    RETURN_IF_ERROR(server_.Turn(steady_.Now() + wait));
    Inject(scenario, steady_.Now() - start);
    PrintFlows(/*is_end=*/false);
    line.Show(server_);
    if (conversation != nullptr && since_written.Seconds() >= 1) {
      conversation->Write();
      since_written.Restart();
    }
  }
  line.Clear();
  PrintFlows(/*is_end=*/true);
  console_.Note("ends ", Counted(server_.counts().sessions, "session"), " and seals the journal");
  return server_.Drain();
}

void Serving::Inject(Scenario& scenario, int64_t nanos) {
  while (const ScenarioStep* const step = scenario.Take(nanos, server_.counts())) {
    const absl::Status injected =
        server_.Inject(step->fault, step->parameters, FormatMoment(step->moment));
    console_.Note("scenario: ", FormatStep(*step), ", after ",
                  HumanSeconds(static_cast<double>(nanos) / kSecondNanos),
                  injected.ok() ? "" : absl::StrCat(": not done: ", injected.message()));
  }
}

void Serving::PrintFlows(bool is_end) {
  for (size_t i = 0; i < server_.flows().size(); ++i) {
    const engine::Flow& flow = *server_.flows()[i];
    if (is_flow_printed_[i] || !(is_end || flow.has_ended())) continue;
    PrintFlow(flow, console_);
    is_flow_printed_[i] = true;
  }
}

absl::Status Serving::OnRestored(const Restored& restored) {
  server_.Restore(std::move(restored.memory), replay::ExchangeOf(restored.machine).markets());
  ASSIGN_OR_RETURN(const uint64_t nameless,
                   RepeatRestingOrders(
                       restored, console_, [](engine::AccountId) { return true; },
                       [&](const engine::Command& command, std::span<const engine::Event> events) {
                         server_.OnRestingOrder(command, events);
                       }));
  if (nameless != 0) {
    console_.Note("warning: the commands of ", nameless,
                  " orders that rest are deleted: their sessions do not know their ids");
  }
  return absl::OkStatus();
}

}  // namespace tools
