// The report of a backtest.

#ifndef TOOLS_CLI_BACKTEST_BACKTEST_REPORT_H_
#define TOOLS_CLI_BACKTEST_BACKTEST_REPORT_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/messages/market_directory.h"
#include "engine/types/money.h"
#include "tools/backtest/backtest.h"
#include "tools/backtest/results.h"
#include "tools/cli/base/report.h"
#include "tools/strategy/strategy_machine.h"

namespace tools {

// What was run, in words. A regular value type.
struct BacktestSetup {
  std::string strategy;
  std::string path;  // Of the market.
  bool is_of_run = false;
  std::string impact;
  std::string data_latency;
  std::string order_latency;
  uint64_t answers = 0;  // The order latency is that of so many requests of the run; zero: given.
  uint64_t seed = 1;
  std::string fees;  // Of mirrored binary markets, as they were written; empty: none.
  std::vector<std::string> parameters;  // "size=100", those that differ from what they are without.
};

// A market that the strategy held something of, or traded in.
struct MarketResult {
  std::string symbol;
  std::string position;
  std::string bought;
  std::string sold;
  engine::Money fees;
  engine::Money profit;
  bool is_settled = false;
};

// What came of it. A regular value type.
struct BacktestResult {
  BacktestSetup setup;
  uint64_t records = 0;
  uint64_t inputs = 0;
  uint64_t corrections = 0;
  bool has_mirrored_markets = false;
  Results results;
  std::vector<MarketResult> markets;
};

BacktestResult ResultOf(const BacktestSetup& setup, const Backtest& backtest,
                        const strategy::StrategyMachine& machine, uint64_t records);

// Adds rows and fields.
void AddTo(Report& report, const BacktestResult& result);

// One line a run; the best profit is marked.
void AddSweepTo(Report& report, std::span<const BacktestResult> runs);

// What it assumes about recorded orders.
std::string AssumptionOf(Impact impact);
// The same of mirrored markets, where the exchange matches nothing, and of a run's. `fees`: as in
// BacktestSetup.
std::string MirroredAssumption(absl::string_view fees);
std::string RunAssumption();

// One line a fill, with a header.
std::string FillsCsv(const Results& results, const engine::MarketDirectory& markets);

// One self-contained page.
std::string BacktestPage(const BacktestResult& result, const engine::MarketDirectory& markets);

}  // namespace tools

#endif  // TOOLS_CLI_BACKTEST_BACKTEST_REPORT_H_
