// Market and exchange commands, and the cancels that follow from them and from expiry.

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "engine/base/check.h"
#include "engine/book/fault.h"
#include "engine/core/exchange.h"
#include "engine/core/exchange_matching.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/order_events.h"
#include "engine/core/state_digest.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

MarketStatus StatusOf(const Market& market) {
  return {.market = market.definition->id,
          .state = market.state,
          .settlement_value = market.settlement_value,
          .fees = market.money.fees()};
}

}  // namespace

RejectReason Exchange::DefineMarket(const Command& command, EventBuffer& events) {
  auto definition = DecodeMarketDefinition(attachment_);
  if (!definition.ok() || definition->id != command.market) {
    return RejectReason::kMalformedDefinition;
  }
  if (directory_.Find(definition->id) != nullptr) return RejectReason::kMarketAlreadyDefined;
  if (directory_.FindSymbol(definition->symbol) != nullptr) {
    return RejectReason::kSymbolAlreadyDefined;
  }
  CHECK(directory_.Add(*std::move(definition)));
  Market& market = AddMarket(command.market);
  if (market.is_binary()) market.money.SetFees(default_fees_);
  market_sum_.Add(market.digest);
  AddMarketStatus(StatusOf(market), market_sum_);
  events.Append(EventKind::kMarketDefined).market = command.market;
  return RejectReason::kNone;
}

// REQUIRES: the directory has the market, the table does not.
Market& Exchange::AddMarket(MarketId id) {
  Market& added = markets_.Add(id, std::make_unique<Market>(*directory_.Find(id), storage_));
  if (markets_.are_many()) storage_.LookAhead();
  if (added.is_binary()) storage_.KeepRequired();
  return added;
}

RejectReason Exchange::MoveMarket(const Command& command, EventBuffer& events) {
  Market* const market = markets_.Find(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  const RejectReason reason =
      CheckTransition(command.kind, market->definition->kind, market->state);
  if (reason != RejectReason::kNone) return reason;
  if (command.kind == CommandKind::kDetermineMarket &&
      !market->money.IsSettlementValue(command.price)) {
    return RejectReason::kInvalidSettlement;
  }

  SubtractMarketStatus(StatusOf(*market), market_sum_);
  market->MoveTo(MarketStateAfter(command.kind));
  if (command.kind == CommandKind::kDetermineMarket) market->settlement_value = command.price;
  AddMarketStatus(StatusOf(*market), market_sum_);
  Event& event = events.Append(EventKind::kMarketState);
  event.market = command.market;
  event.detail = static_cast<uint8_t>(market->state);
  switch (command.kind) {
    case CommandKind::kPauseMarket:
      CancelWhere(
          *market, CancelReason::kMarketPaused,
          [](const OrderSlot& order) {
            return order.flags.cancel_on_pause() || ENGINE_FAULT(kPauseCancelsAll);
          },
          events);
      break;
    case CommandKind::kCloseMarket:
      CancelWhere(
          *market, CancelReason::kMarketClosed,
          [&](const OrderSlot& order) {
            return market->is_binary() ||
                   (order.tif == TimeInForce::kDay && !ENGINE_FAULT(kCloseKeepsDay));
          },
          events);
      break;
    case CommandKind::kDetermineMarket: {
      Event& determined = events.Append(EventKind::kDetermined);
      determined.market = command.market;
      determined.price = command.price;
      break;
    }
    case CommandKind::kSettleMarket:
      PaySettlement(*market, events);
      break;
    default:
      break;
  }
  return RejectReason::kNone;
}

void Exchange::PaySettlement(Market& market, EventBuffer& events) {
  const MarketId id = market.definition->id;
  ledger_.Settle(id, market.money, market.settlement_value, [&](const Ledger::Payment& payment) {
    AppendBalance(events, payment.account, payment.change, payment.fee,
                  ledger_.StateOf(payment.account))
        .market = id;
    const auto contracts = static_cast<uint64_t>(std::abs(payment.position));
    AppendPosition(events, payment.account, id, 0, Quantity::FromUnits(contracts));
  });
}

RejectReason Exchange::SetFees(const Command& command, EventBuffer& events) {
  Market* market = nullptr;
  if (command.market != MarketId()) {
    market = markets_.Find(command.market);
    if (market == nullptr) return RejectReason::kUnknownMarket;
    if (!market->is_binary()) return RejectReason::kMarketNotBinary;
  }
  const auto fees = DecodeFeeSchedule(attachment_);
  if (!fees.ok()) return RejectReason::kMalformedFees;
  if (market != nullptr && !market->book.is_empty() && !ENGINE_FAULT(kFeesChangeInUse))
    return RejectReason::kFeesInUse;
  if (market != nullptr) {
    SubtractMarketStatus(StatusOf(*market), market_sum_);
    market->money.SetFees(*fees);
    AddMarketStatus(StatusOf(*market), market_sum_);
  } else {
    default_fees_ = *fees;
  }
  events.Append(EventKind::kFeesSet).market = command.market;
  return RejectReason::kNone;
}

void Exchange::MoveExchange(const Command& command, EventBuffer& events) {
  state_ = StateAfter(command.kind);
  NoteWhatIsOrdinary();
  events.Append(EventKind::kExchangeState).detail = static_cast<uint8_t>(state_);
}

// Cancels the orders of `market` for which `is_it` is true, in the order of their ids.
void Exchange::CancelWhere(const Market& market, CancelReason reason,
                           absl::FunctionRef<bool(const OrderSlot&)> is_it, EventBuffer& events) {
  std::vector<OrderId> orders;
  for (const Side side : {Side::kBid, Side::kAsk}) {
    market.book.VisitOrders(side, [&](Slot slot) {
      const OrderSlot& order = storage_.order(slot);
      if (is_it(order)) orders.push_back(order.id);
    });
  }
  std::sort(orders.begin(), orders.end());
  for (const OrderId order : orders) CancelById(order, reason, events);
}

void Exchange::ExpireOrders(Timestamp now, EventBuffer& events) {
  while (const auto due = expiries_.FirstDue(now)) {
    CancelById(*due, CancelReason::kExpired, events);
  }
}

// REQUIRES: the order rests.
void Exchange::CancelById(OrderId id, CancelReason reason, EventBuffer& events) {
  const Slot slot = index_.Find(id);
  CHECK(slot != Slot()) << "order " << id;
  const OrderSlot& order = storage_.order(slot);
  AppendCancelled(events, order, reason);
  Remove(*markets_.Find(order.market), slot);
}

}  // namespace engine
