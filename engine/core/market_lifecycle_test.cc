// Every cell of the tables in engine/RULES.md: one row a command, one column a state.

#include "engine/core/market_lifecycle.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/messages/command.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::string Word(RejectReason reason) {
  return reason == RejectReason::kNone ? "yes" : NameOf(reason);
}

// One line for each kind of command: its name, then a word for each state.
template <typename Check>
std::string Table(const std::vector<CommandKind>& kinds, int states, Check&& check) {
  std::string table;
  for (const CommandKind kind : kinds) {
    absl::StrAppend(&table, NameOf(kind));
    for (int state = 1; state <= states; ++state) {
      absl::StrAppend(&table, " ", Word(check(kind, state)));
    }
    table += "\n";
  }
  return table;
}

std::vector<CommandKind> AllKinds() {
  std::vector<CommandKind> kinds;
  for (int kind = 1; kind <= static_cast<int>(kLastCommandKind); ++kind) {
    kinds.push_back(static_cast<CommandKind>(kind));
  }
  return kinds;
}

const std::vector<CommandKind> kMarketCommands = {
    CommandKind::kOpenMarket, CommandKind::kPauseMarket, CommandKind::kCloseMarket,
    CommandKind::kDetermineMarket, CommandKind::kSettleMarket};

std::string Transitions(MarketKind market) {
  return Table(kMarketCommands, kMarketStateCount, [&](CommandKind kind, int state) {
    return CheckTransition(kind, market, static_cast<MarketState>(state));
  });
}

// Columns: unopened, open, paused, closed, determined, settled.
TEST(MarketLifecycle, ABinaryMarketTradesOnceAndIsSettled) {
  constexpr char kNo[] = "market_state_forbids";
  EXPECT_EQ(Transitions(MarketKind::kBinary),
            absl::StrCat("open_market yes ", kNo, " yes ", kNo, " ", kNo, " ", kNo, "\n",  //
                         "pause_market ", kNo, " yes ", kNo, " ", kNo, " ", kNo, " ", kNo, "\n",
                         "close_market yes yes yes ", kNo, " ", kNo, " ", kNo, "\n",
                         "determine_market ", kNo, " ", kNo, " ", kNo, " yes ", kNo, " ", kNo, "\n",
                         "settle_market ", kNo, " ", kNo, " ", kNo, " ", kNo, " yes ", kNo, "\n"));
}

TEST(MarketLifecycle, AnEquityMarketOpensAgainAndIsNeverSettled) {
  constexpr char kNo[] = "market_state_forbids";
  constexpr char kNever[] =
      " market_not_binary market_not_binary market_not_binary market_not_binary market_not_binary "
      "market_not_binary\n";
  EXPECT_EQ(Transitions(MarketKind::kEquity),
            absl::StrCat("open_market yes ", kNo, " yes yes ", kNo, " ", kNo, "\n",  //
                         "pause_market ", kNo, " yes ", kNo, " ", kNo, " ", kNo, " ", kNo, "\n",
                         "close_market yes yes yes ", kNo, " ", kNo, " ", kNo, "\n",
                         "determine_market", kNever, "settle_market", kNever));
}

TEST(MarketLifecycle, EachTransitionHasATarget) {
  EXPECT_EQ(MarketStateAfter(CommandKind::kOpenMarket), MarketState::kOpen);
  EXPECT_EQ(MarketStateAfter(CommandKind::kPauseMarket), MarketState::kPaused);
  EXPECT_EQ(MarketStateAfter(CommandKind::kCloseMarket), MarketState::kClosed);
  EXPECT_EQ(MarketStateAfter(CommandKind::kDetermineMarket), MarketState::kDetermined);
  EXPECT_EQ(MarketStateAfter(CommandKind::kSettleMarket), MarketState::kSettled);
}

TEST(MarketLifecycle, OrdersEnterOpenMarketsOnlyAndLeaveAnyTime) {
  const std::string table = Table(AllKinds(), kMarketStateCount, [](CommandKind kind, int state) {
    return CheckOrderAgainstState(kind, static_cast<MarketState>(state));
  });
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(table, '\n', absl::SkipEmpty()))) {
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    const bool enters = words[0] == "new_order" || words[0] == "replace" || words[0] == "amend";
    EXPECT_EQ(words[1], enters ? "market_not_open yes market_paused market_not_open "
                                 "market_not_open market_not_open"
                               : "yes yes yes yes yes yes")
        << words[0];
  }
}

// Columns: active, paused, halted.
TEST(MarketLifecycle, APauseLetsCancelsPassAndAHaltOnlyNotes) {
  const std::string table = Table(AllKinds(), 3, [](CommandKind kind, int state) {
    return CheckExchangeState(kind, static_cast<ExchangeState>(state));
  });
  for (const std::string& line :
       std::vector<std::string>(absl::StrSplit(table, '\n', absl::SkipEmpty()))) {
    const std::vector<std::string> words = absl::StrSplit(line, absl::MaxSplits(' ', 1));
    std::string expected = "yes exchange_paused exchange_halted";
    if (words[0] == "cancel" || words[0] == "mass_cancel" || words[0] == "advance_time") {
      expected = "yes yes exchange_halted";
    }
    if (words[0] == "note") expected = "yes yes yes";
    if (words[0] == "resume_exchange") expected = "exchange_state_forbids yes yes";
    if (words[0] == "pause_exchange") expected = "yes exchange_state_forbids yes";
    if (words[0] == "halt_exchange") expected = "yes yes exchange_state_forbids";
    EXPECT_EQ(words[1], expected) << words[0];
  }
}

}  // namespace
}  // namespace engine
