#include "replay/checkpoint_check.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"

namespace replay {
namespace {

using OptionalDigest = std::optional<engine::Digest>;

bool AreBothThere(const OptionalDigest& a, const OptionalDigest& b) {
  return a.has_value() && b.has_value();
}

bool Differ(const OptionalDigest& a, const OptionalDigest& b) {
  return AreBothThere(a, b) && *a != *b;
}

}  // namespace

std::string CheckpointDivergence::ToString() const {
  const auto describe = [this](absl::string_view which, const OptionalDigest& was,
                               const OptionalDigest& is) {
    return absl::StrCat(which, " digest differs at ", recorded.sequence.value(), " (equal at ",
                        last_equal.value(), "): recorded ", was->ToString(), ", replayed ",
                        is->ToString());
  };
  // The log comes first: a different log explains different events, and these a different state.
  if (Differ(recorded.log, replayed.log)) return describe("log", recorded.log, replayed.log);
  if (Differ(recorded.trace, replayed.trace)) {
    return describe("trace", recorded.trace, replayed.trace);
  }
  return describe("state", recorded.state, replayed.state);
}

bool CheckpointCheck::WantsAt(engine::SequenceNumber sequence) {
  SkipBefore(sequence);
  return next_ != recorded_.size() && recorded_[next_].sequence == sequence;
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
  if (AreBothThere(recorded.log, replayed.log)) ++digests_compared_.log;
  if (AreBothThere(recorded.trace, replayed.trace)) ++digests_compared_.trace;
  if (AreBothThere(recorded.state, replayed.state)) ++digests_compared_.state;
  const bool differs = Differ(recorded.log, replayed.log) ||
                       Differ(recorded.trace, replayed.trace) ||
                       Differ(recorded.state, replayed.state);
  if (!differs) {
    if (!divergence_.has_value()) last_equal_ = recorded.sequence;
  } else if (!divergence_.has_value()) {
    divergence_ =
        CheckpointDivergence{.last_equal = last_equal_, .recorded = recorded, .replayed = replayed};
  }
}

}  // namespace replay
