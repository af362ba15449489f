#include "engine/core/state_digest.h"

#include <array>
#include <cstddef>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/messages/market_definition_codec.h"

namespace engine {
namespace {

// The first word says what follows, so that no order can pass for a market; its last character is
// the version of the layout.
constexpr uint64_t Tag(const char (&text)[9]) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8 | static_cast<uint8_t>(text[i]);
  return word;
}
constexpr uint64_t kOrderTag = Tag("order  1");
constexpr uint64_t kMarketTag = Tag("market 1");
constexpr uint64_t kStateTag = Tag("state  1");

template <size_t n>
Digest DigestOfWords(const std::array<uint64_t, n>& words) {
  return DigestOf(AsBytes(words));
}

}  // namespace

Digest DigestOfOrder(const RestingOrder& order) {
  const uint64_t account_and_market =
      order.account.value() | static_cast<uint64_t>(order.market.value()) << 32;
  return DigestOfWords(std::array<uint64_t, 8>{
      kOrderTag, order.id.value(), order.priority.value(),
      static_cast<uint64_t>(order.price.units()), order.quantity_remaining.units(),
      order.quantity_filled.units(), account_and_market, static_cast<uint64_t>(order.side)});
}

Digest DigestOfMarket(const MarketDefinition& definition) {
  const std::vector<std::byte> bytes = EncodeMarketDefinition(definition);
  const Digest digest = DigestOf(bytes);
  return DigestOfWords(std::array<uint64_t, 3>{kMarketTag, digest.low, digest.high});
}

Digest DigestOfState(const StateSummary& state) {
  constexpr uint64_t kReserved = 0;
  return DigestOfWords(std::array<uint64_t, 8>{
      kStateTag, state.last_applied.value(), static_cast<uint64_t>(state.now.nanos()),
      state.market_count, state.live_order_count, kReserved, state.sum.low, state.sum.high});
}

}  // namespace engine
