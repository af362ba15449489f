// Saved states from which compared engines continue, instead of from the first record: the
// journal's snapshots, and states saved in memory during the comparison.
//
//   records     1 ──────────── 409,600 ─────── 672,000 ───── 700,001 differs
//                              snapshot        saved │
//                                                    └ A and B continue from here
//
// A snapshot holds the state of the recorded run. It is used for the compared engines only if they
// had the same state at that record (Know()). A damaged snapshot is skipped with a warning. An
// engine that cannot load states replays from the start.

#ifndef REPLAY_COMPARE_SNAPSHOT_STATES_H_
#define REPLAY_COMPARE_SNAPSHOT_STATES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/compare/subject.h"

namespace replay {

// Not thread-safe. Its memory is bounded: of the states over the limit, those in files are read
// again, and the others are thinned out evenly.
class SnapshotStates {
 public:
  // For all states in memory; a single state may exceed it.
  static constexpr size_t kBytesKeptMax = size_t{256} << 20;

  // Without snapshots: holds only the states passed to Keep().
  SnapshotStates() = default;
  // `snapshots` may be null, and outlives it.
  SnapshotStates(const journal::Directory* snapshots, const journal::Uuid& journal,
                 size_t bytes_kept_max = kBytesKeptMax);

  // Brings `subject` to a known state at or before `at_most`; returns the last record it includes.
  absl::StatusOr<engine::SequenceNumber> Restore(Subject& subject, engine::SequenceNumber at_most);

  // Both subjects have this state after `sequence`. A state saved there with another digest is not
  // used.
  void Know(engine::SequenceNumber sequence, const engine::Digest& state);

  // Saves the state of `subject`, which gave `answer` last, if it is time for one. A subject that
  // cannot save is brought there again by a replay.
  void Offer(Subject& subject, const Answer& answer);

  // Stores a state that was saved.
  void Keep(SavedState state);

  // The newest confirmed state at or before `at_most`; null if there is none. Valid until the next
  // call.
  const SavedState* Newest(engine::SequenceNumber at_most);

  // The states kept in memory, oldest first. Valid until the next call.
  std::vector<const SavedState*> Kept() const;

  size_t bytes_kept() const { return bytes_kept_; }

  // The number of records that were applied to a subject again, in total.
  void CountReplayed(uint64_t records) { replayed_ += records; }
  uint64_t replayed() const { return replayed_; }

  // The earliest record at which a Restore() began; zero: before the first record, or none did.
  engine::SequenceNumber began_at() const { return began_at_.value_or(engine::SequenceNumber()); }
  // About skipped snapshots.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Candidate {
    std::string file_name;  // Empty: in memory.
    engine::Digest digest;
    bool is_true = false;  // The engines were in that state.
    bool is_useless = false;
    std::optional<SavedState> state;  // In memory, or read before.
  };
  using Candidates = std::map<engine::SequenceNumber, Candidate>;

  bool Wants(engine::SequenceNumber sequence, uint64_t state_size) const;
  absl::StatusOr<SavedState> Read(const std::string& file_name) const;
  bool Has(engine::SequenceNumber sequence) const;
  void Drop(Candidate& candidate);
  void PassOver(Candidate& candidate, absl::string_view why);
  void ForgetAllBut(engine::SequenceNumber needed);
  Candidates::iterator ClosestToNeighbours(engine::SequenceNumber needed);

  const journal::Directory* snapshots_ = nullptr;
  const size_t bytes_kept_max_ = kBytesKeptMax;
  Candidates candidates_;
  std::optional<engine::SequenceNumber> last_known_;
  engine::Digest last_known_state_;
  size_t bytes_kept_ = 0;
  uint64_t replayed_ = 0;
  std::optional<engine::SequenceNumber> began_at_;
  std::vector<std::string> warnings_;
};

}  // namespace replay

#endif  // REPLAY_COMPARE_SNAPSHOT_STATES_H_
