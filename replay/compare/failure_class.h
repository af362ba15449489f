// The way in which two engines differ, without order numbers and values: what minimization must
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
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/messages/event.h"
#include "replay/compare/lock_step.h"

namespace replay {

// A field in which two events differ. A regular value type.
struct FieldDifference {
  absl::string_view field;  // Its name in the text form: "price", "maker", "remaining".
  std::string a;
  std::string b;
};

// Returns the differing fields of two events of the same kind, in the order of the text form.
// Values are plain counts.
std::vector<FieldDifference> DifferingFields(const engine::Event& a, const engine::Event& b);

// Returns the index of the first event that differs; if one list is a prefix of the other, its
// length.
size_t FirstDifferingEvent(const Difference& difference);

std::string FailureClass(const Difference& difference);

// Returns where an engine ended, from its last output: "engine/core/ledger.cc:97", else its first
// line.
std::string EndSite(absl::string_view last_words);

}  // namespace replay

#endif  // REPLAY_COMPARE_FAILURE_CLASS_H_
