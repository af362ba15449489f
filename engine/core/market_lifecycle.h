// Which command is allowed in which state of its market and of the exchange, and the state that it
// leads to. RULES.md shows the same tables; market_lifecycle_test checks every cell.
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

// Whether the exchange accepts commands of `kind` in `state`. A command that leads to the state in
// which the exchange already is, is refused too.
RejectReason CheckExchangeState(CommandKind kind, ExchangeState state);

// The exchange's state after a command. REQUIRES: kind is resume, pause or halt exchange.
ExchangeState StateAfter(CommandKind kind);

// Whether a command of `kind` may enter or change an order of a market in `state`. Kinds that
// concern no order are always allowed.
RejectReason CheckOrderAgainstState(CommandKind kind, MarketState state);

// Whether a command of `kind` may move a market of `market` kind from `state` to another.
// REQUIRES: kind is open, pause, close, determine or settle market.
RejectReason CheckTransition(CommandKind kind, MarketKind market, MarketState state);
MarketState MarketStateAfter(CommandKind kind);

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_LIFECYCLE_H_
