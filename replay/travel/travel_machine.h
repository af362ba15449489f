// A machine that can be taken to any place of a log, also back.
//
//   GoTo(target)   Restore: the newest of  here · waypoint · stored snapshot · the log's start
//                  that lies before the target, then Run: the records up to it are applied
//
// That it ends in the same state by every way is R2. Going back costs loading a state and applying
// what lies between that and the target; waypoints (waypoints.h) are taken on the way, so that it
// is little. A machine that cannot be saved is driven from the log's start each time.

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
  // A machine to which nothing was applied.
  std::function<std::unique_ptr<Machine>()> make_machine;

  // As FindStart.
  std::function<absl::StatusOr<StartingPoint>(engine::SequenceNumber at_most)> find_start;

  // Where stored snapshots stand that look usable, in any order. None may lie before `oldest`.
  std::vector<engine::SequenceNumber> snapshots;

  // The first place there is: zero, or the oldest snapshot where the log's first records are gone.
  engine::SequenceNumber oldest;

  WaypointOptions waypoints;
};

// Not thread-safe. After an error it is where it came to, in a sound state.
class TravelMachine {
 public:
  // Shown each record that is applied on the way, and its events. False: stop behind it.
  using Seen = absl::FunctionRef<bool(const engine::Command&, bool has_attachment,
                                      std::span<const engine::Event>)>;

  // `reader` outlives it, and is used by nobody else meanwhile.
  TravelMachine(journal::Reader& reader, TravelOptions options);
  TravelMachine(const TravelMachine&) = delete;
  TravelMachine& operator=(const TravelMachine&) = delete;

  // Is after `target`, unless `seen` stopped it before; its record is applied last, so that its
  // events are known. Everything behind `seen_from` up to the target is shown: it begins there or
  // before. Errors: OUT_OF_RANGE (there is no such place), the reader's, the storage's.
  absl::Status GoTo(engine::SequenceNumber target, engine::SequenceNumber seen_from, Seen seen);
  absl::Status GoTo(engine::SequenceNumber target);

  // The newest place at or before `at_most` that is quick to reach. Errors: as GoTo.
  absl::Status Restore(engine::SequenceNumber at_most);

  // Applies what follows, up to and including `last`. Errors: the reader's.
  absl::Status Run(engine::SequenceNumber last, Seen seen);

  engine::SequenceNumber position() const { return position_; }
  engine::SequenceNumber oldest() const { return options_.oldest; }
  engine::SequenceNumber last() const { return reader_.info().last_sequence; }

  // Of the record at the position; no events and a zero sequence at the oldest place.
  const engine::Command& command() const { return command_; }
  const std::vector<std::byte>& attachment() const { return attachment_; }
  std::span<const engine::Event> events() const { return events_at_position_; }

  // The last ones up to the position, oldest first; at most kTradesKept, and since the snapshot
  // where one was loaded.
  const std::deque<PastTrade>& trades() const { return trades_; }
  static constexpr size_t kTradesKept = 256;

  // REQUIRES: something has succeeded.
  const Machine& machine() const { return *machine_; }

  // False once it is known that the machine has no snapshots.
  bool can_save() const { return can_save_; }
  const Waypoints& waypoints() const { return waypoints_; }

  // Of snapshots that were passed over; each is told once.
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

  std::unique_ptr<Machine> machine_;  // Null before anything has succeeded.
  engine::SequenceNumber position_;
  engine::SequenceNumber reader_next_;  // Zero: somewhere.
  engine::Command command_;
  std::vector<std::byte> attachment_;
  std::vector<engine::Event> events_at_position_;
  std::deque<PastTrade> trades_;
  std::optional<Driver> driver_;  // Of machine_.
  std::span<const engine::Event> last_events_;
};

}  // namespace replay

#endif  // REPLAY_TRAVEL_TRAVEL_MACHINE_H_
