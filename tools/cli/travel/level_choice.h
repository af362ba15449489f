// The price level whose queue is shown: the n-th from the best, or that of the watched order.

#ifndef TOOLS_CLI_TRAVEL_LEVEL_CHOICE_H_
#define TOOLS_CLI_TRAVEL_LEVEL_CHOICE_H_

#include <cstddef>

#include "engine/types/side.h"

namespace tools {

// A regular value type. Levels are counted from 0, the best of their side; the ladder shows them
// with the highest price at the top: ask 1, ask 0, bid 0, bid 1.
class LevelChoice {
 public:
  engine::Side side() const { return side_; }
  size_t index() const { return index_; }

  // Shows the watched order's level instead, while the order rests in the market shown.
  bool follows_order() const { return follows_order_; }

  void FollowOrder() { follows_order_ = true; }
  void Best(engine::Side side) { *this = LevelChoice(side, 0); }
  void Up() {
    if (side_ == engine::Side::kAsk) {
      *this = LevelChoice(side_, index_ + 1);
    } else {
      *this = index_ == 0 ? LevelChoice(engine::Side::kAsk, 0) : LevelChoice(side_, index_ - 1);
    }
  }
  void Down() {
    if (side_ == engine::Side::kBid) {
      *this = LevelChoice(side_, index_ + 1);
    } else {
      *this = index_ == 0 ? LevelChoice(engine::Side::kBid, 0) : LevelChoice(side_, index_ - 1);
    }
  }

  LevelChoice() = default;
  friend bool operator==(const LevelChoice&, const LevelChoice&) = default;

 private:
  LevelChoice(engine::Side side, size_t index) : side_(side), index_(index) {}

  engine::Side side_ = engine::Side::kBid;
  size_t index_ = 0;
  bool follows_order_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_LEVEL_CHOICE_H_
