// The rules, for every command in any state of the exchange: expire, validate, apply, emit, trip.

#ifndef ENGINE_CORE_RULES_H_
#define ENGINE_CORE_RULES_H_

#include <optional>

#include "engine/base/bytes.h"
#include "engine/core/market.h"
#include "engine/core/risk_control.h"
#include "engine/core/venue_state.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/side.h"

namespace engine {

// Applies `command` and emits its events. REQUIRES: the command is venue.last_applied, its time is
// venue.now.
void ApplyRules(VenueState& venue, const Command& command, Bytes attachment, EventBuffer& events);
// The same without an attachment.
void ApplyRules(VenueState& venue, const Command& command, EventBuffer& events);

// ---- {order,account,market}_commands.cc: the commands by scope. Each function either returns a
// reason and changes nothing, or applies the command and returns kNone.

// REQUIRES: the command's scope is kOrders. The order of the checks is that of RULES.md, 12; the
// checks that need nothing but the command, its market's definition and its order are in
// order_rules.
RejectReason ApplyOrderCommand(VenueState& venue, const Command& command, EventBuffer& events);

// execution.cc: a trade that the venue of a mirrored market reports. An order that the command
// names trades as a maker.
RejectReason Execute(VenueState& venue, const Command& command, EventBuffer& events);

// Finds the command's market. A mirrored market is for account zero alone. An account must be open
// where there is money, and must not be suspended to enlarge an order.
RejectReason FindMarket(const VenueState& venue, const Command& command, Market*& found);

// Finds the live order that the command names, of its market and account.
RejectReason FindOrder(const VenueState& venue, const Command& command, Slot& found);

// Money, limits, groups. REQUIRES: the command's scope is kAccount or kGroup. Amounts, limits and
// groups are validated by ledger, risk_control and order_groups.
RejectReason ApplyAccountCommand(VenueState& venue, const Command& command, Bytes attachment,
                                 EventBuffer& events);

// REQUIRES: the command's scope is kMarket or kExchange. market_lifecycle has the tables of states.
RejectReason ApplyMarketCommand(VenueState& venue, const Command& command, Bytes attachment,
                                EventBuffer& events);

// ---- What the fast path and snapshots share with them.

// Validates a new, replaced or amended order of `side` against its account's limits. `limit` is
// none for a market order. REQUIRES: some account is restricted.
RejectReason CheckRisk(const VenueState& venue, const Command& command, const Market& market,
                       Side side, std::optional<Price> limit, RiskControl::Request::Rests rests);

// REQUIRES: the table does not have the market; the fees of one without money are FeeSchedule().
Market& AddMarket(VenueState& venue, const MarketDefinition& definition, const FeeSchedule& fees);

}  // namespace engine

#endif  // ENGINE_CORE_RULES_H_
