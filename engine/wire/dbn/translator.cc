#include "engine/wire/dbn/translator.h"

#include <algorithm>
#include <optional>

#include "engine/base/status_macros.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

Command CommandFor(CommandKind kind, MarketId market, OrderId order = {}) {
  Command command;
  command.kind = kind;
  command.market = market;
  command.order_id = order;
  return command;
}

// No side for any other text than those two.
Side SideOf(const DbnMbo& record) {
  if (record.side == kDbnBid) return Side::kBid;
  return record.side == kDbnAsk ? Side::kAsk : Side();
}

constexpr size_t IndexOf(Side side) { return side == Side::kBid ? 0 : 1; }

}  // namespace

absl::Status DbnTranslator::Take(const DbnMbo& record) {
  ++counters_.actions[static_cast<uint8_t>(record.action)];
  const DbnMarket& market = markets_.Of(record);
  ASSIGN_OR_RETURN(Book* const book, BookOf(record, market));
  if (book->trades.IsOver(record.header.ts_event)) RETURN_IF_ERROR(EndEvent(*book));
  clock_.Set(DbnTimeOf(record));
  RETURN_IF_ERROR(Apply(record, market, *book));
  return (record.flags & kDbnLast) != 0 ? EndEvent(*book) : absl::OkStatus();
}

absl::Status DbnTranslator::Finish() {
  for (const auto& book : books_) RETURN_IF_ERROR(EndEvent(*book));
  return absl::OkStatus();
}

absl::StatusOr<DbnTranslator::Book*> DbnTranslator::BookOf(const DbnMbo& record,
                                                           const DbnMarket& market) {
  const auto [found, is_new] =
      book_of_.try_emplace({market.index, record.header.publisher_id}, nullptr);
  if (!is_new) return found->second;
  books_.push_back(std::make_unique<Book>(Book{.market = market.index, .id = market.id}));
  found->second = books_.back().get();
  if (market.index >= live_orders_.size()) {
    live_orders_.resize(market.index + 1);
    clock_.Set(DbnTimeOf(record));
    RETURN_IF_ERROR(Define(market));
  }
  return books_.back().get();
}

// Sizes are whole; every price that the market has learnt is a multiple of its unit.
absl::Status DbnTranslator::Define(const DbnMarket& market) {
  const MarketDefinition definition = {.id = market.id,
                                       .symbol = market.symbol,
                                       .price_decimals = market.price_decimals,
                                       .price_min = Price::FromUnits(-kPriceUnitsMax),
                                       .price_max = Price::FromUnits(kPriceUnitsMax),
                                       .mirrored = true};
  const Command command = CommandFor(CommandKind::kDefineMarket, market.id);
  RETURN_IF_ERROR(sink_.Submit(command, EncodeMarketDefinition(definition)).status());
  ++counters_.markets_defined;
  return absl::OkStatus();
}

absl::Status DbnTranslator::Apply(const DbnMbo& record, const DbnMarket& market, Book& book) {
  switch (record.action) {
    case kDbnAdd:
      return Add(record, market, book);
    case kDbnCancel:
      return Cancel(record, book);
    case kDbnModify:
      return Modify(record, market, book);
    case kDbnClear:
      return Clear(book);
    case kDbnTrade:
      return Trade(record, market, book);
    case kDbnFill:
      return Fill(record, market, book);
    case kDbnNoAction:
      return absl::OkStatus();
    default:
      ++counters_.unknown_actions;
      return absl::OkStatus();
  }
}

absl::Status DbnTranslator::Add(const DbnMbo& record, const DbnMarket& market, Book& book) {
  const Side side = SideOf(record);
  if (!IsValid(side)) {
    ++counters_.without_side;
    return absl::OkStatus();
  }
  if ((record.flags & kDbnTopOfBook) != 0) return AddTop(record, market, side, book);
  if (record.price == kDbnNoPrice || record.size == 0) {
    ++(record.size == 0 ? counters_.without_size : counters_.without_price);
    return absl::OkStatus();
  }
  if (book.orders.contains(record.order_id)) {
    ++counters_.orders_repeated;
    return absl::OkStatus();
  }
  Order order = {.side = side, .remaining = Quantity::FromUnits(record.size)};
  ASSIGN_OR_RETURN(order.price, market.PriceOf(record.price));
  ASSIGN_OR_RETURN(order.id, SubmitNew(book, side, order.price, order.remaining, record.order_id));
  book.orders.emplace(record.order_id, order);
  ++book.order_counts[IndexOf(side)];
  CountLive(book, 1);
  return absl::OkStatus();
}

// The best price of a side, of a publisher that shows nothing else. No price: the side is empty.
absl::Status DbnTranslator::AddTop(const DbnMbo& record, const DbnMarket& market, Side side,
                                   Book& book) {
  RETURN_IF_ERROR(CancelSide(book, side));
  if (record.price == kDbnNoPrice || record.size == 0) return absl::OkStatus();
  ASSIGN_OR_RETURN(const Price price, market.PriceOf(record.price));
  ASSIGN_OR_RETURN(book.tops[IndexOf(side)],
                   SubmitNew(book, side, price, Quantity::FromUnits(record.size), record.order_id));
  CountLive(book, 1);
  return absl::OkStatus();
}

absl::Status DbnTranslator::Cancel(const DbnMbo& record, Book& book) {
  const auto order = book.orders.find(record.order_id);
  if (order == book.orders.end()) {
    ++counters_.unknown_cancels;
    return absl::OkStatus();
  }
  const Quantity quantity = Quantity::FromUnits(record.size);
  if (quantity.is_zero()) ++counters_.without_size;
  if (quantity > order->second.remaining) ++counters_.quantities_exceeded;
  return Lower(book, order, std::min(quantity, order->second.remaining));
}

absl::Status DbnTranslator::Modify(const DbnMbo& record, const DbnMarket& market, Book& book) {
  const auto order = book.orders.find(record.order_id);
  if (order == book.orders.end()) {
    ++counters_.unknown_modifies;
    return Add(record, market, book);
  }
  Order& known = order->second;
  if (record.price == kDbnNoPrice) {
    ++counters_.without_price;
    return absl::OkStatus();
  }
  const Quantity size = Quantity::FromUnits(record.size);
  if (size.is_zero()) return Lower(book, order, known.remaining);
  const Side side = SideOf(record);
  if (IsValid(side) && side != known.side) {
    RETURN_IF_ERROR(Lower(book, order, known.remaining));
    return Add(record, market, book);
  }
  ASSIGN_OR_RETURN(const Price price, market.PriceOf(record.price));
  if (size < known.remaining) {
    Quantity lost = known.remaining - size;
    RETURN_IF_ERROR(Execute(book, order, lost));
  }
  if (price == known.price && size == known.remaining) return absl::OkStatus();
  return Change(book, known, price, size, record.order_id);
}

// An amend keeps the priority exactly when a modification does: at the same price, to no more. Its
// quantity includes what was filled; only one that loses the priority can make that too large.
absl::Status DbnTranslator::Change(Book& book, Order& order, Price price, Quantity quantity,
                                   uint64_t order_number) {
  Command command = CommandFor(CommandKind::kAmend, book.id, order.id);
  command.price = price;
  command.quantity = order.filled + quantity;
  command.client_order_id = ClientOrderId(order_number);
  order.price = price;
  order.remaining = quantity;
  if (command.quantity <= kQuantityMax) return Submit(command, counters_.amends).status();
  command.kind = CommandKind::kReplace;
  command.quantity = quantity;
  order.filled = Quantity();
  ASSIGN_OR_RETURN(order.id, Submit(command, counters_.replaces));
  return absl::OkStatus();
}

absl::Status DbnTranslator::Lower(Book& book, Orders::iterator order, Quantity quantity) {
  RETURN_IF_ERROR(Execute(book, order, quantity));
  Order& known = order->second;
  if (!quantity.is_zero()) {
    const bool is_all = quantity == known.remaining;
    Command command =
        CommandFor(is_all ? CommandKind::kCancel : CommandKind::kReduce, book.id, known.id);
    if (!is_all) command.quantity = quantity;
    known.remaining -= quantity;
    RETURN_IF_ERROR(Submit(command, is_all ? counters_.cancels : counters_.reduces).status());
  }
  if (known.remaining.is_zero()) Erase(book, order);
  return absl::OkStatus();
}

// Subtracts what it executes from `quantity`, too.
absl::Status DbnTranslator::Execute(Book& book, Orders::iterator order, Quantity& quantity) {
  Order& known = order->second;
  while (!quantity.is_zero()) {
    const auto execution = book.trades.TakeExecution(order->first, quantity);
    if (!execution.has_value()) return absl::OkStatus();
    Command command = CommandFor(CommandKind::kExecute, book.id, known.id);
    command.price = execution->price;
    command.quantity = execution->quantity;
    command.client_order_id = ClientOrderId(execution->sequence);
    RETURN_IF_ERROR(Submit(command, counters_.executions).status());
    quantity -= execution->quantity;
    known.remaining -= execution->quantity;
    known.filled += execution->quantity;
  }
  return absl::OkStatus();
}

absl::Status DbnTranslator::Trade(const DbnMbo& record, const DbnMarket& market, Book& book) {
  if (record.price == kDbnNoPrice || record.size == 0) {
    ++(record.size == 0 ? counters_.without_size : counters_.without_price);
    return absl::OkStatus();
  }
  if (book.trades.is_full()) RETURN_IF_ERROR(EndEvent(book));
  ASSIGN_OR_RETURN(const Price price, market.PriceOf(record.price));
  const Side side = SideOf(record);
  book.trades.AddTrade(record.header.ts_event, {.price = price,
                                                .left = Quantity::FromUnits(record.size),
                                                .resting = IsValid(side) ? Opposite(side) : Side(),
                                                .sequence = record.sequence});
  return absl::OkStatus();
}

absl::Status DbnTranslator::Fill(const DbnMbo& record, const DbnMarket& market, Book& book) {
  const auto order = book.orders.find(record.order_id);
  if (order == book.orders.end()) {
    ++counters_.unknown_fills;
    return absl::OkStatus();
  }
  if (book.trades.is_full()) RETURN_IF_ERROR(EndEvent(book));
  std::optional<Price> price;
  if (record.price != kDbnNoPrice) {
    ASSIGN_OR_RETURN(price, market.PriceOf(record.price));
  }
  const bool has_trade = book.trades.AddFill(record.order_id, order->second.side, price,
                                             Quantity::FromUnits(record.size));
  if (!has_trade) ++counters_.fills_without_trade;
  return absl::OkStatus();
}

absl::Status DbnTranslator::EndEvent(Book& book) {
  if (book.trades.trades().empty()) return absl::OkStatus();
  for (const EventTrades::Trade& trade : book.trades.trades()) {
    if (trade.left.is_zero()) continue;
    Command command = CommandFor(CommandKind::kExecute, book.id);
    command.side = trade.resting;
    command.price = trade.price;
    command.quantity = trade.left;
    command.client_order_id = ClientOrderId(trade.sequence);
    RETURN_IF_ERROR(Submit(command, counters_.prints).status());
  }
  book.trades.Clear();
  return absl::OkStatus();
}

// A mass cancel takes all orders of a market, also those of other publishers.
absl::Status DbnTranslator::Clear(Book& book) {
  uint64_t live = book.orders.size();
  for (const OrderId top : book.tops) live += top != OrderId() ? 1 : 0;
  if (live == 0) return absl::OkStatus();
  if (live < live_orders_[book.market]) {
    RETURN_IF_ERROR(CancelSide(book, Side::kBid));
    return CancelSide(book, Side::kAsk);
  }
  RETURN_IF_ERROR(
      Submit(CommandFor(CommandKind::kMassCancel, book.id), counters_.mass_cancels).status());
  CountLive(book, -static_cast<int64_t>(live));
  book.orders.clear();
  book.order_counts = {};
  book.tops = {};
  return absl::OkStatus();
}

absl::Status DbnTranslator::CancelSide(Book& book, Side side) {
  std::vector<OrderId> ids;
  OrderId& top = book.tops[IndexOf(side)];
  if (top != OrderId()) ids.push_back(top);
  top = OrderId();
  uint64_t& count = book.order_counts[IndexOf(side)];
  if (count > 0) {
    absl::erase_if(book.orders, [&](const auto& order) {
      if (order.second.side != side) return false;
      ids.push_back(order.second.id);
      return true;
    });
    count = 0;
  }
  std::sort(ids.begin(), ids.end());
  CountLive(book, -static_cast<int64_t>(ids.size()));
  for (const OrderId id : ids) {
    RETURN_IF_ERROR(
        Submit(CommandFor(CommandKind::kCancel, book.id, id), counters_.cancels).status());
  }
  return absl::OkStatus();
}

absl::StatusOr<OrderId> DbnTranslator::SubmitNew(const Book& book, Side side, Price price,
                                                 Quantity quantity, uint64_t order_number) {
  Command command = CommandFor(CommandKind::kNewOrder, book.id);
  command.side = side;
  command.type = OrderType::kLimit;
  command.tif = TimeInForce::kGoodTillCancelled;
  command.price = price;
  command.quantity = quantity;
  command.client_order_id = ClientOrderId(order_number);
  return Submit(command, counters_.new_orders);
}

absl::StatusOr<OrderId> DbnTranslator::Submit(const Command& command, uint64_t& count) {
  ASSIGN_OR_RETURN(const SequenceNumber sequence, sink_.Submit(command, Bytes()));
  ++count;
  return OrderIdOf(sequence);
}

void DbnTranslator::Erase(Book& book, Orders::iterator order) {
  --book.order_counts[IndexOf(order->second.side)];
  book.orders.erase(order);
  CountLive(book, -1);
}

void DbnTranslator::CountLive(Book& book, int64_t change) {
  live_orders_[book.market] += static_cast<uint64_t>(change);
  counters_.live_orders += static_cast<uint64_t>(change);
}

}  // namespace engine
