#include "replay/checkpoint_check.h"

#include <array>
#include <cstdint>
#include <optional>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"

namespace replay {
namespace {

// The log comes first: a different log explains different events, and these a different state.
struct DigestKind {
  absl::string_view name;
  std::optional<engine::Digest> journal::Checkpoint::*digest;
  uint64_t DigestCounts::*count;
};
constexpr std::array<DigestKind, 3> kDigestKinds = {
    {{"log", &journal::Checkpoint::log, &DigestCounts::log},
     {"trace", &journal::Checkpoint::trace, &DigestCounts::trace},
     {"state", &journal::Checkpoint::state, &DigestCounts::state}}};

// Digests that either side lacks do not differ.
bool Differ(const DigestKind& kind, const journal::Checkpoint& a, const journal::Checkpoint& b) {
  return (a.*kind.digest).has_value() && (b.*kind.digest).has_value() &&
         a.*kind.digest != b.*kind.digest;
}

}  // namespace

std::string CheckpointDivergence::ToString() const {
  for (const DigestKind& kind : kDigestKinds) {
    if (!Differ(kind, recorded, replayed)) continue;
    return absl::StrCat(kind.name, " digest differs at ", recorded.sequence.value(), " (equal at ",
                        last_equal.value(), "): recorded ", (recorded.*kind.digest)->ToString(),
                        ", replayed ", (replayed.*kind.digest)->ToString());
  }
  return "";
}

std::optional<engine::SequenceNumber> CheckpointCheck::NextAfter(engine::SequenceNumber sequence) {
  SkipBefore(sequence.Next());
  if (next_ == recorded_.size()) return std::nullopt;
  return recorded_[next_].sequence;
}

void CheckpointCheck::SkipBefore(engine::SequenceNumber sequence) {
  while (next_ < recorded_.size() && recorded_[next_].sequence < sequence) ++next_;
}

void CheckpointCheck::Compare(const journal::Checkpoint& replayed) {
  SkipBefore(replayed.sequence);
  if (next_ == recorded_.size() || recorded_[next_].sequence != replayed.sequence) return;
  const journal::Checkpoint& recorded = recorded_[next_++];
  ++compared_count_;
  bool differs = false;
  for (const DigestKind& kind : kDigestKinds) {
    const bool are_both_there =
        (recorded.*kind.digest).has_value() && (replayed.*kind.digest).has_value();
    if (are_both_there) ++(digests_compared_.*kind.count);
    differs |= Differ(kind, recorded, replayed);
  }
  if (divergence_.has_value()) return;
  if (!differs) {
    last_equal_ = recorded.sequence;
  } else {
    divergence_ =
        CheckpointDivergence{.last_equal = last_equal_, .recorded = recorded, .replayed = replayed};
  }
}

}  // namespace replay
