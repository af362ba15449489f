// What commands change in the depth: the levels whose quantity differs, each once a command.
//
//   taker buys 7: [ask 20.02: 5 → 0] [ask 20.03: 4 → 2]

#ifndef ENGINE_VIEWS_DEPTH_CHANGES_H_
#define ENGINE_VIEWS_DEPTH_CHANGES_H_

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"

namespace engine {

struct DepthChange {
  MarketId market = {};
  Side side = {};
  Price price = {};
  Quantity before = {};
  Quantity after = {};  // Never equal to `before`.

  int64_t change() const {
    return static_cast<int64_t>(after.units()) - static_cast<int64_t>(before.units());
  }
  friend bool operator==(const DepthChange&, const DepthChange&) = default;
};

// Not thread-safe: owned by the reader of the log, as is the view. Its memory is reused.
class DepthChanges {
 public:
  // Gives the command to the view. Returns the changes, in the order in which its events name the
  // levels; valid until the next call. REQUIRES: those of DepthView::OnEvents().
  std::span<const DepthChange> Fold(const Command& command, std::span<const Event> events,
                                    DepthView& depth);

 private:
  // A level by its name.
  struct Key {
    MarketId market;
    Side side;
    Price price;

    friend bool operator==(const Key&, const Key&) = default;
    template <typename H>
    friend H AbslHashValue(H h, const Key& key) {
      return H::combine(std::move(h), key.market.value(), key.side, key.price.units());
    }
  };

  void Touch(MarketId market, Side side, Price price, const DepthView& depth);
  void TouchLevelOf(OrderId order, const DepthView& depth);
  void TouchLevelsOf(const Event& event, const DepthView& depth);

  std::vector<DepthChange> changes_;
  absl::flat_hash_set<Key> touched_;  // The levels of changes_.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_DEPTH_CHANGES_H_
