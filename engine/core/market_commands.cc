#include <cstdint>
#include <cstdlib>
#include <utility>

#include "engine/base/check.h"
#include "engine/core/live_orders.h"
#include "engine/core/market_lifecycle.h"
#include "engine/core/order_events.h"
#include "engine/core/order_rules.h"
#include "engine/core/rules.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/state/state_digest.h"
#include "engine/types/order_flags.h"

namespace engine {
namespace {

void PaySettlement(VenueState& venue, const Market& market, EventBuffer& events) {
  const MarketId id = market.id();
  venue.ledger.Settle(
      id, market.money(), market.terms->settlement_value, [&](const Ledger::Payment& payment) {
        const uint64_t owner = OwnerOf(payment.account, id);
        AppendBalance(events, {.sequence = venue.last_applied, .owner = owner}, payment.change,
                      payment.fee, venue.ledger.StateOf(payment.account));
        const auto contracts = static_cast<uint64_t>(std::abs(payment.position));
        AppendPosition(events, venue.last_applied, owner, 0, Quantity::FromUnits(contracts));
      });
}

RejectReason DefineMarket(VenueState& venue, const Command& command, Bytes attachment,
                          EventBuffer& events) {
  auto definition = DecodeMarketDefinition(attachment);
  if (!definition.ok() || definition->id != command.market) {
    return RejectReason::kMalformedDefinition;
  }
  if (venue.directory.Find(definition->id) != nullptr) return RejectReason::kMarketAlreadyDefined;
  if (venue.directory.FindSymbol(definition->symbol) != nullptr) {
    return RejectReason::kSymbolAlreadyDefined;
  }
  const bool is_binary = definition->kind == MarketKind::kBinary;
  const Market& market =
      AddMarket(venue, *definition, is_binary ? venue.default_fees : FeeSchedule());
  venue.market_sum.Add(DigestOfMarket(*definition));
  CHECK(venue.directory.Add(*std::move(definition)));
  AddMarketStatus(market.status(), venue.market_sum);
  events.Append(EventKind::kMarketDefined).market = command.market;
  return RejectReason::kNone;
}

// Opens, pauses, closes, determines or settles a market, and cancels the orders that this ends.
RejectReason MoveMarket(VenueState& venue, const Command& command, EventBuffer& events) {
  Market* const market = venue.markets.Find(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  RETURN_IF_REFUSED(CheckTransition(command.kind, market->definition().kind, market->state));
  if (command.kind == CommandKind::kDetermineMarket &&
      !market->money().IsSettlementValue(command.price)) {
    return RejectReason::kInvalidSettlement;
  }

  SubtractMarketStatus(market->status(), venue.market_sum);
  market->MoveTo(MarketStateAfter(command.kind));
  if (command.kind == CommandKind::kDetermineMarket) {
    venue.markets.SetSettlementValue(*market, command.price);
  }
  AddMarketStatus(market->status(), venue.market_sum);
  Event& event = events.Append(EventKind::kMarketState);
  event.market = command.market;
  event.detail = static_cast<uint8_t>(market->state);
  switch (command.kind) {
    case CommandKind::kPauseMarket:
      CancelAmong(venue, venue.cancel_on_pause, command.market, CancelReason::kMarketPaused,
                  events);
      break;
    case CommandKind::kCloseMarket:
      if (market->is_binary()) {
        CancelSelected(venue, {.market = command.market}, CancelReason::kMarketClosed, events);
      } else {
        CancelAmong(venue, venue.day_orders, command.market, CancelReason::kMarketClosed, events);
      }
      break;
    case CommandKind::kDetermineMarket: {
      Event& determined = events.Append(EventKind::kDetermined);
      determined.market = command.market;
      determined.price = command.price;
      break;
    }
    case CommandKind::kSettleMarket:
      PaySettlement(venue, *market, events);
      break;
    default:
      break;
  }
  return RejectReason::kNone;
}

RejectReason SetFees(VenueState& venue, const Command& command, Bytes attachment,
                     EventBuffer& events) {
  Market* market = nullptr;
  if (command.market != MarketId()) {
    market = venue.markets.Find(command.market);
    if (market == nullptr) return RejectReason::kUnknownMarket;
    if (!market->is_binary()) return RejectReason::kMarketNotBinary;
  }
  const auto fees = DecodeFeeSchedule(attachment);
  if (!fees.ok()) return RejectReason::kMalformedFees;
  if (market != nullptr && !market->book.is_empty()) return RejectReason::kFeesInUse;
  if (market != nullptr) {
    SubtractMarketStatus(market->status(), venue.market_sum);
    venue.markets.SetFees(*market, *fees);
    AddMarketStatus(market->status(), venue.market_sum);
  } else {
    venue.default_fees = *fees;
  }
  events.Append(EventKind::kFeesSet).market = command.market;
  return RejectReason::kNone;
}

// Marks the account's resting orders in the market, which count from now on, or no longer do.
void MarkLimited(VenueState& venue, const Command& command, bool is_limited) {
  VisitOrdersOf(venue, command.account, [&](Slot slot) {
    OrderSlot& order = venue.order(slot);
    if (order.market != command.market) return;
    if (!is_limited) return order.marks.Clear(OrderMarks::kPositionLimited);
    order.marks.Set(OrderMarks::kPositionLimited);
    venue.position_limits.AddOpen(order.account, order.market, order.side,
                                  order.quantity_remaining);
  });
}

RejectReason SetPositionLimit(VenueState& venue, const Command& command, EventBuffer& events) {
  const AccountId account = command.account;
  const Market* const market = venue.markets.Find(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  if (account == AccountId()) return RejectReason::kUnknownAccount;
  if (command.quantity > kPositionLimitMax) return RejectReason::kMalformedLimits;
  const bool was_limited = venue.position_limits.Find(account, command.market) != nullptr;
  const bool is_limited = !command.quantity.is_zero();
  if (is_limited) {
    venue.position_limits.Set(account, command.market, command.quantity);
  } else {
    venue.position_limits.Remove(account, command.market);
  }
  if (is_limited != was_limited) {
    MarkLimited(venue, command, is_limited);
    venue.risk.SetPositionLimited(account, venue.position_limits.HasAny(account));
    venue.UpdateFastPathTimes();
  }
  Event& event = events.Append(EventKind::kPositionLimitSet);
  event.account = account;
  event.market = command.market;
  event.price = Price::FromUnits(LimitedPosition(venue, account, *market));
  event.quantity = command.quantity;
  return RejectReason::kNone;
}

// Resumes, pauses or halts the exchange.
RejectReason MoveExchange(VenueState& venue, const Command& command, EventBuffer& events) {
  venue.state = StateAfter(command.kind);
  venue.UpdateFastPathTimes();
  events.Append(EventKind::kExchangeState).detail = static_cast<uint8_t>(venue.state);
  return RejectReason::kNone;
}

}  // namespace

RejectReason ApplyMarketCommand(VenueState& venue, const Command& command, Bytes attachment,
                                EventBuffer& events) {
  switch (command.kind) {
    case CommandKind::kDefineMarket:
      return DefineMarket(venue, command, attachment, events);
    case CommandKind::kOpenMarket:
    case CommandKind::kPauseMarket:
    case CommandKind::kCloseMarket:
    case CommandKind::kDetermineMarket:
    case CommandKind::kSettleMarket:
      return MoveMarket(venue, command, events);
    case CommandKind::kResumeExchange:
    case CommandKind::kPauseExchange:
    case CommandKind::kHaltExchange:
      return MoveExchange(venue, command, events);
    case CommandKind::kSetFees:
      return SetFees(venue, command, attachment, events);
    case CommandKind::kSetPositionLimit:
      return SetPositionLimit(venue, command, events);
    default:
      return RejectReason::kUnknownCommand;
  }
}

Market& AddMarket(VenueState& venue, const MarketDefinition& definition, const FeeSchedule& fees) {
  Market& added = venue.markets.Add(definition, fees, venue.storage);
  if (venue.markets.are_many()) venue.storage.LookAhead();
  if (added.is_binary()) venue.storage.KeepRequired();
  return added;
}

}  // namespace engine
