// What a machine that is no exchange can show of its state: entities as named values.
//
//   position market=MKT001 position=1.50 profit=3.20
//   order market=MKT001 order=9 side=bid price=0.4900 remaining=0.50

#ifndef REPLAY_DESCRIBED_STATE_H_
#define REPLAY_DESCRIBED_STATE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "replay/machine.h"
#include "replay/vocabulary.h"

namespace replay {

// A regular value type.
struct StateEntity {
  std::string kind;
  std::vector<NamedValue> values;  // As a vocabulary's Fields(), with symbols and decimals.
};

// A machine that can show its state implements it too. Not thread-safe.
class DescribedState {
 public:
  virtual ~DescribedState() = default;

  // In a fixed order; of long lists, such as the levels of a book, the first `list_max`.
  virtual std::vector<StateEntity> Describe(size_t list_max) const = 0;
};

// Null if `machine` shows nothing.
inline const DescribedState* FindDescribed(const Machine& machine) {
  return dynamic_cast<const DescribedState*>(&machine);
}

}  // namespace replay

#endif  // REPLAY_DESCRIBED_STATE_H_
