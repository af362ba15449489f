// Which command is allowed in which state of its market and of the exchange, and what state it
// leads to. RULES.md shows the same tables; market_lifecycle_test enumerates every cell.
//
//   unopened ─► open ◄─► paused          equity: closed ─► open, the next day
//       │         │        │             binary: closed ─► determined ─► settled
//       └─────────┴────────┴──► closed

#ifndef ENGINE_CORE_MARKET_LIFECYCLE_H_
#define ENGINE_CORE_MARKET_LIFECYCLE_H_

#include "engine/messages/command.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"

namespace engine {

// Whether the exchange, in `state`, looks at commands of `kind` at all. A command that would lead
// to the state in which the exchange is already is refused too.
RejectReason CheckExchangeState(CommandKind kind, ExchangeState state);

// REQUIRES: kind is resume, pause or halt exchange.
ExchangeState StateAfter(CommandKind kind);

// Whether an order of a market in `state` may be entered or changed so. Kinds that concern no order
// always may.
RejectReason CheckOrderAgainstState(CommandKind kind, MarketState state);

// Whether a market of `market` kind goes to another state by `kind` from `state`.
// REQUIRES: kind is open, pause, close, determine or settle market.
RejectReason CheckTransition(CommandKind kind, MarketKind market, MarketState state);
MarketState MarketStateAfter(CommandKind kind);

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_LIFECYCLE_H_
