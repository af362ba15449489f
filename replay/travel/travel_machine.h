// A machine that can be moved to any position in a log, forward and backward.
//
//   GoTo(target)   Restore: the newest of  here · waypoint · stored snapshot · the log's start
//                  before the target, then Run: the records up to it are applied
//
// Every way to a position results in the same state (R2). Going back means loading a state and
// applying the records from there to the target; waypoints, taken on the way, keep that distance
// short. A machine that cannot be saved is driven from the log's start each time.

#ifndef REPLAY_TRAVEL_TRAVEL_MACHINE_H_
#define REPLAY_TRAVEL_TRAVEL_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"

namespace replay {

// A trade and the time of the command that made it.
struct PastTrade {
  engine::Timestamp time;
  engine::Event trade;
};

struct Waypoint {
  std::vector<std::vector<std::byte>> parts;  // The parts that Machine::Save produced.
  std::deque<PastTrade> trades;               // The last trades before it, oldest first.
};

struct WaypointOptions {
  uint64_t stride = 16'384;    // Records; at least 1.
  uint64_t gap_max = 131'072;  // Records; at least `stride`.
  uint64_t bytes_max = uint64_t{512} << 20;
};

// Saved states of a machine along a log, in memory, for going back.
//
//   1 ──────●───────────●───────────●─────●───●──●─●● position ──●──────────────── end
//           waypoints: sparse far from the position, dense near it
//
// To reach a record, the newest waypoint before it is loaded and the records between are applied,
// so the cost is the distance between waypoints. Near the position they are `stride` records apart;
// at distance d, a quarter of d; and nowhere more than `gap_max`. If they exceed the memory budget,
// those that are closest together for their distance are removed.
//
// Not thread-safe: owned by the TravelMachine.
class Waypoints {
 public:
  explicit Waypoints(WaypointOptions options = {}) : options_(options) {}

  // Whether to take a waypoint at `at`, on the way to `target`.
  bool Wants(engine::SequenceNumber at, engine::SequenceNumber target) const;

  // Saves the machine's state after `at`, then removes waypoints over the budget, as seen from
  // `position`. Errors: UNIMPLEMENTED if the machine cannot save; no waypoint is added then.
  absl::Status Take(engine::SequenceNumber at, engine::SequenceNumber position,
                    const Machine& machine, const std::deque<PastTrade>& trades);

  // Returns the newest waypoint at or before `place`; zero if there is none.
  engine::SequenceNumber NewestAtOrBefore(engine::SequenceNumber place) const;

  // Loads the waypoint at `at` into `machine`, to which nothing was applied, and returns its
  // trades. REQUIRES: there is a waypoint at `at`.
  absl::StatusOr<std::deque<PastTrade>> Load(engine::SequenceNumber at, Machine& machine) const;

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

struct TravelOptions {
  // Returns a machine to which nothing was applied.
  std::function<std::unique_ptr<Machine>()> make_machine;

  // As FindStart.
  std::function<absl::StatusOr<StartingPoint>(engine::SequenceNumber at_most)> find_start;

  // The positions of stored snapshots that look usable, in any order. REQUIRES: none is before
  // `oldest`.
  std::vector<engine::SequenceNumber> snapshots;

  // The first position available: zero, or the oldest snapshot if the log's first records were
  // deleted.
  engine::SequenceNumber oldest;

  WaypointOptions waypoints;
};

// Not thread-safe. After an error its position and state are consistent, but may differ from the
// target.
class TravelMachine {
 public:
  // Called with each record that is applied and its events. Returns false to stop after it.
  using Seen = absl::FunctionRef<bool(const engine::Command&, bool has_attachment,
                                      std::span<const engine::Event>)>;

  // `reader` outlives it, and is not used elsewhere meanwhile.
  TravelMachine(journal::Reader& reader, TravelOptions options);
  TravelMachine(const TravelMachine&) = delete;
  TravelMachine& operator=(const TravelMachine&) = delete;

  // Moves to the position after `target`, or less far if `seen` returns false. Applies the target's
  // record, so that its events are known. Calls `seen` for every record after `seen_from`, and
  // maybe for earlier ones. Errors: OUT_OF_RANGE (no such position), the reader's, the storage's.
  absl::Status GoTo(engine::SequenceNumber target, engine::SequenceNumber seen_from, Seen seen);

  // Moves to the newest position at or before `at_most` that is quick to reach. Errors: as GoTo.
  absl::Status Restore(engine::SequenceNumber at_most);

  // Applies the next records, up to and including `last`. Errors: the reader's.
  absl::Status Run(engine::SequenceNumber last, Seen seen);

  engine::SequenceNumber position() const { return position_; }
  engine::SequenceNumber oldest() const { return options_.oldest; }
  engine::SequenceNumber last() const { return reader_.info().last_sequence; }

  // The record at the position and its events. At the oldest position: zero sequence, no events.
  const engine::Command& command() const { return command_; }
  const std::vector<std::byte>& attachment() const { return attachment_; }
  std::span<const engine::Event> events() const { return events_; }

  // The last trades up to the position, oldest first; at most kTradesKept, and only those after the
  // snapshot if one was loaded.
  const std::deque<PastTrade>& trades() const { return trades_; }
  static constexpr size_t kTradesKept = 256;

  // REQUIRES: a call of GoTo() or Restore() has succeeded.
  const Machine& machine() const { return *machine_; }

  // False once an attempt to save has shown that the machine has no snapshots.
  bool can_save() const { return can_save_; }
  const Waypoints& waypoints() const { return waypoints_; }

  // For queries of other records. Its position does not matter to the next move.
  journal::Reader& BorrowReader() {
    reader_next_ = engine::SequenceNumber();
    return reader_;
  }

  // Returns warnings about skipped snapshots, each only once.
  std::vector<std::string> TakeWarnings() { return std::exchange(warnings_, {}); }

 private:
  absl::Status LoadWaypoint(engine::SequenceNumber at);
  absl::Status LoadStart(engine::SequenceNumber at_most);
  absl::Status TakeWaypoint(engine::SequenceNumber target);
  void Arrive(engine::SequenceNumber at, std::unique_ptr<Machine> machine,
              std::deque<PastTrade> trades);

  journal::Reader& reader_;
  TravelOptions options_;
  Waypoints waypoints_;
  bool can_save_ = true;
  std::vector<std::string> warnings_;

  std::unique_ptr<Machine> machine_;  // Null before the first success.
  std::optional<Driver> driver_;      // Of machine_.
  engine::SequenceNumber position_;
  engine::SequenceNumber reader_next_;  // The record that `reader_` returns next; zero: unknown.
  engine::Command command_;
  std::vector<std::byte> attachment_;
  std::span<const engine::Event> events_;  // In the driver's memory, until the next record.
  std::deque<PastTrade> trades_;
};

}  // namespace replay

#endif  // REPLAY_TRAVEL_TRAVEL_MACHINE_H_
