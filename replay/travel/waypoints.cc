#include "replay/travel/waypoints.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace replay {
namespace {

using engine::SequenceNumber;

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
                             std::vector<PastTrade> trades) {
  Waypoint waypoint{.parts = {}, .trades = std::move(trades)};
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

absl::Status Waypoints::Load(SequenceNumber at, Machine& machine,
                             std::vector<PastTrade>& trades) const {
  const auto found = waypoints_.find(at);
  CHECK(found != waypoints_.end()) << "no waypoint at " << at;
  size_t next = 0;
  RETURN_IF_ERROR(machine.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == found->second.parts.size()) return std::nullopt;
    return engine::Bytes(found->second.parts[next++]);
  }));
  trades = found->second.trades;
  return absl::OkStatus();
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

}  // namespace replay
