#include "engine/messages/symbol_table.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// A table with the definitions that it refers to.
class Markets {
 public:
  void Add(const std::string& symbol) {
    definitions_.push_back(
        {.id = MarketId(static_cast<uint32_t>(definitions_.size() + 1)), .symbol = symbol});
    table_.Insert(definitions_.back());
  }
  uint32_t Find(absl::string_view symbol) const {
    const MarketDefinition* const found = table_.Find(symbol);
    return found == nullptr ? 0 : found->id.value();
  }
  size_t StepsTo(absl::string_view symbol) const { return table_.StepsTo(symbol); }

 private:
  std::deque<MarketDefinition> definitions_;  // They do not move.
  SymbolTable table_;
};

TEST(SymbolTable, FindsSymbolsOfAllLengths) {
  Markets markets;
  const std::string longest(2 * kSymbolBytesMax, 'X');
  for (size_t length = 0; length <= longest.size(); length += 2) {
    markets.Add(longest.substr(0, length));
  }
  for (size_t length = 0; length <= longest.size(); ++length) {
    EXPECT_EQ(markets.Find(longest.substr(0, length)), length % 2 == 0 ? length / 2 + 1 : 0)
        << length;
  }
}

TEST(SymbolTable, EveryByteCounts) {
  for (size_t length = 1; length <= kSymbolBytesMax; ++length) {
    Markets markets;
    markets.Add(std::string(length, 'A'));
    for (size_t at = 0; at < length; ++at) {
      std::string other(length, 'A');
      other[at] = 'B';
      EXPECT_EQ(markets.Find(other), 0u) << other;
      markets.Add(other);
      EXPECT_EQ(markets.Find(other), at + 2) << other;
    }
  }
}

// The table takes any bytes, as a client may send them.
TEST(SymbolTable, ZeroBytesAreBytes) {
  Markets markets;
  markets.Add("A");
  EXPECT_EQ(markets.Find(absl::string_view("A\0", 2)), 0u);
  EXPECT_EQ(markets.Find(absl::string_view("A\0\0\0\0", 5)), 0u);
  markets.Add(std::string("A\0", 2));
  EXPECT_EQ(markets.Find("A"), 1u);
  EXPECT_EQ(markets.Find(absl::string_view("A\0", 2)), 2u);
}

// Of few letters, so that symbols repeat and begin alike.
std::string AnySymbol(Prng& prng, size_t length_max) {
  std::string symbol(prng.Below(length_max + 1), ' ');
  for (char& letter : symbol) letter = static_cast<char>('A' + prng.Below(3));
  return symbol;
}

void ExpectToBeAMap(uint64_t seed, size_t length_max, size_t count) {
  Prng prng(seed);
  Markets markets;
  std::map<std::string, uint32_t> model;
  for (size_t i = 0; i < count; ++i) {
    const std::string symbol = AnySymbol(prng, length_max);
    if (model.try_emplace(symbol, model.size() + 1).second) markets.Add(symbol);
    const std::string other = AnySymbol(prng, length_max);
    const auto found = model.find(other);
    ASSERT_EQ(markets.Find(other), found == model.end() ? 0 : found->second) << other;
  }
  for (const auto& [symbol, id] : model) ASSERT_EQ(markets.Find(symbol), id) << symbol;
}

TEST(SymbolTable, IsAMap) {
  for (uint64_t seed = 1; seed <= 100; ++seed) ExpectToBeAMap(seed, 3, 30);
  for (size_t length = 4; length <= kSymbolBytesMax; ++length) {
    ExpectToBeAMap(length, length, 5'000);
  }
}

// In a table that is at most half full, one that spreads its symbols needs one step and a half.
void ExpectFewSteps(absl::string_view prefix) {
  constexpr size_t kCount = 10'000;
  Markets markets;
  for (size_t i = 0; i < kCount; ++i) markets.Add(absl::StrCat(prefix, i));
  size_t steps = 0;
  size_t most = 0;
  for (size_t i = 0; i < kCount; ++i) {
    const size_t taken = markets.StepsTo(absl::StrCat(prefix, i));
    steps += taken;
    most = std::max(most, taken);
  }
  EXPECT_LT(steps, 2 * kCount) << prefix;
  EXPECT_LE(most, 32u) << prefix;
}

TEST(SymbolTable, LikeSymbolsTakeFewSteps) {
  ExpectFewSteps("");
  ExpectFewSteps("SYM");
  ExpectFewSteps("KXHIGHNY-26NOV24-B");
  ExpectFewSteps("A-SYMBOL-OF-TWENTY-EIGHT-BY-");
}

}  // namespace
}  // namespace engine
