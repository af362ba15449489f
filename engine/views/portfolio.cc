#include "engine/views/portfolio.h"

#include <utility>

#include "absl/status/statusor.h"
#include "engine/base/check.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/order_note.h"
#include "engine/types/time_in_force.h"

namespace engine {

PortfolioView::PortfolioView(const PortfolioOptions& options)
    : options_(options), fills_(options.fills), units_(1) {}

void PortfolioView::OnEvents(const Command& command, Bytes attachment,
                             std::span<const Event> events) {
  for (const Event& event : events) Fold(command, attachment, event);
}

void PortfolioView::Fold(const Command& command, Bytes attachment, const Event& event) {
  switch (event.kind) {
    case EventKind::kMarketDefined:
      return DefineMarket(command, attachment);
    case EventKind::kAccepted:
      return Enter(command, attachment, event);
    case EventKind::kReplaced:
      return Replace(command, attachment, event);
    case EventKind::kAmended:
      return Amend(command, attachment, event);
    case EventKind::kReduced:
      return Reduce(command, event);
    case EventKind::kExpirySet:
      return SetExpiry(command, event);
    case EventKind::kCancelled:
      return Cancel(command, event);
    case EventKind::kTrade:
      return Trade(command, event);
    case EventKind::kAccountOpened:
      accounts_.at(accounts_.PlaceOf(event.account)).is_open = true;
      return;
    case EventKind::kBalance:
      return Balance(command, event);
    case EventKind::kPosition:
      return Position(command, event);
    case EventKind::kDetermined:
      settlement_values_[event.market] = event.price;
      return;
    case EventKind::kGroupDefined:
    case EventKind::kGroupReset:
    case EventKind::kGroupTripped:
    case EventKind::kGroupDeleted:
      return Group(command, event);
    default:
      return;
  }
}

void PortfolioView::DefineMarket(const Command& command, Bytes attachment) {
  const absl::StatusOr<MarketDefinition> definition = DecodeMarketDefinition(attachment);
  if (!definition.ok()) return;
  unit_places_.Set(command.market.value(), static_cast<uint32_t>(units_.size()));
  units_.push_back(ContractUnits::Of(*definition));
}

// The first is of markets that are not known: as of equities.
const ContractUnits& PortfolioView::UnitsOf(MarketId market) const {
  const uint32_t place = unit_places_.Find(market.value());
  return units_[place == IdTable::kNone ? 0 : place];
}

// ---- Orders.

void PortfolioView::Enter(const Command& command, Bytes attachment, const Event& event) {
  PortfolioOrder order;
  order.id = event.order_id;
  order.client_order_id = command.client_order_id;
  order.price = event.price;
  order.initial = event.quantity;
  order.remaining = event.quantity_remaining;
  order.created_at = command.timestamp;
  order.updated_at = command.timestamp;
  if (command.tif == TimeInForce::kGoodTillTime) order.expires_at = command.expires_at();
  order.account = event.account;
  order.market = event.market;
  order.group = command.group();
  order.flags = command.flags;
  order.side = event.side;
  order.type = command.type;
  order.tif = command.tif;
  order.status = OrderStatus::kLive;
  order.last_update = OrderUpdate::kEntered;
  AddOrder(order, DecodeOrderNote(attachment).value_or(absl::string_view()));
}

// Account zero is not one client.
void PortfolioView::AddOrder(const PortfolioOrder& order, absl::string_view text) {
  if (order.account == AccountId()) return;
  OrderStore::Entry& entry = orders_.Add(order);
  entry.SetText(text);
  entry.account = accounts_.PlaceOf(order.account);
  entry.position = accounts_.PlaceOf(order.account, order.market);
  AccountPortfolio& account = accounts_.at(entry.account);
  account.orders.Add(order.id);
  account.live_orders.Add(order.id);
  if (order.group != GroupId()) account.group_orders[order.group].Add(order.id);
  MarketPortfolio& position = accounts_.position_at(entry.position);
  position.live_orders.Add(order.id);
  ++position.row.open_orders;
  position.row.updated_at = order.created_at;
}

void PortfolioView::Replace(const Command& command, Bytes attachment, const Event& event) {
  OrderStore::Entry* const old = orders_.FindEntry(event.counter_order_id);
  if (old == nullptr) return;
  PortfolioOrder order = old->row;
  order.id = event.order_id;
  order.replaces = old->row.id;
  order.client_order_id = command.client_order_id;
  order.price = event.price;
  order.initial = event.quantity;
  order.filled = Quantity();
  order.remaining = event.quantity_remaining;
  order.taker_cost = order.maker_cost = order.taker_fees = order.maker_fees = Money();
  order.created_at = order.updated_at = command.timestamp;
  order.last_update = OrderUpdate::kEntered;
  old->row.replaced_by = order.id;
  old->row.updated_at = command.timestamp;
  old->row.last_update = OrderUpdate::kReplaced;
  End(*old, OrderStatus::kReplaced);
  AddOrder(order, DecodeOrderNote(attachment).value_or(absl::string_view()));
}

void PortfolioView::Amend(const Command& command, Bytes attachment, const Event& event) {
  OrderStore::Entry* const entry = orders_.FindEntry(event.order_id);
  if (entry == nullptr) return;
  entry->row.price = event.price;
  entry->row.initial = event.quantity;
  entry->row.remaining = event.quantity_remaining;
  Touch(command, OrderUpdate::kAmended, *entry);
  const std::optional<absl::string_view> text = DecodeOrderNote(attachment);
  if (text.has_value()) entry->SetText(*text);
}

void PortfolioView::Reduce(const Command& command, const Event& event) {
  OrderStore::Entry* const entry = orders_.FindEntry(event.order_id);
  if (entry == nullptr) return;
  entry->row.remaining = event.quantity_remaining;
  Touch(command, OrderUpdate::kReduced, *entry);
}

void PortfolioView::SetExpiry(const Command& command, const Event& event) {
  OrderStore::Entry* const entry = orders_.FindEntry(event.order_id);
  if (entry == nullptr) return;
  entry->row.expires_at = Timestamp::FromNanos(event.price.units());
  entry->row.tif = entry->row.expires_at == Timestamp() ? TimeInForce::kGoodTillCancelled
                                                        : TimeInForce::kGoodTillTime;
  Touch(command, OrderUpdate::kAmended, *entry);
}

void PortfolioView::Cancel(const Command& command, const Event& event) {
  OrderStore::Entry* const entry = orders_.FindEntry(event.order_id);
  if (entry == nullptr) return;
  entry->row.cancel_reason = event.cancel_reason();
  Touch(command, OrderUpdate::kCancelled, *entry);
  End(*entry, OrderStatus::kCancelled);
}

void PortfolioView::Touch(const Command& command, OrderUpdate update, OrderStore::Entry& entry) {
  entry.row.updated_at = command.timestamp;
  entry.row.last_update = update;
  accounts_.position_at(entry.position).row.updated_at = command.timestamp;
}

void PortfolioView::End(OrderStore::Entry& entry, OrderStatus status) {
  const OrderId id = entry.row.id;
  entry.row.status = status;
  entry.row.remaining = Quantity();
  const auto is_live = [&](OrderId order) {
    const PortfolioOrder* const row = orders_.Find(order);
    return row != nullptr && row->status == OrderStatus::kLive;
  };
  AccountPortfolio& account = accounts_.at(entry.account);
  account.live_orders.Remove(id, is_live);
  if (const auto group = account.group_orders.find(entry.row.group);
      group != account.group_orders.end()) {
    group->second.Remove(id, is_live);
    if (group->second.size() == 0) account.group_orders.erase(group);
  }
  MarketPortfolio& position = accounts_.position_at(entry.position);
  position.live_orders.Remove(id, is_live);
  --position.row.open_orders;
  orders_.End(entry, account.ended);
  if (account.ended.count > options_.ended_orders_of_account) {
    Forget(*orders_.FirstEnded(account.ended));
  }
  if (orders_.ended_count() > options_.ended_orders) Forget(*orders_.FirstEnded());
}

void PortfolioView::Forget(OrderStore::Entry& entry) {
  const OrderId id = entry.row.id;
  AccountPortfolio& account = accounts_.at(entry.account);
  orders_.Forget(entry, account.ended);
  account.orders.Remove(id, [&](OrderId order) { return orders_.Find(order) != nullptr; });
}

// ---- Fills. In a binary market each party's fill ends with its position: RULES.md, 11.

void PortfolioView::Trade(const Command& command, const Event& event) {
  if (command.kind == CommandKind::kExecute) return;  // Of account zero.
  Fill(command, event, event.order_id, /*is_taker=*/false);
  Fill(command, event, event.counter_order_id, /*is_taker=*/true);
  PortfolioFill fill;
  fill.sequence = event.sequence;
  fill.index = event.index;
  fill.account = event.account;
  fill.order = event.order_id;
  fill.market = event.market;
  fill.side = event.side;
  fill.price = event.price;
  fill.quantity = event.quantity;
  fill.time = command.timestamp;
  pending_ = {.fill = fill, .taker = event.counter_order_id, .is_expected = true};
  if (UnitsOf(event.market).is_binary()) return;
  // Nothing follows: both are whole, if their accounts are known.
  AddFill(pending_.fill);
  pending_ = TakerOf(pending_);
  pending_.is_expected = false;
  const PortfolioOrder* const taker = orders_.Find(pending_.fill.order);
  if (taker == nullptr) return;
  pending_.fill.account = taker->account;
  AddFill(pending_.fill);
}

PortfolioView::PendingFill PortfolioView::TakerOf(const PendingFill& maker) {
  PendingFill taker = maker;
  taker.fill.order = maker.taker;
  taker.fill.side = Opposite(maker.fill.side);
  taker.fill.is_taker = true;
  taker.fill.fee = Money();
  return taker;
}

// What a trade does to an order; its fee follows.
void PortfolioView::Fill(const Command& command, const Event& trade, OrderId order, bool is_taker) {
  OrderStore::Entry* const entry = orders_.FindEntry(order);
  if (entry == nullptr) return;
  PortfolioOrder& row = entry->row;
  row.filled += trade.quantity;
  row.remaining -= trade.quantity;
  Money& cost = is_taker ? row.taker_cost : row.maker_cost;
  cost = AddUpTo(cost, UnitsOf(trade.market).Cost(row.side, trade.quantity, trade.price));
  Touch(command, OrderUpdate::kTraded, *entry);
  if (row.remaining.is_zero()) End(*entry, OrderStatus::kFilled);
}

void PortfolioView::AddFill(const PortfolioFill& fill) {
  if (fill.account == AccountId()) return;
  fills_.Add(fill, accounts_.at(accounts_.PlaceOf(fill.account)).newest_fill);
}

void PortfolioView::Balance(const Command& command, const Event& event) {
  AccountPortfolio& account = accounts_.at(accounts_.PlaceOf(event.account));
  account.is_open = true;
  account.cash = {
      .balance = event.balance(), .reserved = event.reserved(), .updated_at = command.timestamp};
  if (command.kind == CommandKind::kSettleMarket) {
    revenue_ = event.change() + event.fee();
    settlement_fee_ = event.fee();
  }
  if (!pending_.is_expected || event.order_id != pending_.fill.order) return;
  pending_.fill.fee = event.fee();
  OrderStore::Entry* const entry = orders_.FindEntry(event.order_id);
  if (entry == nullptr) return;
  Money& fees = pending_.fill.is_taker ? entry->row.taker_fees : entry->row.maker_fees;
  fees = AddUpTo(fees, event.fee());
}

void PortfolioView::Position(const Command& command, const Event& event) {
  PortfolioPosition& position =
      accounts_.position_at(accounts_.PlaceOf(event.account, event.market)).row;
  position.updated_at = command.timestamp;
  if (command.kind == CommandKind::kSettleMarket) return Settle(command, event, position);
  if (!pending_.is_expected || event.market != pending_.fill.market) return;
  PortfolioFill& fill = pending_.fill;
  fill.account = event.account;
  fill.position_after = event.position();
  ApplyFill(UnitsOf(event.market), fill.side, fill.quantity, fill.price, fill.fee, position);
  AddFill(fill);
  if (fill.is_taker) {
    pending_.is_expected = false;
  } else {
    pending_ = TakerOf(pending_);
  }
}

void PortfolioView::Settle(const Command& command, const Event& event,
                           PortfolioPosition& position) {
  PortfolioSettlement settlement;
  settlement.account = event.account;
  settlement.market = event.market;
  settlement.value = settlement_values_[event.market];
  settlement.position = position.position;
  settlement.cost = position.cost_basis;
  settlement.revenue = std::exchange(revenue_, Money());
  settlement.fee = std::exchange(settlement_fee_, Money());
  settlement.time = command.timestamp;
  ApplySettlement(settlement.revenue, position);
  position.fees = AddUpTo(position.fees, settlement.fee);
  position.is_settled = true;
  settlement.fees = position.fees;
  accounts_.at(accounts_.PlaceOf(event.account)).settlements.push_back(settlement);
}

// ---- Groups.

void PortfolioView::Group(const Command& command, const Event& event) {
  AccountPortfolio& account = accounts_.at(accounts_.PlaceOf(event.account));
  if (event.kind == EventKind::kGroupDeleted) {
    account.groups.erase(event.group());  // Its orders are cancelled next.
    return;
  }
  auto [found, is_new] = account.groups.try_emplace(event.group());
  PortfolioGroup& group = found->second;
  if (is_new) {
    group.id = event.group();
    group.defined_at = command.timestamp;
  }
  group.updated_at = command.timestamp;
  if (event.kind == EventKind::kGroupDefined) {
    group.limit = event.quantity;
    group.window_nanos = command.window_nanos();
  } else {
    group.is_tripped = event.kind == EventKind::kGroupTripped;
  }
}

}  // namespace engine
