// The interface that the driver drives: any deterministic state machine.
//
// The exchange is one; a trading strategy (market data in, orders out) will be another. Two
// machines of the same kind that apply the same records emit the same outputs and have the same
// digests (R1). The questions that only an exchange can answer are in exchange_state.h.

#ifndef REPLAY_MACHINE_H_
#define REPLAY_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/state/snapshot_io.h"
#include "journal/record.h"
#include "replay/output.h"
#include "replay/traced_output_memory.h"

namespace replay {

// How often Machine::Prefetch is called, and how many of the next rows it uses.
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

  // The version of its rules, as journals and snapshots record it. Two machines with the same rules
  // have the same.
  virtual uint32_t semantics_version() const { return 0; }

  // Makes Apply() write its outputs to `memory`, that of the driver that applies from now on. A
  // machine has one driver at a time.
  virtual void WriteTo(ApplyKey key, OutputMemory& memory) = 0;

  // Applies the record. Returns its outputs, without those that the driver's memory has taken; they
  // lie in that memory and are valid until the next call. REQUIRES: records arrive in sequence
  // order, without a gap.
  virtual std::span<const Output> Apply(ApplyKey key, const journal::Record& record) = 0;

  // Applies the first `count` of `rows` in order and adds the outputs of each to `memory`, the one
  // that they are written to. The rows after these are only used for prefetching.
  // REQUIRES: none of the `count` rows has an attachment.
  virtual void ApplyRun(ApplyKey key, std::span<const journal::Row> rows, size_t count,
                        TracedOutputMemory& memory) {
    for (const journal::Row& row : rows.first(count)) {
      memory.Add(Apply(key, {.row = &row, .attachment = {}}));
    }
  }

  // Prefetches the memory that the next rows need; `coming` lists them in order. A hint: it changes
  // no state, and a machine may ignore it. Call it again every kPrefetchBatch records; no more than
  // kPrefetchWindow rows are used.
  virtual void Prefetch(std::span<const journal::Row> /*coming*/) const {}

  // The time of the next change that is due to time alone, such as the expiry of an order;
  // Timestamp::Max() if there is none. A live run submits a record then, unless another arrives
  // first.
  virtual engine::Timestamp NextTimer() const { return engine::Timestamp::Max(); }

  // The digest of the logical state, independent of its representation. May walk the whole state.
  virtual engine::Digest StateDigest() const = 0;

  // How many entities StateDigest() and Save() walk, such as live orders: decides how often a
  // comparison takes them. 0: both are always cheap.
  virtual uint64_t state_size() const { return 0; }

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
    return absl::UnimplementedError(absl::StrCat("the engine '", name(), "' has no snapshots"));
  }
};

}  // namespace replay

#endif  // REPLAY_MACHINE_H_
