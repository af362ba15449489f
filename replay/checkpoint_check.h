// Does a replay do what the recorded run did? Compares digests at every checkpoint of the sidecar.
//
// The chain is cumulative, so the first checkpoint that differs says in which 4096 commands the two
// runs parted.

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
struct Divergence {
  engine::SequenceNumber last_equal;  // Of the checkpoint before it; 0 when there is none.
  journal::Checkpoint recorded;
  journal::Checkpoint replayed;

  // "trace digest differs at 8192 (equal at 4096): recorded …, replayed …"
  std::string ToString() const;
};

// How many digests of each kind were held against recorded ones. A recording may lack some: what
// the engine did cannot be computed afterwards, so a sidecar that was made again has the log's
// only.
struct DigestCounts {
  uint64_t log = 0;
  uint64_t trace = 0;
  uint64_t state = 0;
};

// Not thread-safe. Checkpoints are offered in ascending order.
class CheckpointCheck {
 public:
  explicit CheckpointCheck(std::vector<journal::Checkpoint> recorded)
      : recorded_(std::move(recorded)) {}

  // Whether the recording has a checkpoint right after this record, so that it is worth taking one.
  // Asked of ascending records.
  bool WantsAt(engine::SequenceNumber sequence);

  // Of the recording's next checkpoint behind `sequence`, up to which none is worth taking; nullopt
  // when there is none. Asked of ascending records.
  std::optional<engine::SequenceNumber> NextAfter(engine::SequenceNumber sequence);

  // Compares with the recorded checkpoint of the same sequence number, if there is one; digests
  // that one of them lacks are not compared.
  void Compare(const journal::Checkpoint& replayed);

  uint64_t compared_count() const { return compared_count_; }
  const DigestCounts& digests_compared() const { return digests_compared_; }
  const std::optional<Divergence>& divergence() const { return divergence_; }

 private:
  void SkipBefore(engine::SequenceNumber sequence);

  const std::vector<journal::Checkpoint> recorded_;
  size_t next_ = 0;
  uint64_t compared_count_ = 0;
  DigestCounts digests_compared_;
  engine::SequenceNumber last_equal_;
  std::optional<Divergence> divergence_;
};

}  // namespace replay

#endif  // REPLAY_CHECKPOINT_CHECK_H_
