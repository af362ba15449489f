// Compares the digests of a replay with those of the recorded run, at every checkpoint of the
// sidecar.
//
// The chain is cumulative, so the first checkpoint that differs identifies the 4096 commands in
// which the two runs diverged.

#ifndef REPLAY_CHECKPOINT_CHECK_H_
#define REPLAY_CHECKPOINT_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"

namespace replay {

// The first checkpoint at which a replay differs from the recording.
struct CheckpointDivergence {
  engine::SequenceNumber last_equal;  // The checkpoint before it; 0 if none.
  journal::Checkpoint recorded;
  journal::Checkpoint replayed;

  // "trace digest differs at 8192 (equal at 4096): recorded …, replayed …"
  std::string ToString() const;
};

// The number of digests of each kind that were compared. A recording may lack some kinds: a sidecar
// that was rebuilt from the journal has only log digests, because trace and state digests come from
// the engine's run.
struct DigestCounts {
  uint64_t log = 0;
  uint64_t trace = 0;
  uint64_t state = 0;
};

// Not thread-safe. Checkpoints must be passed in ascending order.
class CheckpointCheck {
 public:
  explicit CheckpointCheck(std::vector<journal::Checkpoint> recorded)
      : recorded_(std::move(recorded)) {}

  // Returns the sequence number of the recording's next checkpoint after `sequence`, or nullopt if
  // there is none; no checkpoint before it needs to be computed. Call with ascending records.
  std::optional<engine::SequenceNumber> NextAfter(engine::SequenceNumber sequence);

  // Compares with the recorded checkpoint of the same sequence number, if there is one. Digests
  // that either side lacks are not compared.
  void Compare(const journal::Checkpoint& replayed);

  uint64_t compared_count() const { return compared_count_; }
  const DigestCounts& digests_compared() const { return digests_compared_; }
  const std::optional<CheckpointDivergence>& divergence() const { return divergence_; }

 private:
  void SkipBefore(engine::SequenceNumber sequence);

  const std::vector<journal::Checkpoint> recorded_;
  size_t next_ = 0;
  uint64_t compared_count_ = 0;
  DigestCounts digests_compared_;
  engine::SequenceNumber last_equal_;
  std::optional<CheckpointDivergence> divergence_;
};

}  // namespace replay

#endif  // REPLAY_CHECKPOINT_CHECK_H_
