// What the driver drives: any deterministic state machine.
//
// The exchange is one; a client strategy (market data in, orders out) will be another. Two machines
// of one kind that are given the same records are equal, event for event and digest for digest
// (R1).

#ifndef REPLAY_MACHINE_H_
#define REPLAY_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/book/resting_order.h"
#include "engine/core/snapshot_io.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/traced_event_memory.h"

namespace replay {

inline constexpr size_t kPrefetchBatch = 4;
inline constexpr size_t kPrefetchWindow = 16;

// Only a Driver makes one, so only a Driver applies records. A machine that wraps another one
// passes it on.
class ApplyKey {
 private:
  friend class Driver;
  ApplyKey() = default;
};

// Not thread-safe: owned by the owner of its driver.
class Machine {
 public:
  virtual ~Machine() = default;

  // For reports: "fast", "reference".
  virtual absl::string_view name() const = 0;

  // Applies the record and leaves the events that it causes in `events`.
  // REQUIRES: records arrive in sequence, without a gap.
  virtual void Apply(ApplyKey key, const journal::Record& record, engine::EventBuffer& events) = 0;

  // Applies the first `count` of `rows`, none of which has an attachment, one after the other, and
  // adds the events of each to `room`, which is where `events` writes. What follows them is only
  // looked at, as by Prefetch().
  virtual void ApplyRun(ApplyKey key, std::span<const journal::Row> rows, size_t count,
                        engine::EventBuffer& events, TracedEventMemory& room) {
    for (const journal::Row& row : rows.first(count)) {
      Apply(key, {.row = &row, .attachment = {}}, events);
      room.Add(events.events());
    }
  }

  // What will be applied next, `coming` in order: a machine that can has the memory that it will
  // need come closer to the processor. Nothing is promised and nothing changes. To be said again
  // every kPrefetchBatch records; kPrefetchWindow of them are enough.
  virtual void Prefetch(std::span<const engine::Command> /*coming*/) const {}

  // Orders in the book; 0 for a machine that has none.
  virtual uint64_t live_order_count() const = 0;

  // When something changes by time alone, unless a record comes before; the end of time where
  // nothing will. A live run then has advance_time come.
  virtual engine::Timestamp NextExpiry() const { return engine::Timestamp::Max(); }

  // Of the logical state, whatever its representation. May walk all of it.
  virtual engine::Digest StateDigest() const = 0;

  // The live orders of one side of one market in priority order; none for a machine that has none.
  virtual void VisitOrders(engine::MarketId, engine::Side,
                           absl::FunctionRef<void(const engine::RestingOrder&)>) const {}

  // The markets that are defined; null for a machine that has none.
  virtual const engine::MarketDirectory* markets() const { return nullptr; }

  // The last record that its state knows of: applied here, or before it was saved. Asked only of a
  // machine that has loaded a state.
  struct LastRecord {
    engine::SequenceNumber sequence;
    engine::Timestamp time;
  };
  virtual LastRecord last_record() const { return {}; }

  // The logical state in parts of bounded size, and back into a machine to which nothing was
  // applied: it then answers every later record as this one would (R2). Any engine of the same
  // rules loads what another saved. Load: any bytes are safe; DATA_LOSS for what is no such state,
  // and the machine is then good for nothing. UNIMPLEMENTED for a machine that cannot.
  virtual absl::Status Save(engine::SnapshotSink) const { return CannotSave(); }
  virtual absl::Status Load(engine::SnapshotSource) { return CannotSave(); }

  // CHECKs what must hold of the state; may walk all of it.
  virtual void CheckInvariants() const {}

 private:
  absl::Status CannotSave() const {
    return absl::UnimplementedError(
        absl::StrCat("the engine '", name(), "' has no snapshots; the fast one has"));
  }
};

}  // namespace replay

#endif  // REPLAY_MACHINE_H_
