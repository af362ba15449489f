// The books of a feed against a model of std::map, under sound and hostile updates.

#include "engine/views/feed_books.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "engine/base/prng.h"
#include "engine/messages/book_update.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

using Level = FeedBooks::Level;

BookUpdate Add(uint64_t reference, int64_t price, uint64_t quantity, Side side = Side::kBid,
               uint16_t locate = 1) {
  return {.reference = reference,
          .price = Price::FromUnits(price),
          .quantity = Quantity::FromUnits(quantity),
          .locate = locate,
          .kind = BookUpdateKind::kAdd,
          .side = side};
}
BookUpdate Of(BookUpdateKind kind, uint64_t reference, uint64_t quantity = 0) {
  return {.reference = reference, .quantity = Quantity::FromUnits(quantity), .kind = kind};
}
BookUpdate Replace(uint64_t reference, uint64_t replacement, int64_t price, uint64_t quantity) {
  return {.reference = reference,
          .new_reference = replacement,
          .price = Price::FromUnits(price),
          .quantity = Quantity::FromUnits(quantity),
          .kind = BookUpdateKind::kReplace};
}
Level LevelOf(int64_t price, uint64_t quantity, uint64_t order_count) {
  return {.price = Price::FromUnits(price),
          .quantity = Quantity::FromUnits(quantity),
          .order_count = order_count};
}
std::vector<Level> LevelsOf(const FeedBooks& books, Side side, uint16_t locate = 1) {
  const std::span<const Level> levels = books.levels(locate, side);
  return {levels.begin(), levels.end()};
}

TEST(FeedBooks, LevelsAreFromTheWorstToTheBest) {
  FeedBooks books;
  EXPECT_EQ(books.best(1, Side::kBid), nullptr);
  for (const BookUpdate& update :
       {Add(1, 100, 5), Add(2, 102, 6), Add(3, 101, 7), Add(4, 102, 1), Add(5, 105, 5, Side::kAsk),
        Add(6, 104, 6, Side::kAsk), Add(7, 104, 9, Side::kAsk, 65'535)}) {
    books.Apply(update);
  }
  EXPECT_EQ(LevelsOf(books, Side::kBid),
            (std::vector<Level>{LevelOf(100, 5, 1), LevelOf(101, 7, 1), LevelOf(102, 7, 2)}));
  EXPECT_EQ(LevelsOf(books, Side::kAsk),
            (std::vector<Level>{LevelOf(105, 5, 1), LevelOf(104, 6, 1)}));
  EXPECT_EQ(*books.best(1, Side::kBid), LevelOf(102, 7, 2));
  EXPECT_EQ(*books.best(65'535, Side::kAsk), LevelOf(104, 9, 1));
  EXPECT_EQ(books.best(2, Side::kAsk), nullptr);
  EXPECT_EQ(books.order_count(), 7u);
}

TEST(FeedBooks, OrdersShrinkLeaveAndAreReplaced) {
  FeedBooks books;
  books.Apply(Add(1, 100, 5));
  books.Apply(Add(2, 100, 6));
  books.Apply(Of(BookUpdateKind::kExecute, 1, 2));
  books.Apply(Of(BookUpdateKind::kCancel, 2, 1));
  EXPECT_EQ(LevelsOf(books, Side::kBid), (std::vector<Level>{LevelOf(100, 8, 2)}));
  books.Apply(Of(BookUpdateKind::kExecute, 1, 3));
  EXPECT_EQ(LevelsOf(books, Side::kBid), (std::vector<Level>{LevelOf(100, 5, 1)}));
  books.Apply(Replace(2, 3, 99, 7));
  EXPECT_EQ(LevelsOf(books, Side::kBid), (std::vector<Level>{LevelOf(99, 7, 1)}));
  books.Apply(Of(BookUpdateKind::kDelete, 3));
  EXPECT_EQ(LevelsOf(books, Side::kBid), (std::vector<Level>{}));
  EXPECT_EQ(books.counters(), (FeedBooks::Counters{.applied = 7}));
}

TEST(FeedBooks, WhatContradictsTheBooksIsCounted) {
  FeedBooks books(2);
  for (const BookUpdate& update :
       {Of(BookUpdateKind::kDelete, 9), Of(BookUpdateKind::kExecute, 9, 1), Replace(9, 10, 1, 1),
        Add(1, 100, 5), Add(1, 101, 6), Add(2, 100, 0), Add(2, 100, 10'000'000'001),
        Add(2, 100, 5, Side{}), BookUpdate{.kind = static_cast<BookUpdateKind>(77)}, Add(2, 103, 5),
        Add(3, 100, 5), Of(BookUpdateKind::kCancel, 2, 6)}) {
    books.Apply(update);
  }
  EXPECT_EQ(books.counters(), (FeedBooks::Counters{.applied = 12,
                                                   .unknown_references = 3,
                                                   .duplicates = 1,
                                                   .quantities_exceeded = 1,
                                                   .invalid = 4,
                                                   .beyond_limit = 1}));
  EXPECT_EQ(LevelsOf(books, Side::kBid), (std::vector<Level>{LevelOf(100, 5, 1)}));
}

TEST(FeedBooks, ClearEmptiesAllBooks) {
  FeedBooks books;
  books.Apply(Add(1, 100, 5));
  books.Apply(Add(2, 100, 5, Side::kAsk, 7));
  books.Apply(Of(BookUpdateKind::kClear, 0));
  EXPECT_EQ(books.order_count(), 0u);
  EXPECT_EQ(books.best(1, Side::kBid), nullptr);
  EXPECT_EQ(books.best(7, Side::kAsk), nullptr);
  books.Apply(Add(1, 100, 5));
  EXPECT_EQ(*books.best(1, Side::kBid), LevelOf(100, 5, 1));
}

// The same with std::map.
class Model {
 public:
  void Apply(const BookUpdate& update) {
    switch (update.kind) {
      case BookUpdateKind::kAdd:
        return Insert(update.reference, update);
      case BookUpdateKind::kExecute:
      case BookUpdateKind::kCancel: {
        const auto order = orders_.find(update.reference);
        if (order == orders_.end()) return;
        const uint64_t before = order->second.quantity.units();
        const uint64_t taken = update.quantity.units();
        if (taken >= before) {
          orders_.erase(order);
        } else {
          order->second.quantity = Quantity::FromUnits(before - taken);
        }
        return;
      }
      case BookUpdateKind::kDelete:
        orders_.erase(update.reference);
        return;
      case BookUpdateKind::kReplace: {
        const auto order = orders_.find(update.reference);
        if (order == orders_.end()) return;
        BookUpdate replacement = order->second;
        orders_.erase(order);
        replacement.price = update.price;
        replacement.quantity = update.quantity;
        return Insert(update.new_reference, replacement);
      }
      case BookUpdateKind::kClear:
        orders_.clear();
    }
  }

  std::vector<Level> Levels(uint16_t locate, Side side) const {
    std::map<int64_t, Level> by_price;
    for (const auto& [reference, order] : orders_) {
      if (order.locate != locate || order.side != side) continue;
      const int64_t price = order.price.units();
      Level& level = by_price[side == Side::kBid ? price : -price];
      level.price = order.price;
      level.quantity += order.quantity;
      ++level.order_count;
    }
    std::vector<Level> levels;
    for (const auto& [key, level] : by_price) levels.push_back(level);
    return levels;
  }
  size_t order_count() const { return orders_.size(); }

 private:
  void Insert(uint64_t reference, const BookUpdate& add) {
    if (add.quantity.is_zero() || add.quantity > kQuantityMax || !IsValid(add.side)) return;
    orders_.try_emplace(reference, add);
  }

  std::map<uint64_t, BookUpdate> orders_;
};

// How references, prices and kinds are drawn.
struct Mix {
  uint64_t references;  // So few that they repeat.
  uint64_t stride;
  uint64_t prices;
  uint64_t adds;  // In a hundred.
};

BookUpdate Draw(Prng& prng, const Mix& mix) {
  BookUpdate update;
  update.reference = prng.Below(mix.references) * mix.stride;
  update.new_reference = prng.Below(mix.references) * mix.stride;
  update.price = Price::FromUnits(static_cast<int64_t>(prng.Below(mix.prices)) - 3);
  update.quantity = Quantity::FromUnits(prng.Below(12));
  if (prng.Below(100) == 0) update.quantity = Quantity::FromUnits(~uint64_t{0} - prng.Below(2));
  update.locate = static_cast<uint16_t>(prng.Below(3));
  update.side = static_cast<Side>(1 + prng.Below(2));
  if (prng.Below(100) == 0) update.side = static_cast<Side>(prng.Below(256));
  const bool is_add = prng.Below(100) < mix.adds;
  update.kind = is_add ? BookUpdateKind::kAdd : static_cast<BookUpdateKind>(1 + prng.Below(4));
  if (prng.Below(5'000) == 0) update.kind = BookUpdateKind::kClear;
  if (prng.Below(1'000) == 0) update.kind = static_cast<BookUpdateKind>(6 + prng.Below(250));
  return update;
}

void ExpectEqual(const FeedBooks& books, const Model& model) {
  RC_ASSERT(books.order_count() == model.order_count());
  for (uint16_t locate = 0; locate < 4; ++locate) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      RC_ASSERT(LevelsOf(books, side, locate) == model.Levels(locate, side));
    }
  }
}

RC_GTEST_PROP(FeedBooks, EqualAModel, (uint64_t seed)) {
  Prng prng(seed);
  constexpr std::array<Mix, 4> kMixes = {
      {{.references = 30, .stride = 1, .prices = 7, .adds = 40},
       {.references = 300, .stride = 4, .prices = 90, .adds = 60},
       {.references = 3'000, .stride = 1, .prices = 400, .adds = 90},
       // All in one slot of a table by low bits.
       {.references = 300, .stride = uint64_t{1} << 40, .prices = 20, .adds = 50}}};
  const Mix mix = kMixes[prng.Below(kMixes.size())];
  FeedBooks books;
  Model model;
  for (int i = 0; i < 60; ++i) {
    std::vector<BookUpdate> updates(prng.Below(50));
    for (BookUpdate& update : updates) {
      update = Draw(prng, mix);
      model.Apply(update);
    }
    if (prng.Below(2) == 0) {
      books.Apply(updates);
    } else {
      for (const BookUpdate& update : updates) books.Apply(update);
    }
    ExpectEqual(books, model);
  }
}

}  // namespace
}  // namespace engine
