// The drive shaft: the one loop that applies records to a machine, live or not.
//
//   live     sequencer ─► Record ─┐
//                                 ├─► Driver::Apply ─► Machine::Apply ─► events, trace digest
//   replay   reader ────► Record ─┘
//
// A live exchange is a replay of a journal that is still growing; that both go through here is what
// makes them equal (R1).

#ifndef REPLAY_DRIVER_H_
#define REPLAY_DRIVER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/machine.h"
#include "replay/trace_digest.h"
#include "replay/traced_event_memory.h"

namespace replay {

struct DriverOptions {
  // Takes the state digest into the trace digest at every checkpoint. Two traces compare only when
  // both were taken so, or both were not.
  bool check_state = true;
};

// Not thread-safe: one thread applies. `machine` outlives it.
class Driver {
 public:
  explicit Driver(Machine& machine, DriverOptions options = {})
      : machine_(machine), options_(options), takes_digests_(true) {}

  // Takes no digests: event_count(), Checkpoint() and ResumeAt() are not to be called. The state of
  // `machine` is the one after `last_applied`.
  Driver(Machine& machine, engine::SequenceNumber last_applied)
      : machine_(machine),
        options_({.check_state = false}),
        takes_digests_(false),
        last_applied_(last_applied) {}
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Goes on after `at`, as if this driver had applied what came before. REQUIRES: nothing was
  // applied; the machine is as after it; it ends a run and has a trace, and a state if that is
  // checked.
  void ResumeAt(const journal::Checkpoint& at, uint64_t event_count);

  // Applies the record that follows last_applied(). The events are valid until the next call.
  std::span<const engine::Event> Apply(const journal::Record& record);

  using Seen = absl::FunctionRef<bool(const journal::Record&, std::span<const engine::Event>)>;

  // What Apply will be given next, see Machine.
  void Prefetch(std::span<const engine::Command> coming) const { machine_.Prefetch(coming); }

  // Applies the records of `batch`, which follow last_applied(), up to and including `last`, and
  // shows each with its events to `seen`, which may say false to stop after it. Returns how many
  // were applied. The fast way: the machine is shown what comes.
  size_t ApplyBatch(const journal::Batch& batch, engine::SequenceNumber last, Seen seen);

  // The same where nobody looks at single records, which is faster still.
  size_t ApplyBatch(const journal::Batch& batch, engine::SequenceNumber last);

  // Applies what `reader` still holds, up to and including `last`, and shows each record with its
  // events to `seen`, which may say false to stop after it.
  // REQUIRES: the reader's next record follows last_applied().
  // Errors: the reader's; what came before the error has been applied.
  absl::Status Run(journal::Reader& reader, engine::SequenceNumber last, Seen seen);

  // Whether last_applied() ends a run of 4096.
  bool at_checkpoint() const;

  // The digests of a log that ends at last_applied(), wherever that is; the caller adds the log's.
  // Takes the state digest, if it is checked and was not taken here already.
  journal::Checkpoint Checkpoint() const;

  engine::SequenceNumber last_applied() const { return last_applied_; }
  uint64_t event_count() const { return events_before_ + room_.added_count(); }
  const Machine& machine() const { return machine_; }
  const DriverOptions& options() const { return options_; }

 private:
  void EndRun();

  Machine& machine_;
  const DriverOptions options_;
  const bool takes_digests_;
  // What was put off is digested where somebody asks.
  mutable TraceDigest trace_;
  mutable TracedEventMemory room_{trace_};
  engine::EventBuffer events_{room_};
  engine::SequenceNumber last_applied_;
  std::optional<engine::Digest> state_at_checkpoint_;  // Of the last complete run.
  uint64_t events_before_ = 0;                         // Of what was applied elsewhere.
};

}  // namespace replay

#endif  // REPLAY_DRIVER_H_
