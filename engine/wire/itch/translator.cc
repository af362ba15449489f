#include "engine/wire/itch/translator.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"

namespace engine {
namespace {

constexpr int64_t kTimestampMax = (int64_t{1} << 48) - 1;

Command CommandFor(CommandKind kind, MarketId market, OrderId order = {}) {
  Command command;
  command.kind = kind;
  command.market = market;
  command.order_id = order;
  return command;
}

}  // namespace

ItchTranslator::ItchTranslator(CommandSink& sink, ManualClock& clock, Timestamp midnight,
                               ItchMode mode, ItchExecutionListener* executions)
    : sink_(sink), clock_(clock), midnight_(midnight), mode_(mode), executions_(executions) {
  CHECK(midnight_.nanos() <= std::numeric_limits<int64_t>::max() - kTimestampMax);
  orders_.reserve(1 << 16);
}

absl::Status ItchTranslator::Translate(const ItchMessage& message) {
  ++counters_.messages[message.index()];
  return std::visit(
      [this](const auto& typed) -> absl::Status {
        clock_.Set(Timestamp::FromNanos(midnight_.nanos() +
                                        static_cast<int64_t>(typed.header.timestamp_ns)));
        absl::Status status = On(typed);
        counters_.live_orders = orders_.size();
        return status;
      },
      message);
}

absl::Status ItchTranslator::Clear() {
  std::vector<LiveOrder> orders;
  orders.reserve(orders_.size());
  for (const auto& [reference, order] : orders_) orders.push_back(order);
  std::ranges::sort(orders, {}, &LiveOrder::id);
  for (const LiveOrder& order : orders) {
    RETURN_IF_ERROR(Submit(CommandFor(CommandKind::kCancel, order.market, order.id)).status());
    ++counters_.cancels;
  }
  orders_.clear();
  counters_.live_orders = 0;
  return absl::OkStatus();
}

absl::Status ItchTranslator::On(const ItchStockDirectory& message) {
  const MarketId market(message.header.stock_locate);
  if (markets_.Find(market) != nullptr) {
    ++counters_.markets_repeated;
    return absl::OkStatus();
  }
  return Define(market, message.stock);
}

// The feed does not show the arriving order that Nasdaq matched, only the quantity that it took. An
// immediate-or-cancel order for that quantity, at the price of the resting order, makes the engine
// find that same resting order.
absl::Status ItchTranslator::On(const ItchOrderExecuted& message) {
  const auto found = Find(message, message.order_reference);
  if (found == orders_.end()) return absl::OkStatus();
  const LiveOrder& maker = found->second;
  Announce(message, maker);
  LiveOrder taker = maker;
  taker.side = Opposite(maker.side);
  taker.remaining = Quantity::FromUnits(message.executed_shares);
  if (mode_ == ItchMode::kMirror) {
    return Mirror(found, taker.remaining, maker.price, message.match_number);
  }
  RETURN_IF_ERROR(SubmitNew(taker, TimeInForce::kImmediateOrCancel, message.match_number).status());
  ++counters_.executions;
  Lower(found, taker.remaining);
  return absl::OkStatus();
}

// The shares of an execution that is not printable are printed by the message of their cross.
absl::Status ItchTranslator::On(const ItchOrderExecutedWithPrice& message) {
  if (mode_ == ItchMode::kMatch) return Reduce(message, message.executed_shares);
  const auto found = Find(message, message.order_reference);
  if (found == orders_.end()) return absl::OkStatus();
  Announce(message, found->second);
  if (message.printable == 'N') {
    return Reduce(message, message.executed_shares, message.match_number);
  }
  return Mirror(found, Quantity::FromUnits(message.executed_shares),
                Price::FromUnits(message.execution_price), message.match_number);
}

absl::Status ItchTranslator::Mirror(Orders::iterator order, Quantity shares, Price price,
                                    uint64_t match_number) {
  const LiveOrder& maker = order->second;
  Command command = CommandFor(CommandKind::kExecute, maker.market, maker.id);
  command.price = price;
  command.quantity = std::min(shares, maker.remaining);
  command.client_order_id = ClientOrderId(match_number);
  RETURN_IF_ERROR(Submit(command).status());
  ++counters_.executions;
  Lower(order, shares);
  return absl::OkStatus();
}

template <typename T>
void ItchTranslator::Announce(const T& message, const LiveOrder& order) {
  if (executions_ == nullptr) return;
  executions_->Expect({.type = kItchIndexOf<T>,
                       .match_number = message.match_number,
                       .order_reference = message.order_reference,
                       .maker = order.id,
                       .quantity = Quantity::FromUnits(message.executed_shares)});
}

// A cross without shares did not take place.
template <typename T>
absl::Status ItchTranslator::Print(const T& message, uint64_t shares, uint32_t price) {
  if (mode_ == ItchMode::kMatch || shares == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const bool is_defined, FindMarket(message));
  if (!is_defined) return absl::OkStatus();
  Command command = CommandFor(CommandKind::kExecute, MarketId(message.header.stock_locate));
  command.price = Price::FromUnits(price);
  command.quantity = Quantity::FromUnits(shares);
  command.client_order_id = ClientOrderId(message.match_number);
  RETURN_IF_ERROR(Submit(command).status());
  ++counters_.prints;
  return absl::OkStatus();
}

absl::Status ItchTranslator::On(const ItchOrderDelete& message) {
  const auto found = Find(message, message.order_reference);
  if (found == orders_.end()) return absl::OkStatus();
  const LiveOrder& order = found->second;
  RETURN_IF_ERROR(Submit(CommandFor(CommandKind::kCancel, order.market, order.id)).status());
  ++counters_.cancels;
  orders_.erase(found);
  return absl::OkStatus();
}

absl::Status ItchTranslator::On(const ItchOrderReplace& message) {
  const auto found = Find(message, message.original_order_reference);
  if (found == orders_.end()) return absl::OkStatus();
  if (message.new_order_reference != message.original_order_reference &&
      orders_.contains(message.new_order_reference)) {
    ++counters_.references_repeated;
    return absl::OkStatus();
  }
  LiveOrder order = found->second;
  order.price = Price::FromUnits(message.price);
  order.remaining = Quantity::FromUnits(message.shares);
  Command command = CommandFor(CommandKind::kReplace, order.market, order.id);
  command.price = order.price;
  command.quantity = order.remaining;
  command.client_order_id = ClientOrderId(message.new_order_reference);
  ASSIGN_OR_RETURN(order.id, Submit(command));
  ++counters_.replaces;
  orders_.erase(found);
  orders_.emplace(message.new_order_reference, order);
  return absl::OkStatus();
}

template <typename T>
absl::Status ItchTranslator::Add(const T& message) {
  const MarketId market(message.header.stock_locate);
  ASSIGN_OR_RETURN(const bool is_defined, FindMarket(message));
  if (!is_defined) {
    ++counters_.orders_without_market;
    return absl::OkStatus();
  }
  if (orders_.contains(message.order_reference)) {
    ++counters_.references_repeated;
    return absl::OkStatus();
  }
  LiveOrder order = {.id = {},
                     .market = market,
                     .side = message.side,
                     .price = Price::FromUnits(message.price),
                     .remaining = Quantity::FromUnits(message.shares)};
  ASSIGN_OR_RETURN(order.id,
                   SubmitNew(order, TimeInForce::kGoodTillCancelled, message.order_reference));
  ++counters_.new_orders;
  orders_.emplace(message.order_reference, order);
  return absl::OkStatus();
}

template <typename T>
absl::StatusOr<bool> ItchTranslator::FindMarket(const T& message) {
  const MarketId market(message.header.stock_locate);
  if (markets_.Find(market) != nullptr) return true;
  RETURN_IF_ERROR(Define(market, message.stock));
  if (markets_.Find(market) == nullptr) return false;
  ++counters_.markets_defined_by_orders;
  return true;
}

absl::Status ItchTranslator::Define(MarketId market, const ItchStock& stock) {
  std::string symbol(stock.data(), stock.size());
  symbol.erase(symbol.find_last_not_of(' ') + 1);
  // The price range includes every price that a message can carry except 0, which no order has.
  MarketDefinition definition = {
      .id = market,
      .symbol = std::move(symbol),
      .price_decimals = 4,
      .quantity_decimals = 0,
      .tick = Price::FromUnits(1),
      .price_min = Price::FromUnits(1),
      .price_max = Price::FromUnits(std::numeric_limits<uint32_t>::max()),
      .mirrored = mode_ == ItchMode::kMirror};
  if (!Validate(definition).ok() || markets_.FindSymbol(definition.symbol) != nullptr) {
    ++counters_.markets_refused;
    return absl::OkStatus();
  }
  const Command command = CommandFor(CommandKind::kDefineMarket, market);
  RETURN_IF_ERROR(sink_.Submit(command, EncodeMarketDefinition(definition)).status());
  ++counters_.markets_defined;
  CHECK(markets_.Add(std::move(definition)));
  return absl::OkStatus();
}

template <typename T>
absl::Status ItchTranslator::Reduce(const T& message, uint32_t shares, uint64_t client_order_id) {
  const auto found = Find(message, message.order_reference);
  if (found == orders_.end()) return absl::OkStatus();
  const LiveOrder& order = found->second;
  Command command = CommandFor(CommandKind::kReduce, order.market, order.id);
  command.quantity = Quantity::FromUnits(shares);
  command.client_order_id = ClientOrderId(client_order_id);
  RETURN_IF_ERROR(Submit(command).status());
  ++counters_.reduces;
  Lower(found, command.quantity);
  return absl::OkStatus();
}

template <typename T>
ItchTranslator::Orders::iterator ItchTranslator::Find(const T&, uint64_t reference) {
  const auto found = orders_.find(reference);
  if (found == orders_.end()) ++counters_.unknown_references[kItchIndexOf<T>];
  return found;
}

void ItchTranslator::Lower(Orders::iterator order, Quantity shares) {
  Quantity& remaining = order->second.remaining;
  if (shares > remaining) ++counters_.quantities_exceeded;
  if (shares >= remaining) {
    orders_.erase(order);
  } else {
    remaining -= shares;
  }
}

absl::StatusOr<OrderId> ItchTranslator::SubmitNew(const LiveOrder& order, TimeInForce tif,
                                                  uint64_t client_order_id) {
  Command command = CommandFor(CommandKind::kNewOrder, order.market);
  command.side = order.side;
  command.type = OrderType::kLimit;
  command.tif = tif;
  command.price = order.price;
  command.quantity = order.remaining;
  command.client_order_id = ClientOrderId(client_order_id);
  return Submit(command);
}

absl::StatusOr<OrderId> ItchTranslator::Submit(const Command& command) {
  ASSIGN_OR_RETURN(const SequenceNumber sequence, sink_.Submit(command, Bytes()));
  return OrderIdOf(sequence);
}

}  // namespace engine
