// A machine that can be moved to any position in a log, forward and backward.
//
//   GoTo(target)   Restore: the newest of  here · waypoint · stored snapshot · the log's start
//                  before the target, then Run: the records up to it are applied
//
// Every way to a position results in the same state (R2). Going back means loading a state and
// applying the records from there to the target; waypoints (waypoints.h), taken on the way, keep
// that distance short. A machine that cannot be saved is driven from the log's start each time.

#ifndef REPLAY_TRAVEL_TRAVEL_MACHINE_H_
#define REPLAY_TRAVEL_TRAVEL_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/snapshot/state_source.h"
#include "replay/travel/waypoints.h"

namespace replay {

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
  absl::Status GoTo(engine::SequenceNumber target);

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
  std::span<const engine::Event> events() const { return events_at_position_; }

  // The last trades up to the position, oldest first; at most kTradesKept, and only those after the
  // snapshot if one was loaded.
  const std::deque<PastTrade>& trades() const { return trades_; }
  static constexpr size_t kTradesKept = 256;

  // REQUIRES: a call of GoTo() or Restore() has succeeded.
  const Machine& machine() const { return *machine_; }

  // False once an attempt to save has shown that the machine has no snapshots.
  bool can_save() const { return can_save_; }
  const Waypoints& waypoints() const { return waypoints_; }

  // Returns warnings about skipped snapshots, each only once.
  std::vector<std::string> TakeWarnings();

 private:
  absl::Status LoadWaypoint(engine::SequenceNumber at);
  absl::Status LoadStart(engine::SequenceNumber at_most);
  absl::Status TakeWaypoint(engine::SequenceNumber target);
  void Arrive(engine::SequenceNumber at, std::unique_ptr<Machine> machine);
  void Note(const engine::Command& command, std::span<const engine::Event> events);

  journal::Reader& reader_;
  TravelOptions options_;
  Waypoints waypoints_;
  bool can_save_ = true;
  std::vector<std::string> warnings_;

  std::unique_ptr<Machine> machine_;  // Null before the first success.
  engine::SequenceNumber position_;
  engine::SequenceNumber reader_next_;  // The record that `reader_` returns next; zero: unknown.
  engine::Command command_;
  std::vector<std::byte> attachment_;
  std::vector<engine::Event> events_at_position_;
  std::deque<PastTrade> trades_;
  std::optional<Driver> driver_;  // Of machine_.
  std::span<const engine::Event> last_events_;
};

}  // namespace replay

#endif  // REPLAY_TRAVEL_TRAVEL_MACHINE_H_
