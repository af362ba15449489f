// The driver: the one loop that applies records to a machine, live or in a replay.
//
//   live     sequencer ─► Record ─┐
//                                 ├─► Driver::Apply ─► Machine::Apply ─► outputs, trace digest
//   replay   reader ────► Record ─┘
//
// A live run is a replay of a journal that is still growing. Both use this driver, so they have the
// same outputs and digests (R1).

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
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/trace_digest.h"
#include "replay/traced_output_memory.h"

namespace replay {

// Whether `part` is the first part of a record's outputs, or all of them.
inline bool IsFirstPart(std::span<const Output> part) {
  return part.empty() || part.front().index == 0;
}

// Not thread-safe: owned by the thread that applies. `machine` outlives it.
class Driver {
 public:
  explicit Driver(Machine& machine) : machine_(machine), takes_digests_(true) {
    machine_.WriteTo(ApplyKey(), memory_);
  }

  // Takes no digests: output_count(), Checkpoint() and ResumeAt() are not to be called. The state
  // of `machine` is the one after `last_applied`.
  Driver(Machine& machine, engine::SequenceNumber last_applied)
      : machine_(machine), takes_digests_(false), last_applied_(last_applied) {
    machine_.WriteTo(ApplyKey(), memory_);
  }
  Driver(const Driver&) = delete;
  Driver& operator=(const Driver&) = delete;

  // Continues after the checkpoint `at`, after `output_count` outputs of earlier records. REQUIRES:
  // nothing was applied yet; `machine` holds the state after `at`; `at` ends a run of 4096 and has
  // a trace and a state digest.
  void ResumeAt(const journal::Checkpoint& at, uint64_t output_count);

  // Applies the record after last_applied(). The returned outputs are valid until the next call.
  std::span<const Output> Apply(const journal::Record& record);

  // Receives a record and its outputs in one or more parts, in order (IsFirstPart); all but the
  // last while the machine applies the record.
  using Part = absl::FunctionRef<void(const journal::Record&, std::span<const Output>)>;

  // Apply() for a caller that does not need the outputs in one piece: the memory for outputs is
  // bounded, no matter how many a record has.
  void ApplyInParts(const journal::Record& record, Part part);

  using Seen = absl::FunctionRef<bool(const journal::Record&, std::span<const Output>)>;

  // Prefetches for the rows that Apply will receive next; see Machine::Prefetch.
  void Prefetch(std::span<const journal::Row> coming) const { machine_.Prefetch(coming); }

  // Applies the records of `batch`, which follow last_applied(), up to and including `last`. Calls
  // `seen` with each record and its outputs; if it returns false, stops after that record. Returns
  // the number of records applied. Faster than Apply(), because it prefetches for the next records.
  size_t ApplyBatch(const journal::Batch& batch, engine::SequenceNumber last, Seen seen);

  // The same in parts; does not stop before `last`.
  size_t ApplyBatchInParts(const journal::Batch& batch, engine::SequenceNumber last, Part part);

  // The same without a callback, which is faster still, and in bounded memory.
  size_t ApplyBatch(const journal::Batch& batch, engine::SequenceNumber last);

  // Applies the remaining records of `reader`, up to and including `last`. Calls `seen` with each
  // record and its outputs; if it returns false, stops after that record.
  // REQUIRES: the reader's next record follows last_applied().
  // Errors: the reader's; records before the error have been applied.
  absl::Status Run(journal::Reader& reader, engine::SequenceNumber last, Seen seen);
  // The same in parts; does not stop before `last`.
  absl::Status RunInParts(journal::Reader& reader, engine::SequenceNumber last, Part part);

  // Whether last_applied() ends a run of 4096 records.
  bool at_checkpoint() const;

  // Returns the trace and state digests of a log that ends at last_applied(), which need not end a
  // run; the caller adds the log digest. Computes the state digest if it is not cached for this
  // record.
  journal::Checkpoint Checkpoint() const;

  engine::SequenceNumber last_applied() const { return last_applied_; }
  uint64_t output_count() const { return outputs_before_ + memory_.added_count(); }
  const Machine& machine() const { return machine_; }

 private:
  void EndRun();
  // Adds outputs of a record that will emit more.
  void AddPart(std::span<const Output> outputs) {
    if (takes_digests_) memory_.Add(outputs);
  }
  size_t ApplyEach(const journal::Batch& batch, engine::SequenceNumber last,
                   absl::FunctionRef<bool(const journal::Record&)> apply);

  Machine& machine_;
  const bool takes_digests_;
  // Mutable: Checkpoint() digests the outputs that are still buffered.
  mutable TraceDigest trace_;
  mutable TracedOutputMemory memory_{trace_};
  engine::SequenceNumber last_applied_;
  std::optional<engine::Digest> state_at_checkpoint_;  // After the last complete run.
  uint64_t outputs_before_ = 0;                        // Of records applied elsewhere.
};

}  // namespace replay

#endif  // REPLAY_DRIVER_H_
