// The interface that the driver drives: any deterministic state machine.
//
// The exchange is one; a client strategy (market data in, orders out) will be another. Two machines
// of the same kind that apply the same records produce the same events and digests (R1).

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
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/traced_event_memory.h"

namespace replay {

// How often Machine::Prefetch is called, and how many of the next commands it uses.
inline constexpr size_t kPrefetchBatch = 4;
inline constexpr size_t kPrefetchWindow = 16;

// Only a Driver makes one, so only a Driver applies records. A machine that wraps another one
// passes it on.
class ApplyKey {
 private:
  friend class Driver;
  ApplyKey() = default;
};

// Not thread-safe: owned by the owner of the driver.
class Machine {
 public:
  virtual ~Machine() = default;

  // The name in reports: "fast", "reference".
  virtual absl::string_view name() const = 0;

  // Applies the record and leaves its events in `events`.
  // REQUIRES: records arrive in sequence order, without a gap.
  virtual void Apply(ApplyKey key, const journal::Record& record, engine::EventBuffer& events) = 0;

  // Applies the first `count` of `rows` in order and adds the events of each to `room`, the memory
  // that `events` writes to. The rows after these are only used for prefetching.
  // REQUIRES: none of the `count` rows has an attachment.
  virtual void ApplyRun(ApplyKey key, std::span<const journal::Row> rows, size_t count,
                        engine::EventBuffer& events, TracedEventMemory& room) {
    for (const journal::Row& row : rows.first(count)) {
      Apply(key, {.row = &row, .attachment = {}}, events);
      room.Add(events.events());
    }
  }

  // Prefetches the memory that the next commands need; `coming` lists them in order. A hint: it
  // changes no state, and a machine may ignore it. Call it again every kPrefetchBatch records; no
  // more than kPrefetchWindow commands are used.
  virtual void Prefetch(std::span<const engine::Command> /*coming*/) const {}

  // The number of orders in the book; 0 for a machine without orders.
  virtual uint64_t live_order_count() const = 0;

  // The time of the next change that is due to time alone, such as an expiry; Timestamp::Max() if
  // there is none. A live run submits advance_time then, unless another command arrives first.
  virtual engine::Timestamp NextExpiry() const { return engine::Timestamp::Max(); }

  // The digest of the logical state, independent of its representation. May walk the whole state.
  virtual engine::Digest StateDigest() const = 0;

  // Visits the live orders of one side of one market in priority order. A machine without orders
  // visits none.
  virtual void VisitOrders(engine::MarketId, engine::Side,
                           absl::FunctionRef<void(const engine::RestingOrder&)>) const {}

  // The markets that are defined; null for a machine without markets.
  virtual const engine::MarketDirectory* markets() const { return nullptr; }

  // The last record that the state includes, whether applied here or before the state was saved.
  // REQUIRES: the machine has loaded a state.
  struct LastRecord {
    engine::SequenceNumber sequence;
    engine::Timestamp time;
  };
  virtual LastRecord last_record() const { return {}; }

  // Save the logical state in parts of bounded size, and load it into a machine to which nothing
  // was applied, which then handles every later record as the saved machine does (R2). Any engine
  // with the same rules can load it. Load accepts any bytes safely and returns DATA_LOSS if they
  // are not a valid state; the machine is then unusable. UNIMPLEMENTED if the machine does not
  // support snapshots.
  virtual absl::Status Save(engine::SnapshotSink) const { return CannotSave(); }
  virtual absl::Status Load(engine::SnapshotSource) { return CannotSave(); }

  // CHECKs the invariants of the state; may walk the whole state.
  virtual void CheckInvariants() const {}

 private:
  absl::Status CannotSave() const {
    return absl::UnimplementedError(
        absl::StrCat("the engine '", name(), "' has no snapshots; the fast one has"));
  }
};

}  // namespace replay

#endif  // REPLAY_MACHINE_H_
