// Saved states of a machine along a log, in memory, for whoever wants to go back.
//
//   1 ──────●───────────●───────────●─────●───●──●─●● position ──●──────────────── end
//           waypoints: far apart far away, dense where the position is
//
// To be somewhere, the newest waypoint before it is loaded and what lies between is applied again;
// what that costs is the distance between waypoints. Near the position they may be `stride` records
// apart, at a distance d a quarter of d, and nowhere more than `gap_max`. Where their bytes exceed
// the budget, those go that lie closest together for their distance.

#ifndef REPLAY_TRAVEL_WAYPOINTS_H_
#define REPLAY_TRAVEL_WAYPOINTS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/event.h"
#include "replay/machine.h"

namespace replay {

// A trade and the time of the command that made it. A regular value type.
struct PastTrade {
  engine::Timestamp time;
  engine::Event trade;

  friend bool operator==(const PastTrade&, const PastTrade&) = default;
};

struct Waypoint {
  std::vector<std::vector<std::byte>> parts;  // What Machine::Save gave.
  std::vector<PastTrade> trades;              // The last ones before it, oldest first.
};

struct WaypointOptions {
  uint64_t stride = 16'384;    // Records; at least 1.
  uint64_t gap_max = 131'072;  // Records; at least `stride`.
  uint64_t bytes_max = uint64_t{512} << 20;
};

// Not thread-safe: owned by the traveller.
class Waypoints {
 public:
  explicit Waypoints(WaypointOptions options = {}) : options_(options) {}

  // Whether one should be taken at `at`, on the way to `target`.
  bool Wants(engine::SequenceNumber at, engine::SequenceNumber target) const;

  // Saves the machine as it stands after `at`; then lets go of what is over the budget, seen from
  // `position`. Errors: UNIMPLEMENTED when the machine cannot save; there is none then.
  absl::Status Take(engine::SequenceNumber at, engine::SequenceNumber position,
                    const Machine& machine, std::vector<PastTrade> trades);

  // The newest at or before `place`; zero when there is none.
  engine::SequenceNumber NewestAtOrBefore(engine::SequenceNumber place) const;

  // Puts the state of the waypoint at `at` into `machine`, to which nothing was applied.
  // REQUIRES: there is one at `at`.
  absl::Status Load(engine::SequenceNumber at, Machine& machine,
                    std::vector<PastTrade>& trades) const;

  size_t count() const { return waypoints_.size(); }
  uint64_t bytes() const { return bytes_; }
  const WaypointOptions& options() const { return options_; }

 private:
  // How far apart they may be at that distance from the position.
  uint64_t SpacingAt(uint64_t distance) const;
  void Thin(engine::SequenceNumber position);

  const WaypointOptions options_;
  std::map<engine::SequenceNumber, Waypoint> waypoints_;
  uint64_t bytes_ = 0;
};

}  // namespace replay

#endif  // REPLAY_TRAVEL_WAYPOINTS_H_
