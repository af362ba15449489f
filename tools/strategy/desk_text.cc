#include "tools/strategy/desk_text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "tools/strategy/book.h"
#include "tools/strategy/input.h"

namespace strategy {
namespace {

using engine::MarketDefinition;
using replay::NamedValue;
using replay::StateEntity;

NamedValue Text(absl::string_view name, absl::string_view value) {
  return {.name = std::string(name), .value = std::string(value), .is_text = true};
}

NamedValue Number(absl::string_view name, uint64_t value) {
  return {.name = std::string(name), .value = absl::StrCat(value)};
}

NamedValue PriceOf(engine::Price price, const MarketDefinition& market) {
  return Text("price", engine::FormatPrice(price, market.price_decimals));
}

NamedValue QuantityOf(absl::string_view name, engine::Quantity quantity,
                      const MarketDefinition& market) {
  return Text(name, engine::FormatQuantity(quantity, market.quantity_decimals));
}

StateEntity DescribeMarket(const Desk::Market& market) {
  const MarketDefinition& definition = market.definition;
  // A position is signed, as a price is.
  const auto position = engine::Price::FromUnits(market.position.units());
  StateEntity entity = {
      .kind = "market",
      .values = {Text("market", definition.symbol),
                 Text("book", market.book.is_good() ? "good" : "stale"),
                 Text("position", engine::FormatPrice(position, definition.quantity_decimals)),
                 Text("fees", market.position.fees().ToString()),
                 Text("profit", market.profit.ToString())}};
  if (market.is_settled) entity.values.push_back(Number("settled", 1));
  return entity;
}

void DescribeSide(const Desk::Market& market, engine::Side side, size_t level_max,
                  std::vector<StateEntity>& entities) {
  const MarketDefinition& definition = market.definition;
  for (size_t i = 0; i < std::min(level_max, market.book.size(side)); ++i) {
    const Book::Level& level = market.book.at(side, i);
    entities.push_back(
        {.kind = "level",
         .values = {Text("market", definition.symbol), Text("side", engine::NameOf(side)),
                    PriceOf(level.price, definition),
                    QuantityOf("quantity", level.quantity, definition)}});
  }
}

StateEntity DescribeOrder(const Order& order, const MarketDefinition& market) {
  return {
      .kind = "order",
      .values = {Text("market", market.symbol), Number("order", order.number.value()),
                 Text("side", engine::NameOf(order.side)), PriceOf(order.price, market),
                 QuantityOf("remaining", order.remaining, market),
                 QuantityOf("filled", order.filled, market), Text("state", NameOf(order.state))}};
}

}  // namespace

absl::string_view NameOf(OrderState state) {
  static constexpr std::array<absl::string_view, 6> kNames = {"ended",    "sent",       "live",
                                                              "amending", "cancelling", "unsure"};
  return kNames[static_cast<size_t>(state)];
}

std::vector<StateEntity> DescribeDesk(const Desk& desk, const Parameters& parameters,
                                      size_t level_max) {
  std::vector<StateEntity> entities;
  StateEntity& whole = entities.emplace_back(StateEntity{
      .kind = "desk",
      .values = {Text("connection", kConnectionNames[static_cast<size_t>(desk.connection())]),
                 Text("profit", desk.profit().ToString()),
                 Number("orders", desk.orders().live_count())}});
  if (desk.is_stopped()) whole.values.push_back(Number("stopped", 1));
  for (const Parameters::Entry& entry : parameters.all()) {
    entities.push_back(
        {.kind = "parameter",
         .values = {Text("name", entry.name), Text("value", ParameterText(entry, entry.value))}});
  }
  for (const Desk::Market& market : desk.markets()) {
    entities.push_back(DescribeMarket(market));
    DescribeSide(market, engine::Side::kAsk, level_max, entities);
    DescribeSide(market, engine::Side::kBid, level_max, entities);
  }
  for (const Order& order : desk.orders().all()) {
    if (!order.is_live()) continue;
    entities.push_back(DescribeOrder(order, desk.Get(order.market).definition));
  }
  return entities;
}

}  // namespace strategy
