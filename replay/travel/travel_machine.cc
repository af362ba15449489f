#include "replay/travel/travel_machine.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace replay {
namespace {

using engine::SequenceNumber;

// Loading a state costs as much as applying about this many records; for a shorter way forward, the
// current machine continues.
constexpr uint64_t kWorthLoading = 65'536;

}  // namespace

TravelMachine::TravelMachine(journal::Reader& reader, TravelOptions options)
    : reader_(reader), options_(std::move(options)), waypoints_(options_.waypoints) {}

absl::Status TravelMachine::GoTo(SequenceNumber target) {
  return GoTo(target, target, [](const auto&, bool, auto) { return true; });
}

absl::Status TravelMachine::GoTo(SequenceNumber target, SequenceNumber seen_from, Seen seen) {
  if (target < oldest() || target > last()) {
    return absl::OutOfRangeError(absl::StrCat("@", target.value(), " is outside: from @",
                                              oldest().value(), " to @", last().value(),
                                              " the state is known"));
  }
  if (machine_ != nullptr && target == position_ && seen_from >= target) return absl::OkStatus();
  if (target == oldest()) return Restore(target);
  RETURN_IF_ERROR(Restore(std::max(oldest(), std::min(seen_from, target - 1))));
  return Run(target, seen);
}

absl::Status TravelMachine::Restore(SequenceNumber at_most) {
  const SequenceNumber waypoint = waypoints_.NewestAtOrBefore(at_most);
  SequenceNumber stored = oldest();
  for (const SequenceNumber snapshot : options_.snapshots) {
    if (snapshot <= at_most) stored = std::max(stored, snapshot);
  }
  const SequenceNumber best = std::max(waypoint, stored);
  if (machine_ != nullptr && position_ <= at_most &&
      (position_ >= best || best - position_ <= kWorthLoading)) {
    return absl::OkStatus();
  }
  if (waypoint >= stored && waypoint != SequenceNumber()) return LoadWaypoint(waypoint);
  RETURN_IF_ERROR(LoadStart(at_most));
  // If the snapshot turned out to be unusable, a waypoint may be newer than the start that was
  // found.
  return position_ < waypoint ? LoadWaypoint(waypoint) : absl::OkStatus();
}

absl::Status TravelMachine::LoadWaypoint(SequenceNumber at) {
  auto machine = options_.make_machine();
  std::vector<PastTrade> trades;
  RETURN_IF_ERROR(waypoints_.Load(at, *machine, trades));
  Arrive(at, std::move(machine));
  trades_.assign(trades.begin(), trades.end());
  return absl::OkStatus();
}

absl::Status TravelMachine::LoadStart(SequenceNumber at_most) {
  ASSIGN_OR_RETURN(StartingPoint start, options_.find_start(at_most));
  std::move(start.warnings.begin(), start.warnings.end(), std::back_inserter(warnings_));
  // Skipped snapshots are not tried again.
  std::erase_if(options_.snapshots, [&](SequenceNumber snapshot) {
    return snapshot > start.last_applied() && snapshot <= at_most;
  });
  const SequenceNumber at = start.last_applied();
  Arrive(at, std::move(start.machine));
  // Loading again from memory is faster.
  return at == SequenceNumber() ? absl::OkStatus() : TakeWaypoint(at);
}

void TravelMachine::Arrive(SequenceNumber at, std::unique_ptr<Machine> machine) {
  machine_ = std::move(machine);
  driver_.emplace(*machine_, at);
  position_ = at;
  last_events_ = {};
  command_ = engine::Command();
  attachment_.clear();
  events_at_position_.clear();
  trades_.clear();
}

absl::Status TravelMachine::Run(SequenceNumber last, Seen seen) {
  if (position_ >= last) return absl::OkStatus();
  if (reader_next_ != position_.Next()) {
    reader_next_ = SequenceNumber();
    RETURN_IF_ERROR(reader_.SeekToSequence(position_.Next()));
    reader_next_ = position_.Next();
  }
  while (position_ < last) {
    const auto record = reader_.Next();
    if (!record.ok() || !record->has_value()) {
      reader_next_ = SequenceNumber();
      if (command_.sequence == position_) {
        attachment_.clear();
        events_at_position_.assign(last_events_.begin(), last_events_.end());
      }
      RETURN_IF_ERROR(record.status());
      return absl::OutOfRangeError(
          absl::StrCat("@", last.value(), " is after the journal's end, @", position_.value()));
    }
    last_events_ = AsEvents(driver_->Apply(**record));
    position_ = reader_next_;
    reader_next_ = reader_next_.Next();
    command_ = ToCommand(*(*record)->row);
    Note(command_, last_events_);
    const bool goes_on = seen(command_, !(*record)->attachment.empty(), last_events_);
    if (!goes_on || position_ == last) {
      attachment_.assign((*record)->attachment.begin(), (*record)->attachment.end());
      events_at_position_.assign(last_events_.begin(), last_events_.end());
    }
    RETURN_IF_ERROR(TakeWaypoint(last));
    if (!goes_on) break;
  }
  return absl::OkStatus();
}

void TravelMachine::Note(const engine::Command& command, std::span<const engine::Event> events) {
  for (const engine::Event& event : events) {
    if (event.kind != engine::EventKind::kTrade) continue;
    if (trades_.size() == kTradesKept) trades_.pop_front();
    trades_.push_back({.time = command.timestamp, .trade = event});
  }
}

absl::Status TravelMachine::TakeWaypoint(SequenceNumber target) {
  // Checking at every record would cost more than applying the records.
  constexpr uint64_t kLookEvery = 256;
  const bool is_worth_a_look =
      position_.value() % kLookEvery == 0 || waypoints_.options().stride < kLookEvery;
  if (!can_save_ || !is_worth_a_look || !waypoints_.Wants(position_, target)) {
    return absl::OkStatus();
  }
  const absl::Status taken =
      waypoints_.Take(position_, target, *machine_, {trades_.begin(), trades_.end()});
  if (absl::IsUnimplemented(taken)) {
    can_save_ = false;
    return absl::OkStatus();
  }
  return taken;
}

std::vector<std::string> TravelMachine::TakeWarnings() { return std::exchange(warnings_, {}); }

}  // namespace replay
