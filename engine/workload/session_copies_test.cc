#include "engine/workload/session_copies.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/workload/nasdaq_open_stream.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

constexpr uint32_t kMarkets = 8'849;
constexpr size_t kOrders = 41'078;  // 49,927 commands, less the definitions.

Workload Copies(uint32_t count) {
  return MakeSessionCopies({.name = "copies",
                            .itch_stream = NasdaqOpenStream(),
                            .midnight = kNasdaqOpenMidnight,
                            .copy_count = count});
}

const Workload& Single() {
  static const auto& single = *new Workload(Copies(1));
  return single;
}

const Workload& Triple() {
  static const auto& triple = *new Workload(Copies(3));
  return triple;
}

engine::MarketDefinition DefinitionAt(const Workload& workload, size_t at) {
  EXPECT_EQ(workload.attachments[at].first, at);
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(workload.attachments[at].second);
  EXPECT_TRUE(definition.ok()) << definition.status();
  return *std::move(definition);
}

TEST(SessionCopies, DefinitionsAreTheWarmUp) {
  EXPECT_EQ(Single().warm_up_count, kMarkets);
  EXPECT_EQ(Single().commands.size(), kMarkets + kOrders);
  EXPECT_EQ(Triple().warm_up_count, 3 * kMarkets);
  EXPECT_EQ(Triple().commands.size(), 3 * (kMarkets + kOrders));
  for (size_t i = 0; i < Triple().commands.size(); ++i) {
    const bool defines = Triple().commands[i].kind == engine::CommandKind::kDefineMarket;
    ASSERT_EQ(defines, i < 3 * kMarkets) << i;
  }
}

TEST(SessionCopies, MarketsOfCopiesDifferInIdAndSymbolAlone) {
  std::set<std::string> symbols;
  for (size_t i = 0; i < 3 * kMarkets; ++i) {
    const auto copy = static_cast<uint32_t>(i / kMarkets);
    const engine::MarketDefinition original = DefinitionAt(Single(), i % kMarkets);
    engine::MarketDefinition expected = original;
    expected.id = engine::MarketId(original.id.value() + copy * kMarkets);
    if (copy != 0) expected.symbol = absl::StrCat(original.symbol, "/", copy);
    ASSERT_EQ(DefinitionAt(Triple(), i), expected);
    ASSERT_TRUE(symbols.insert(expected.symbol).second) << expected.symbol;
  }
}

// A copy names its own orders in its own markets; all else is as in the session.
TEST(SessionCopies, OrdersAreThoseOfTheSession) {
  size_t named = 0;
  for (size_t i = 0; i < 3 * kOrders; ++i) {
    const auto copy = static_cast<uint32_t>(i / kOrders);
    const engine::Command& made = Triple().commands[3 * kMarkets + i];
    engine::Command expected = Single().commands[kMarkets + i % kOrders];
    expected.market = engine::MarketId(expected.market.value() + copy * kMarkets);
    if (expected.order_id != engine::OrderId()) {
      const uint64_t order = expected.order_id.value() - kMarkets + copy * kOrders;
      expected.order_id = engine::OrderId(3 * kMarkets + order);
      ++named;
    }
    expected.sequence = made.sequence;
    expected.timestamp = made.timestamp;
    ASSERT_EQ(made, expected) << i;
  }
  EXPECT_GT(named, 3u);
}

TEST(SessionCopies, EachTakesAsLongAsTheSession) {
  const auto nanos_since_begin = [](size_t i) {
    return Triple().commands[i].timestamp.nanos() -
           Triple().commands[3 * kMarkets].timestamp.nanos();
  };
  const int64_t session_nanos = nanos_since_begin(3 * kMarkets + kOrders - 1);
  EXPECT_GT(session_nanos, 90'000'000);
  EXPECT_LT(session_nanos, 110'000'000);
  for (size_t i = 0; i < kOrders; ++i) {
    const size_t at = 3 * kMarkets + kOrders + i;
    ASSERT_EQ(nanos_since_begin(at), nanos_since_begin(3 * kMarkets + i) + session_nanos) << i;
  }
}

}  // namespace
}  // namespace bench
