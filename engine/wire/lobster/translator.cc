#include "engine/wire/lobster/translator.h"

#include <algorithm>
#include <cstdlib>

#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

Command CommandFor(CommandKind kind, OrderId order = {}) {
  Command command;
  command.kind = kind;
  command.market = LobsterTranslator::kMarket;
  command.order_id = order;
  return command;
}

size_t IndexOf(LobsterType type) { return static_cast<size_t>(type); }

}  // namespace

absl::Status LobsterTranslator::Take(const LobsterMessage& message, const LobsterBook* book) {
  ++counters_.messages[IndexOf(message.type)];
  const Timestamp time = Timestamp::FromNanos(midnight_.nanos() + message.nanos);
  if (is_defined_ && time < clock_.Now()) ++counters_.times_before;
  clock_.Set(is_defined_ ? std::max(clock_.Now(), time) : time);
  if (!is_defined_) RETURN_IF_ERROR(Define());
  RETURN_IF_ERROR(Apply(message, book != nullptr));
  return book != nullptr ? Correct(*book) : absl::OkStatus();
}

absl::Status LobsterTranslator::Define() {
  const MarketDefinition definition = {
      .id = kMarket, .symbol = symbol_, .price_decimals = 4, .mirrored = true};
  ASSIGN_OR_RETURN(last_sequence_, sink_.Submit(CommandFor(CommandKind::kDefineMarket),
                                                EncodeMarketDefinition(definition)));
  ++counters_.commands;
  is_defined_ = true;
  return absl::OkStatus();
}

absl::Status LobsterTranslator::Apply(const LobsterMessage& message, bool has_book) {
  switch (message.type) {
    case LobsterType::kAdd:
      return Add(message);
    case LobsterType::kExecuteHidden:
      return Print(message, message.side);
    case LobsterType::kCross:
      return message.size.is_zero() ? absl::OkStatus() : Print(message, Side());
    case LobsterType::kHalt:
      return Halt(message.halt);
    case LobsterType::kReduce:
    case LobsterType::kDelete:
    case LobsterType::kExecute:
      break;
  }
  const auto found = orders_.find(message.order);
  if (found != orders_.end()) return ChangeNamed(message, found->second);
  ++counters_.unknown_orders[IndexOf(message.type)];
  return ChangeUnnamed(message, has_book);
}

absl::Status LobsterTranslator::Add(const LobsterMessage& message) {
  if (orders_.contains(message.order)) {
    ++counters_.orders_repeated;
    return absl::OkStatus();
  }
  Order order = {.id = {}, .side = message.side, .price = message.price, .remaining = message.size};
  ASSIGN_OR_RETURN(order.id, SubmitNew(order.side, order.price, order.remaining, message.order));
  Level& level = LevelsOf(order.side)[KeyOf(order.side, order.price)];
  level.total += order.remaining;
  level.named.push_back(message.order);
  orders_.emplace(message.order, order);
  return absl::OkStatus();
}

absl::Status LobsterTranslator::Halt(LobsterHalt halt) {
  const bool is_halted = halt == LobsterHalt::kHalted;
  if (is_halted == is_paused_) return absl::OkStatus();
  is_paused_ = is_halted;
  return Submit(CommandFor(is_halted ? CommandKind::kPauseMarket : CommandKind::kOpenMarket));
}

absl::Status LobsterTranslator::Print(const LobsterMessage& message, Side side) {
  Command command = CommandFor(CommandKind::kExecute);
  command.side = side;
  command.price = message.price;
  command.quantity = message.size;
  return Submit(command);
}

absl::Status LobsterTranslator::ChangeNamed(const LobsterMessage& message, Order& order) {
  if (message.size > order.remaining) ++counters_.quantities_exceeded;
  const bool is_whole = message.type == LobsterType::kDelete;
  const Quantity taken = is_whole ? order.remaining : std::min(message.size, order.remaining);
  const CommandKind kind =
      message.type == LobsterType::kExecute ? CommandKind::kExecute : CommandKind::kReduce;
  RETURN_IF_ERROR(Take(order.id, taken, order.remaining, kind, message.price));
  Lower(message.order, taken);
  return absl::OkStatus();
}

absl::Status LobsterTranslator::ChangeUnnamed(const LobsterMessage& message, bool has_book) {
  const Side side = message.side;
  if (message.type != LobsterType::kExecute) {
    return TakeFromUnnamed(side, message.price, message.size, CommandKind::kReduce, Price())
        .status();
  }
  ASSIGN_OR_RETURN(const Quantity left, TakeFromUnnamed(side, message.price, message.size,
                                                        CommandKind::kExecute, message.price));
  if (left.is_zero()) return absl::OkStatus();
  if (!has_book) {
    LobsterMessage rest = message;
    rest.size = left;
    return Print(rest, side);
  }
  // The order was there: it is added, so that the trade names it.
  CountCorrection(side, message.price);
  RETURN_IF_ERROR(AddUnnamed(side, message.price, left));
  return TakeFromUnnamed(side, message.price, left, CommandKind::kExecute, message.price).status();
}

absl::Status LobsterTranslator::Correct(const LobsterBook& book) {
  RETURN_IF_ERROR(CorrectSide(Side::kBid, book));
  return CorrectSide(Side::kAsk, book);
}

absl::Status LobsterTranslator::CorrectSide(Side side, const LobsterBook& book) {
  const std::vector<LobsterLevel>& wanted = book.levels(side);
  Levels& levels = LevelsOf(side);
  // A side that is shown to its end has no other levels.
  const bool is_whole = wanted.size() < book.depth;
  const int64_t worst = is_whole ? INT64_MAX : KeyOf(side, wanted.back().price);
  std::vector<LobsterLevel> differences;
  auto at = levels.begin();
  for (const LobsterLevel& level : wanted) {
    const int64_t key = KeyOf(side, level.price);
    for (; at != levels.end() && at->first < key; ++at) {
      differences.push_back({.price = Price::FromUnits(std::abs(at->first)), .quantity = {}});
    }
    const bool is_there = at != levels.end() && at->first == key;
    if (!is_there || at->second.total != level.quantity) differences.push_back(level);
    if (is_there) ++at;
  }
  for (; at != levels.end() && at->first <= worst; ++at) {
    differences.push_back({.price = Price::FromUnits(std::abs(at->first)), .quantity = {}});
  }
  for (const LobsterLevel& level : differences) {
    CountCorrection(side, level.price);
    RETURN_IF_ERROR(SetLevel(side, level.price, level.quantity));
  }
  for (const LobsterLevel& level : wanted) SeenOf(side).insert(level.price.units());
  return absl::OkStatus();
}

void LobsterTranslator::CountCorrection(Side side, Price price) {
  ++(SeenOf(side).contains(price.units()) ? counters_.corrected_later_views
                                          : counters_.corrected_first_view);
}

absl::Status LobsterTranslator::SetLevel(Side side, Price price, Quantity wanted) {
  Levels& levels = LevelsOf(side);
  const auto found = levels.find(KeyOf(side, price));
  const Quantity total = found == levels.end() ? Quantity() : found->second.total;
  if (wanted >= total) return AddUnnamed(side, price, wanted - total);
  ASSIGN_OR_RETURN(Quantity left,
                   TakeFromUnnamed(side, price, total - wanted, CommandKind::kReduce, Price()));
  // Orders that came last are the most likely to have left without a message.
  while (!left.is_zero()) {
    const int64_t number = found->second.named.back();
    const Order& order = orders_.at(number);
    const Quantity taken = std::min(left, order.remaining);
    RETURN_IF_ERROR(Take(order.id, taken, order.remaining, CommandKind::kReduce, Price()));
    left -= taken;
    Lower(number, taken);
  }
  return absl::OkStatus();
}

absl::Status LobsterTranslator::AddUnnamed(Side side, Price price, Quantity quantity) {
  ASSIGN_OR_RETURN(const OrderId id, SubmitNew(side, price, quantity, 0));
  Level& level = LevelsOf(side)[KeyOf(side, price)];
  level.total += quantity;
  level.unnamed.push_back({.id = id, .remaining = quantity});
  return absl::OkStatus();
}

absl::StatusOr<Quantity> LobsterTranslator::TakeFromUnnamed(Side side, Price price, Quantity most,
                                                            CommandKind kind, Price at) {
  Levels& levels = LevelsOf(side);
  const auto found = levels.find(KeyOf(side, price));
  if (found == levels.end()) return most;
  std::vector<Unnamed>& unnamed = found->second.unnamed;
  Quantity taken_in_all;
  while (taken_in_all < most && !unnamed.empty()) {
    Unnamed& order = unnamed.front();
    const Quantity taken = std::min(most - taken_in_all, order.remaining);
    RETURN_IF_ERROR(Take(order.id, taken, order.remaining, kind, at));
    order.remaining -= taken;
    taken_in_all += taken;
    if (order.remaining.is_zero()) unnamed.erase(unnamed.begin());
  }
  LowerLevel(side, price, taken_in_all);
  return most - taken_in_all;
}

absl::Status LobsterTranslator::Take(OrderId id, Quantity quantity, Quantity remaining,
                                     CommandKind kind, Price at) {
  const bool is_cancel = kind == CommandKind::kReduce && quantity == remaining;
  Command command = CommandFor(is_cancel ? CommandKind::kCancel : kind, id);
  if (!is_cancel) command.quantity = quantity;
  command.price = at;
  if (kind != CommandKind::kExecute) command.price = Price();
  return Submit(command);
}

void LobsterTranslator::Lower(int64_t number, Quantity quantity) {
  const auto found = orders_.find(number);
  Order& order = found->second;
  order.remaining -= quantity;
  const Side side = order.side;
  const Price price = order.price;
  if (order.remaining.is_zero()) {
    std::vector<int64_t>& named = LevelsOf(side).at(KeyOf(side, price)).named;
    named.erase(std::find(named.begin(), named.end(), number));
    orders_.erase(found);
  }
  LowerLevel(side, price, quantity);
}

void LobsterTranslator::LowerLevel(Side side, Price price, Quantity quantity) {
  Levels& levels = LevelsOf(side);
  const auto found = levels.find(KeyOf(side, price));
  found->second.total -= quantity;
  if (found->second.total.is_zero()) levels.erase(found);
}

absl::StatusOr<OrderId> LobsterTranslator::SubmitNew(Side side, Price price, Quantity quantity,
                                                     int64_t number) {
  if (is_paused_) {
    ++counters_.opened_by_orders;
    RETURN_IF_ERROR(Halt(LobsterHalt::kTrading));
  }
  Command command = CommandFor(CommandKind::kNewOrder);
  command.side = side;
  command.type = OrderType::kLimit;
  command.tif = TimeInForce::kGoodTillCancelled;
  command.price = price;
  command.quantity = quantity;
  command.client_order_id = ClientOrderId(static_cast<uint64_t>(number));
  RETURN_IF_ERROR(Submit(command));
  return OrderIdOf(last_sequence_);
}

absl::Status LobsterTranslator::Submit(const Command& command) {
  ASSIGN_OR_RETURN(last_sequence_, sink_.Submit(command, Bytes()));
  ++counters_.commands;
  return absl::OkStatus();
}

}  // namespace engine
