// The way in which two machines diverge, without order numbers and values: what minimization must
// preserve, and what distinguishes two bugs.
//
//   new_order: trade.price
//   new_order: rejected(post_only_would_cross) against accepted
//   cancel: state
//   new_order: B ends at engine/core/ledger.cc:97

#ifndef REPLAY_COMPARE_FAILURE_CLASS_H_
#define REPLAY_COMPARE_FAILURE_CLASS_H_

#include <cstddef>
#include <string>

#include "absl/strings/string_view.h"
#include "replay/compare/lock_step.h"
#include "replay/vocabulary.h"

namespace replay {

// Returns the index of the first output that differs; if one list is a prefix of the other, its
// length.
size_t FirstDifferingOutput(const Divergence& divergence);

std::string FailureClass(const Divergence& divergence, const Vocabulary& vocabulary);

// Returns where an engine ended, from its last output: "engine/core/ledger.cc:97", else its first
// line.
std::string EndSite(absl::string_view last_words);

}  // namespace replay

#endif  // REPLAY_COMPARE_FAILURE_CLASS_H_
