// The best price levels of one side of one market, kept incrementally: rows of market data show
// them after every change.
//
//   top    [20.01: 8 (2)] [20.00: 1 (1)] ... at most `depth` levels, best first
//   deep   the others, by price: touched only when a level joins or leaves the top

#ifndef ENGINE_VIEWS_TOP_LEVELS_H_
#define ENGINE_VIEWS_TOP_LEVELS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>

#include "engine/base/check.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// Not thread-safe: owned by the reader of the log.
class TopLevels {
 public:
  static constexpr size_t kDepthMax = 10;
  static constexpr size_t kBeyond = ~size_t{0};

  struct Level {
    Price price = {};
    Quantity quantity = {};
    uint64_t order_count = 0;

    friend bool operator==(const Level&, const Level&) = default;
  };

  // REQUIRES: 1 <= depth <= kDepthMax.
  TopLevels(Side side, size_t depth) : side_(side), depth_(depth) {
    CHECK(depth >= 1 && depth <= kDepthMax);
  }

  // Adds to the level's quantity (modulo 2^64: a negative number subtracts) and to its number of
  // orders; creates the level, or removes it when it has no orders. Returns its index, which a
  // removed level had until now, or kBeyond if it is not among the best. Of levels(), what is
  // before the index has not changed.
  size_t Change(Price price, int64_t quantity, int64_t order_count);

  // Best first, at most `depth`.
  std::span<const Level> levels() const { return {top_.data(), count_}; }

 private:
  // Whether `a` is a better price than `b`.
  bool IsBetter(Price a, Price b) const { return side_ == Side::kBid ? a > b : a < b; }
  // Ascending keys are from the best price to the worst.
  int64_t KeyOf(Price price) const { return side_ == Side::kBid ? -price.units() : price.units(); }
  void ChangeDeep(Price price, int64_t quantity, int64_t order_count);
  void Insert(size_t at, const Level& level);
  void Remove(size_t at);

  Side side_;
  size_t depth_;
  size_t count_ = 0;
  std::array<Level, kDepthMax> top_ = {};
  std::map<int64_t, Level> deep_;  // Empty unless the top is full.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_TOP_LEVELS_H_
