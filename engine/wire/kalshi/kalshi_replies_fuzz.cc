// Any body is a value within its bounds, or an error with a text, for every kind of reply.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "engine/wire/kalshi/client_replies.h"
#include "engine/wire/kalshi/numbers.h"

namespace {

using engine::kalshi::Count;
using engine::kalshi::kVenueCountMax;

void CheckCount(Count count) { CHECK(count >= Count() && count <= kVenueCountMax); }
void CheckPrice(engine::Price price) {
  CHECK(price >= engine::Price() && price <= engine::kalshi::kOneDollar);
}

void CheckItem(const engine::kalshi::Order& order) {
  CheckPrice(order.price);
  CheckCount(order.fill_count);
  CheckCount(order.remaining_count);
  CheckCount(order.initial_count);
}
void CheckItem(const engine::kalshi::Fill& fill) {
  CheckPrice(fill.price);
  CheckCount(fill.count);
  CHECK(fill.fee <= engine::kMoneyMax);
}
void CheckItem(const engine::kalshi::MarketPosition& position) {
  CHECK(position.position <= kVenueCountMax && Count() - position.position <= kVenueCountMax);
}
void CheckItem(const engine::kalshi::ReadMarket& market) {
  for (const engine::kalshi::PriceRange& range : market.price_ranges) CheckPrice(range.step);
}

template <typename T>
void CheckReply(const T& reply) {
  CHECK(reply.ok() || !reply.status().message().empty());
}

template <typename T>
void CheckPage(const T& page) {
  CheckReply(page);
  if (!page.ok()) return;
  for (const auto& item : page->items) CheckItem(item);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static engine::kalshi::ReplyReader reader;
  const absl::string_view body(reinterpret_cast<const char*>(data), size);
  CheckReply(reader.OrderReply(body));
  CheckReply(reader.CancelReply(body));
  CheckPage(reader.Orders(body));
  CheckPage(reader.Fills(body));
  CheckPage(reader.Positions(body));
  CheckReply(reader.Market(body));
  CheckPage(reader.Markets(body));
  CheckReply(reader.Limits(body));
  CheckReply(reader.Balance(body));
  reader.Error(body);
  return 0;
}
