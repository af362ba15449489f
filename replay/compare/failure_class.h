// In which way two engines parted, without the numbers: what must stay the same while a log is made
// smaller, and what tells two bugs apart.
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

// A field of an event that differs. A regular value type.
struct FieldDifference {
  absl::string_view field;  // As the text form calls it: "price", "maker", "remaining".
  std::string a;
  std::string b;
};

// Those of two events of one kind, in the order of their words. Values are plain counts.
std::vector<FieldDifference> DifferingFields(const engine::Event& a, const engine::Event& b);

// The first place at which the two say different things; the longer one's end, if none does.
size_t FirstDifferingEvent(const Difference& difference);

std::string FailureClass(const Difference& difference);

// Where an engine ended, of its last words: "engine/core/ledger.cc:97", else the first line.
std::string EndSite(absl::string_view last_words);

}  // namespace replay

#endif  // REPLAY_COMPARE_FAILURE_CLASS_H_
