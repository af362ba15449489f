#include "replay/compare/snapshot_states.h"

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/log_digest.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"

namespace replay {
namespace {

using engine::SequenceNumber;

// The cost of saving grows with the size of the state: small ones are saved often, large ones
// seldom.
struct Rhythm {
  uint64_t size_max;
  uint64_t records;
};
constexpr Rhythm kRhythms[] = {
    {.size_max = 5'000, .records = 16 * journal::kCheckpointInterval},
    {.size_max = 100'000, .records = 256 * journal::kCheckpointInterval}};

}  // namespace

SnapshotStates::SnapshotStates(const journal::Directory* snapshots, const journal::Uuid& journal,
                               size_t bytes_kept_max)
    : snapshots_(snapshots), bytes_kept_max_(bytes_kept_max) {
  if (snapshots_ == nullptr) return;
  const absl::StatusOr<std::vector<Snapshot>> found = ListSnapshots(*snapshots_, journal);
  if (!found.ok()) {
    warnings_.push_back(absl::StrCat("snapshots skipped: ", found.status().message()));
    return;
  }
  for (const Snapshot& snapshot : *found) {
    Candidate candidate;
    candidate.file_name = snapshot.file_name;
    candidate.digest = snapshot.header.state;
    if (!snapshot.damage.empty()) PassOver(candidate, snapshot.damage);
    if (!snapshot.is_proven) candidate.is_useless = true;
    candidates_.emplace(snapshot.sequence, std::move(candidate));
  }
}

void SnapshotStates::PassOver(Candidate& candidate, absl::string_view why) {
  candidate.is_useless = true;
  warnings_.push_back(absl::StrCat("snapshot skipped: ", why));
}

void SnapshotStates::Know(SequenceNumber sequence, const engine::Digest& state) {
  last_known_ = sequence;
  last_known_state_ = state;
  const auto found = candidates_.find(sequence);
  if (found == candidates_.end()) return;
  found->second.is_true = found->second.digest == state;
}

bool SnapshotStates::Wants(SequenceNumber sequence, uint64_t state_size) const {
  if (candidates_.contains(sequence)) return false;
  for (const Rhythm& rhythm : kRhythms) {
    if (state_size > rhythm.size_max) continue;
    return sequence.value() % rhythm.records == 0;
  }
  return false;
}

void SnapshotStates::Offer(Subject& subject, const Answer& answer) {
  if (!Wants(answer.last, answer.state_size)) return;
  absl::StatusOr<SavedState> state = subject.Save();
  if (state.ok() && state->sequence == answer.last) Keep(*std::move(state));
}

void SnapshotStates::Keep(SavedState state) {
  if (candidates_.contains(state.sequence)) return;
  Candidate candidate;
  candidate.digest = state.digest;
  candidate.is_true = last_known_ == state.sequence && last_known_state_ == state.digest;
  bytes_kept_ += state.size();
  const SequenceNumber sequence = state.sequence;
  candidate.state = std::move(state);
  candidates_[sequence] = std::move(candidate);
  ForgetAllBut(sequence);
}

// Forgets states until the rest fits: first those that also exist as files, and the oldest first,
// because the newest are used most.
void SnapshotStates::ForgetAllBut(SequenceNumber newest) {
  for (const bool has_file : {true, false}) {
    for (auto& [sequence, candidate] : candidates_) {
      if (bytes_kept_ <= bytes_kept_max_) return;
      if (sequence == newest || candidate.file_name.empty() == has_file) continue;
      if (!candidate.state.has_value()) continue;
      bytes_kept_ -= candidate.state->size();
      candidate.state.reset();
      if (!has_file) candidate.is_useless = true;
    }
  }
}

std::vector<const SavedState*> SnapshotStates::Kept() const {
  std::vector<const SavedState*> kept;
  for (const auto& [sequence, candidate] : candidates_) {
    if (candidate.file_name.empty() && candidate.state.has_value()) {
      kept.push_back(&*candidate.state);
    }
  }
  return kept;
}

absl::StatusOr<SavedState> SnapshotStates::Read(const std::string& file_name) const {
  ASSIGN_OR_RETURN(const std::unique_ptr<SnapshotFileReader> reader,
                   SnapshotFileReader::Open(*snapshots_, file_name));
  SavedState state{
      .sequence = reader->header().sequence, .digest = reader->header().state, .parts = {}};
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<engine::Bytes> part, reader->Next());
    if (!part.has_value()) return state;
    state.parts.emplace_back(part->begin(), part->end());
  }
}

const SavedState* SnapshotStates::Newest(SequenceNumber at_most) {
  for (auto next = candidates_.upper_bound(at_most); next != candidates_.begin();) {
    Candidate& candidate = (--next)->second;
    if (!candidate.is_true || candidate.is_useless) continue;
    if (candidate.state.has_value()) return &*candidate.state;
    absl::StatusOr<SavedState> state = Read(candidate.file_name);
    if (!state.ok()) {
      PassOver(candidate, state.status().message());
      continue;
    }
    bytes_kept_ += state->size();
    candidate.state = *std::move(state);
    ForgetAllBut(next->first);
    return &*candidate.state;
  }
  return nullptr;
}

absl::StatusOr<SequenceNumber> SnapshotStates::Restore(Subject& subject, SequenceNumber at_most) {
  began_at_ = {};
  for (const SavedState* state = Newest(at_most); state != nullptr; state = Newest(at_most)) {
    const absl::Status loaded = subject.Load(*state);
    if (loaded.ok()) return began_at_ = state->sequence;
    if (absl::IsAborted(loaded)) return loaded;
    if (absl::IsUnimplemented(loaded)) break;
    PassOver(candidates_[state->sequence], loaded.message());
  }
  RETURN_IF_ERROR(subject.Reset());
  return SequenceNumber();
}

}  // namespace replay
