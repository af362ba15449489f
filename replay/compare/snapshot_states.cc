#include "replay/compare/snapshot_states.h"

#include <algorithm>
#include <bit>
#include <limits>
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

// The records between two saved states: the least, and for each entity of the state, so that saving
// costs a small part of the pass.
constexpr uint64_t kRecordsBetween = 16 * journal::kCheckpointInterval;
constexpr uint64_t kRecordsPerEntity = 4;

// Another engine may report any size.
constexpr uint64_t kStateSizeMax = uint64_t{1} << 40;

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

bool SnapshotStates::Has(SequenceNumber sequence) const {
  const auto found = candidates_.find(sequence);
  return found != candidates_.end() && !found->second.is_useless;
}

void SnapshotStates::Drop(Candidate& candidate) {
  if (!candidate.state.has_value()) return;
  bytes_kept_ -= candidate.state->size();
  candidate.state.reset();
}

void SnapshotStates::PassOver(Candidate& candidate, absl::string_view why) {
  candidate.is_useless = true;
  Drop(candidate);
  warnings_.push_back(absl::StrCat("snapshot skipped: ", why));
}

void SnapshotStates::Know(SequenceNumber sequence, const engine::Digest& state) {
  last_known_ = sequence;
  last_known_state_ = state;
  const auto found = candidates_.find(sequence);
  if (found == candidates_.end()) return;
  found->second.is_true = found->second.digest == state;
}

// Powers of two, so that all passes save at the same records.
bool SnapshotStates::Wants(SequenceNumber sequence, uint64_t state_size) const {
  const uint64_t entities = std::min(state_size, kStateSizeMax);
  const uint64_t distance = std::bit_ceil(std::max(kRecordsBetween, kRecordsPerEntity * entities));
  return sequence.value() % distance == 0 && !Has(sequence);
}

void SnapshotStates::Offer(Subject& subject, const Answer& answer) {
  if (!Wants(answer.last, answer.state_size)) return;
  absl::StatusOr<SavedState> state = subject.Save();
  if (state.ok() && state->sequence == answer.last) Keep(*std::move(state));
}

void SnapshotStates::Keep(SavedState state) {
  if (Has(state.sequence)) return;
  Candidate candidate;
  candidate.digest = state.digest;
  candidate.is_true = last_known_ == state.sequence && last_known_state_ == state.digest;
  bytes_kept_ += state.size();
  const SequenceNumber sequence = state.sequence;
  candidate.state = std::move(state);
  candidates_[sequence] = std::move(candidate);
  ForgetAllBut(sequence);
}

// Forgets states until the rest fits: first those that also exist as files, then those closest to
// their neighbours, so that the rest are evenly spaced.
void SnapshotStates::ForgetAllBut(SequenceNumber needed) {
  for (auto& [sequence, candidate] : candidates_) {
    if (bytes_kept_ <= bytes_kept_max_) return;
    if (sequence != needed && !candidate.file_name.empty()) Drop(candidate);
  }
  while (bytes_kept_ > bytes_kept_max_) {
    const auto closest = ClosestToNeighbours(needed);
    if (closest == candidates_.end()) return;
    Drop(closest->second);
    candidates_.erase(closest);
  }
}

// Of the states in memory; the newest has no neighbour after it. end(): there is only `needed`.
SnapshotStates::Candidates::iterator SnapshotStates::ClosestToNeighbours(SequenceNumber needed) {
  std::vector<Candidates::iterator> kept;
  for (auto at = candidates_.begin(); at != candidates_.end(); ++at) {
    if (at->second.state.has_value()) kept.push_back(at);
  }
  auto closest = candidates_.end();
  uint64_t least = 0;
  for (size_t i = 0; i < kept.size(); ++i) {
    if (kept[i]->first == needed) continue;
    const uint64_t before = i == 0 ? 0 : kept[i - 1]->first.value();
    const uint64_t after =
        i + 1 < kept.size() ? kept[i + 1]->first.value() : std::numeric_limits<uint64_t>::max();
    if (closest != candidates_.end() && after - before >= least) continue;
    closest = kept[i];
    least = after - before;
  }
  return closest;
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
  for (const SavedState* state = Newest(at_most); state != nullptr; state = Newest(at_most)) {
    const absl::Status loaded = subject.Load(*state);
    if (loaded.ok()) {
      began_at_ = std::min(began_at_.value_or(state->sequence), state->sequence);
      return state->sequence;
    }
    if (absl::IsAborted(loaded)) return loaded;
    if (absl::IsUnimplemented(loaded)) break;
    PassOver(candidates_[state->sequence], loaded.message());
  }
  RETURN_IF_ERROR(subject.Reset());
  began_at_ = SequenceNumber();
  return SequenceNumber();
}

}  // namespace replay
