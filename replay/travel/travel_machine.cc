#include "replay/travel/travel_machine.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"

namespace replay {
namespace {

using engine::SequenceNumber;

// Loading a state costs as much as applying about this many records; for a shorter way forward, the
// current machine continues.
constexpr uint64_t kWorthLoading = 65'536;

// Gaps are measured in 1024ths of the allowed spacing.
constexpr uint64_t kUnit = 1024;

uint64_t Distance(SequenceNumber a, SequenceNumber b) {
  return a < b ? b.value() - a.value() : a.value() - b.value();
}

uint64_t BytesOf(const Waypoint& waypoint) {
  uint64_t bytes = waypoint.trades.size() * sizeof(PastTrade);
  for (const auto& part : waypoint.parts) bytes += part.size();
  return bytes;
}

}  // namespace

uint64_t Waypoints::SpacingAt(uint64_t distance) const {
  return std::clamp(distance / 4, options_.stride, options_.gap_max);
}

bool Waypoints::Wants(SequenceNumber at, SequenceNumber target) const {
  const uint64_t spacing = SpacingAt(Distance(at, target));
  // A waypoint less than `stride` ahead makes this one unnecessary; one before it must be a full
  // spacing away.
  const auto ahead = waypoints_.lower_bound(at);
  if (ahead != waypoints_.end() && Distance(ahead->first, at) < options_.stride) return false;
  return Distance(at, NewestAtOrBefore(at)) >= spacing;
}

absl::Status Waypoints::Take(SequenceNumber at, SequenceNumber position, const Machine& machine,
                             const std::deque<PastTrade>& trades) {
  Waypoint waypoint{.parts = {}, .trades = trades};
  RETURN_IF_ERROR(machine.Save([&](engine::Bytes part) {
    waypoint.parts.emplace_back(part.begin(), part.end());
    return absl::OkStatus();
  }));
  const auto [place, is_new] = waypoints_.try_emplace(at);
  if (!is_new) bytes_ -= BytesOf(place->second);
  bytes_ += BytesOf(waypoint);
  place->second = std::move(waypoint);
  Thin(position);
  return absl::OkStatus();
}

SequenceNumber Waypoints::NewestAtOrBefore(SequenceNumber place) const {
  const auto after = waypoints_.upper_bound(place);
  return after == waypoints_.begin() ? SequenceNumber() : std::prev(after)->first;
}

absl::StatusOr<std::deque<PastTrade>> Waypoints::Load(SequenceNumber at, Machine& machine) const {
  const auto found = waypoints_.find(at);
  CHECK(found != waypoints_.end()) << "no waypoint at " << at;
  size_t next = 0;
  RETURN_IF_ERROR(machine.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == found->second.parts.size()) return std::nullopt;
    return engine::Bytes(found->second.parts[next++]);
  }));
  return found->second.trades;
}

void Waypoints::Thin(SequenceNumber position) {
  // The last one stays regardless of its size: without one, every step back begins at the log's
  // start.
  while (bytes_ > options_.bytes_max && waypoints_.size() > 1) {
    auto closest = waypoints_.end();
    uint64_t least = 0;
    SequenceNumber before;
    for (auto at = waypoints_.begin(); at != waypoints_.end(); before = at->first, ++at) {
      const auto next = std::next(at);
      const SequenceNumber ahead = next == waypoints_.end() ? position : next->first;
      const uint64_t gap =
          kUnit * Distance(before, ahead) / SpacingAt(Distance(at->first, position));
      if (closest != waypoints_.end() && gap >= least) continue;
      closest = at;
      least = gap;
    }
    bytes_ -= BytesOf(closest->second);
    waypoints_.erase(closest);
  }
}

TravelMachine::TravelMachine(journal::Reader& reader, TravelOptions options)
    : reader_(reader), options_(std::move(options)), waypoints_(options_.waypoints) {}

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
  ASSIGN_OR_RETURN(std::deque<PastTrade> trades, waypoints_.Load(at, *machine));
  Arrive(at, std::move(machine), std::move(trades));
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
  Arrive(at, std::move(start.machine), {});
  // Loading again from memory is faster.
  return at == SequenceNumber() ? absl::OkStatus() : TakeWaypoint(at);
}

void TravelMachine::Arrive(SequenceNumber at, std::unique_ptr<Machine> machine,
                           std::deque<PastTrade> trades) {
  machine_ = std::move(machine);
  driver_.emplace(*machine_, at);
  position_ = at;
  command_ = engine::Command();
  attachment_.clear();
  events_ = {};
  trades_ = std::move(trades);
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
      RETURN_IF_ERROR(record.status());
      return absl::OutOfRangeError(
          absl::StrCat("@", last.value(), " is after the journal's end, @", position_.value()));
    }
    events_ = AsEvents(driver_->Apply(**record));
    position_ = reader_next_;
    reader_next_ = reader_next_.Next();
    command_ = ToCommand(*(*record)->row);
    attachment_.assign((*record)->attachment.begin(), (*record)->attachment.end());
    for (const engine::Event& event : events_) {
      if (event.kind != engine::EventKind::kTrade) continue;
      if (trades_.size() == kTradesKept) trades_.pop_front();
      trades_.push_back({.time = command_.timestamp, .trade = event});
    }
    const bool goes_on = seen(command_, !attachment_.empty(), events_);
    RETURN_IF_ERROR(TakeWaypoint(last));
    if (!goes_on) break;
  }
  return absl::OkStatus();
}

absl::Status TravelMachine::TakeWaypoint(SequenceNumber target) {
  // Checking at every record would cost more than applying the records.
  constexpr uint64_t kLookEvery = 256;
  const bool is_worth_a_look =
      position_.value() % kLookEvery == 0 || waypoints_.options().stride < kLookEvery;
  if (!can_save_ || !is_worth_a_look || !waypoints_.Wants(position_, target)) {
    return absl::OkStatus();
  }
  const absl::Status taken = waypoints_.Take(position_, target, *machine_, trades_);
  can_save_ = !absl::IsUnimplemented(taken);
  return can_save_ ? taken : absl::OkStatus();
}

}  // namespace replay
