// Orders without special terms that may trade, must not rest, or need new memory to rest.
//
// A taker trades from registers: it has a slot only once it rests. Where there is money, its
// account is found once, and pays for any fills of its size: if it could not pay the most that any
// order of the size may cost, the rules decide.

#include <cstdint>
#include <optional>
#include <type_traits>

#include "engine/base/inline.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/fast_path/steps.h"
#include "engine/core/live_orders.h"
#include "engine/core/matching.h"
#include "engine/core/rules.h"
#include "engine/core/settlement.h"
#include "engine/types/order_type.h"

namespace engine::fast_path {
namespace {

// Who pays in a market without money. Empty, so that it takes no register.
struct NoParty {};

// Whether the terms and the price of `command` are those of an ordinary order in an open market. On
// true, `limit` is its limit.
bool FindLimit(const Command& command, const Market& market, int64_t& limit) {
  if (HasTerms(command, OrderType::kMarket, TimeInForce::kImmediateOrCancel)) {
    limit = kAnyRank;
    return market.open_prices != 0 && command.price == Price();
  }
  const uint64_t price = market.IndexOf(command.price);
  limit = LimitOf(RankOf(command.side, price));
  return price < market.open_prices &&
         (HasTerms(command, OrderType::kLimit, TimeInForce::kGoodTillCancelled) ||
          HasTerms(command, OrderType::kLimit, TimeInForce::kImmediateOrCancel));
}

// Whether its account may enter the order; counts it on true. REQUIRES: some account is restricted;
// no later check refuses the order.
ENGINE_OUT_OF_LINE bool CountIfWithin(VenueState& venue, const Command& command,
                                      const Market& market) {
  using Request = RiskControl::Request;
  if (venue.risk.HasObstacle(command.account)) return false;
  std::optional<Price> limit;
  if (command.type == OrderType::kLimit) limit = command.price;
  if (CheckRisk(venue, command, market, command.side, limit,
                Rests(command.tif) ? Request::Rests::kYes : Request::Rests::kNo) !=
      RejectReason::kNone) {
    return false;
  }
  venue.risk.Count(command.account, command.timestamp);
  return true;
}
ENGINE_ALWAYS_INLINE bool PassesLimits(VenueState& venue, const Command& command,
                                       const Market& market) {
  return !venue.risk.restricts_any() || CountIfWithin(venue, command, market);
}

ENGINE_ALWAYS_INLINE void Accept(const Command& command, EventBuffer& events) {
  events.Begin(command.sequence);
  AppendWhole(events, EventKind::kAccepted, SubjectOf(command), command.quantity, command.quantity);
}

// `left` of the command's order rests at its price, after all that traded of it.
template <typename Party>
ENGINE_ALWAYS_INLINE void Rest(VenueState& venue, const Command& command, Market& market,
                               int64_t rank, Quantity left, Money credit, Party party) {
  constexpr bool kHasMoney = std::is_same_v<Party, Ledger::Party>;
  const Slot slot = venue.storage.NewOrder();
  SetOrder(venue.order(slot), SubjectOf(command), left, command.quantity - left, command.tif,
           kHasMoney ? OrderMarks::kMoney : uint8_t{0});
  AddToIndex(venue, OrderIdOf(command.sequence), slot);
  market.book.Add(slot, command.side, rank);
  if constexpr (kHasMoney) {
    SetCredit(venue, slot, credit);
    const Money required =
        market.money().Requirement(command.side, left, command.price, FeeRole::kMaker, credit);
    venue.storage.required(slot) = required;
    venue.ledger.Require(party, command.side, required);
  }
  if (venue.risk.restricts_any()) Register(venue, market, slot);
}

// Accepts, trades, rests or cancels an order that has been validated. `party` is its account, or
// NoParty.
template <typename Party>
ENGINE_ALWAYS_INLINE void TakeAs(VenueState& venue, const Command& command, EventBuffer& events,
                                 Market& market, int64_t limit, Party party) {
  constexpr bool kHasMoney = std::is_same_v<Party, Ledger::Party>;
  Accept(command, events);
  const Taker taker = {
      .sequence = command.sequence, .id = OrderIdOf(command.sequence), .side = command.side};
  [[maybe_unused]] std::conditional_t<kHasMoney, TakerMoney, NoParty> account;
  Money credit;
  if constexpr (kHasMoney) account = {.party = party, .owner = OwnerOf(command), .credit = {}};
  const auto always = [](Slot) { return OrderBook::Meeting::kTrade; };
  const auto on_trade = [&, taker](const OrderBook::Fill& fill) {
    if constexpr (kHasMoney) {
      SettleTrade(venue, taker, fill, market, account, events);
    } else {
      SettleTrade(venue, taker, fill, events);
    }
  };
  const Quantity left = market.book.Match(taker.side, limit, command.quantity, always, on_trade);
  if constexpr (kHasMoney) credit = account.credit;
  if (left.is_zero()) {
    // Nothing remains to rest or to cancel.
  } else if (Rests(command.tif)) {
    Rest(venue, command, market, LimitOf(limit), left, credit, party);
  } else {
    AppendWhole(events, EventKind::kCancelled, SubjectOf(command), left, Quantity(),
                static_cast<uint8_t>(CancelReason::kImmediateOrCancel));
  }
  if (venue.groups.has_fills()) TripGroups(venue, events);
}

ENGINE_OUT_OF_LINE void TakeWithMoney(VenueState& venue, const Command& command,
                                      EventBuffer& events, Market& market, int64_t limit,
                                      Ledger::Party party) {
  return TakeAs(venue, command, events, market, limit, party);
}

}  // namespace

ENGINE_OUT_OF_LINE void Take(VenueState& venue, const Command& command, EventBuffer& events,
                             Market& market, int64_t limit) {
  return TakeAs(venue, command, events, market, limit, NoParty());
}

ENGINE_OUT_OF_LINE void RestAnywhere(VenueState& venue, const Command& command, EventBuffer& events,
                                     Market& market, int64_t rank) {
  Accept(command, events);
  Rest(venue, command, market, rank, command.quantity, Money(), NoParty());
}

ENGINE_OUT_OF_LINE void TakeOrRest(VenueState& venue, const Command& command, EventBuffer& events) {
  Market* const market = venue.markets.Find(command.market);
  int64_t limit = kAnyRank;
  if (market == nullptr || !FindLimit(command, *market, limit) ||
      !market->Allows(command.quantity)) {
    return ApplyRules(venue, command, events);
  }
  if (market->is_ordinary()) {
    if (!PassesLimits(venue, command, *market)) return ApplyRules(venue, command, events);
    return Take(venue, command, events, *market, limit);
  }
  // An account that can pay for any order of this size needs no exact check. This comes before the
  // limits, which count what they grant.
  const Ledger::Party party = venue.ledger.FindParty(command.account, command.market);
  if (!party.is_known() || !party.Covers(market->money().RequirementBound(command.quantity)) ||
      !PassesLimits(venue, command, *market)) {
    return ApplyRules(venue, command, events);
  }
  TakeWithMoney(venue, command, events, *market, limit, party);
}

}  // namespace engine::fast_path
