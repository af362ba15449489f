// Saved states of a machine along a log, in memory, for going back.
//
//   1 ──────●───────────●───────────●─────●───●──●─●● position ──●──────────────── end
//           waypoints: sparse far from the position, dense near it
//
// To reach a record, the newest waypoint before it is loaded and the records between are applied,
// so the cost is the distance between waypoints. Near the position they are `stride` records apart;
// at distance d, a quarter of d; and nowhere more than `gap_max`. If they exceed the memory budget,
// those that are closest together for their distance are removed.

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
  std::vector<std::vector<std::byte>> parts;  // The parts that Machine::Save produced.
  std::vector<PastTrade> trades;              // The last trades before it, oldest first.
};

struct WaypointOptions {
  uint64_t stride = 16'384;    // Records; at least 1.
  uint64_t gap_max = 131'072;  // Records; at least `stride`.
  uint64_t bytes_max = uint64_t{512} << 20;
};

// Not thread-safe: owned by the TravelMachine.
class Waypoints {
 public:
  explicit Waypoints(WaypointOptions options = {}) : options_(options) {}

  // Whether to take a waypoint at `at`, on the way to `target`.
  bool Wants(engine::SequenceNumber at, engine::SequenceNumber target) const;

  // Saves the machine's state after `at`, then removes waypoints over the budget, as seen from
  // `position`. Errors: UNIMPLEMENTED if the machine cannot save; no waypoint is added then.
  absl::Status Take(engine::SequenceNumber at, engine::SequenceNumber position,
                    const Machine& machine, std::vector<PastTrade> trades);

  // Returns the newest waypoint at or before `place`; zero if there is none.
  engine::SequenceNumber NewestAtOrBefore(engine::SequenceNumber place) const;

  // Loads the waypoint at `at` into `machine`, to which nothing was applied.
  // REQUIRES: there is a waypoint at `at`.
  absl::Status Load(engine::SequenceNumber at, Machine& machine,
                    std::vector<PastTrade>& trades) const;

  size_t count() const { return waypoints_.size(); }
  uint64_t bytes() const { return bytes_; }
  const WaypointOptions& options() const { return options_; }

 private:
  // The allowed distance between waypoints that far from the position.
  uint64_t SpacingAt(uint64_t distance) const;
  void Thin(engine::SequenceNumber position);

  const WaypointOptions options_;
  std::map<engine::SequenceNumber, Waypoint> waypoints_;
  uint64_t bytes_ = 0;
};

}  // namespace replay

#endif  // REPLAY_TRAVEL_WAYPOINTS_H_
