// Random commands for property tests, which rapidcheck can shrink: few prices, ids that mostly
// exist, now and then a value at a boundary or beyond.

#ifndef ENGINE_DIFFERENTIAL_TRADING_SESSION_H_
#define ENGINE_DIFFERENTIAL_TRADING_SESSION_H_

#include <ostream>
#include <vector>

#include "engine/differential/session.h"
#include "engine/messages/command.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
// After gtest, which it relies on.
#include "rapidcheck/gtest.h"

namespace engine {

// Three markets: one in cents, one with ticks and lots, one binary. The prices that are 10.00 to
// 10.25 in the first two are 0.1000 to 0.1025 dollar in the third.
std::vector<MarketDefinition> SessionMarkets();

// The commands that define these markets and open the accounts that trade in the binary one. A
// hundred dollars is a lot for such an account. They have no sequence numbers and times.
std::vector<SessionCommand> OpeningCommands();

// The commands after OpeningCommands().
struct TradingSession {
  std::vector<Command> commands;
};

rc::Gen<TradingSession> AnyTradingSession();

// Prints a counterexample for rapidcheck: as a transcript, with the opening commands.
void showValue(const TradingSession& session, std::ostream& out);

}  // namespace engine

#endif  // ENGINE_DIFFERENTIAL_TRADING_SESSION_H_
