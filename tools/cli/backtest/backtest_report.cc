#include "tools/cli/backtest/backtest_report.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

using engine::MarketDefinition;
using engine::Money;
using engine::Price;

constexpr std::array<absl::string_view, kMarkoutNanos.size()> kMarkoutNames = {"100ms", "1s",
                                                                               "10s"};

std::string Percent(uint64_t part, uint64_t whole) {
  return whole == 0 ? "-" : absl::StrFormat("%.1f %%", 100.0 * double(part) / double(whole));
}

// What the mid moved in favour of the fills on average, in price units.
std::optional<double> MarkoutOf(const LevelResults& level, size_t horizon) {
  if (level.marked[horizon] == 0) return std::nullopt;
  return double(level.twice_markout[horizon]) / 2 / double(level.marked[horizon]);
}

std::string Signed(std::optional<double> value) {
  return value.has_value() ? absl::StrFormat("%+.2f", *value) : "-";
}

std::string Dollars(Money money) {
  const int64_t cents = (money.micros() + (money.micros() < 0 ? -5'000 : 5'000)) / 10'000;
  return engine::FormatPrice(Price::FromUnits(cents), 2);
}

std::string Units(int64_t units, int decimals) {
  return engine::FormatPrice(Price::FromUnits(units), decimals);
}

}  // namespace

BacktestResult ResultOf(const BacktestSetup& setup, const Backtest& backtest,
                        const strategy::StrategyMachine& machine, uint64_t records) {
  BacktestResult result{.setup = setup,
                        .records = records,
                        .inputs = backtest.inputs(),
                        .corrections = backtest.market().corrections(),
                        .has_mirrored_markets = backtest.market().has_mirrored_markets(),
                        .results = backtest.results(),
                        .markets = {}};
  for (const strategy::Desk::Market& market : machine.desk().markets()) {
    const strategy::Position& position = market.position;
    if (position.bought() == 0 && position.sold() == 0) continue;
    const int decimals = market.definition.quantity_decimals;
    result.markets.push_back({.symbol = market.definition.symbol,
                              .position = Units(position.units(), decimals),
                              .bought = Units(static_cast<int64_t>(position.bought()), decimals),
                              .sold = Units(static_cast<int64_t>(position.sold()), decimals),
                              .fees = position.fees(),
                              .profit = market.profit,
                              .is_settled = market.is_settled});
  }
  return result;
}

std::string AssumptionOf(Impact impact) {
  return impact == Impact::kNone
             ? "recorded orders trade as recorded, also where the strategy was before them"
             : "recorded orders take what the strategy has left, and the rest of them is dropped";
}

std::string MirroredAssumption(absl::string_view fees) {
  return absl::StrCat(
      "in mirrored markets a recorded execution fills first what the strategy has before it; ",
      fees.empty() ? "no fees are charged there"
                   : absl::StrCat("fees of binary ones are ", fees, ", of takers and makers"));
}

std::string RunAssumption() {
  return "the market is what the run received, when it did, without its own resting orders; what "
         "it took stays taken";
}

void AddTo(Report& report, const BacktestResult& result) {
  const BacktestSetup& setup = result.setup;
  const Results::Counts& counts = result.results.counts;
  report.Field("strategy", setup.strategy);
  report.Field("path", setup.path);
  report.Line(Styled(Style::kBold, setup.strategy), " on ", Styled(Style::kBold, setup.path));
  const std::string parameters = absl::StrJoin(setup.parameters, " ");
  if (!parameters.empty()) report.Row("parameters", parameters);
  report.Texts("parameters", setup.parameters);
  const Impact impact = setup.impact == kImpactNames[0] ? Impact::kNone : Impact::kDisplace;
  report.Fact("impact", "impact", setup.impact);
  report.Row("", AssumptionOf(impact));
  if (result.has_mirrored_markets) report.Row("", MirroredAssumption(setup.fees));
  if (setup.is_of_run) report.Row("", RunAssumption());
  report.Field("mirrored", result.has_mirrored_markets);
  report.Field("from_run", setup.is_of_run);
  report.Row("latency", setup.data_latency, " to the strategy, ", setup.order_latency,
             " to the exchange, seed ", setup.seed);
  if (setup.answers != 0) {
    report.Row("", "an order takes as long as a request of the run to its answer, drawn from ",
               Counted(setup.answers, "answer"));
  }
  report.Field("measured_answers", setup.answers);
  report.Field("data_latency", setup.data_latency);
  report.Field("order_latency", setup.order_latency);
  report.Field("seed", setup.seed);
  report.Field("fees", setup.fees);
  report.Row("market", Counted(result.records, "record"), ", ", Counted(result.inputs, "input"),
             " of the strategy, ", Counted(result.corrections, "correction"));
  report.Field("records", result.records);
  report.Field("inputs", result.inputs);
  report.Field("corrections", result.corrections);
  report.Row("orders", WithCommas(counts.new_orders), " new, ", WithCommas(counts.amends),
             " amends, ", WithCommas(counts.cancels), " cancels; ", WithCommas(counts.refused),
             " refused, ", WithCommas(counts.failed), " changes too late");
  report.Field("new_orders", counts.new_orders);
  report.Field("amends", counts.amends);
  report.Field("cancels", counts.cancels);
  report.Field("refused", counts.refused);
  report.Field("failed", counts.failed);
  report.Row("fills", WithCommas(counts.made), " as maker, ", WithCommas(counts.taken),
             " as taker");
  report.Field("fills_as_maker", counts.made);
  report.Field("fills_as_taker", counts.taken);
  report.Row("profit", Dollars(result.results.profit()),
             " dollars, marked to mid; deepest drawdown ", Dollars(result.results.drawdown()));
  report.Field("profit", result.results.profit().ToString());
  report.Field("drawdown", result.results.drawdown().ToString());

  for (const MarketResult& market : result.markets) {
    report.Row(market.symbol, "holds ", market.position, ", bought ", market.bought, ", sold ",
               market.sold, ", fees ", Dollars(market.fees), ", profit ", Dollars(market.profit),
               market.is_settled ? " (settled)" : "");
  }
  report.Objects("markets", result.markets, [&](const MarketResult& market) {
    report.Field("market", market.symbol);
    report.Field("position", market.position);
    report.Field("bought", market.bought);
    report.Field("sold", market.sold);
    report.Field("fees", market.fees.ToString());
    report.Field("profit", market.profit.ToString());
    report.Field("settled", market.is_settled);
  });

  const auto& levels = result.results.levels();
  const bool has_rested =
      std::ranges::any_of(levels, [](const LevelResults& each) { return each.orders != 0; });
  if (has_rested) {
    report.Line("  ", Styled(Style::kDim,
                             absl::StrFormat("%-16s %10s %9s   %s", "rested first at", "orders",
                                             "filled", "mid later, price units in its favour")));
  }
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].orders == 0) continue;
    std::vector<std::string> marks;
    for (size_t horizon = 0; horizon < kMarkoutNanos.size(); ++horizon) {
      marks.push_back(
          absl::StrCat(Signed(MarkoutOf(levels[i], horizon)), " after ", kMarkoutNames[horizon]));
    }
    const std::string name = i == 0 ? "best" : absl::StrCat("best + ", i);
    report.Line("  ",
                absl::StrFormat("%-16s %10s %9s   ", name, WithCommas(levels[i].orders),
                                Percent(levels[i].filled, levels[i].ordered)),
                absl::StrJoin(marks, ", "));
  }
  report.BeginArray("levels");
  for (size_t i = 0; i < levels.size(); ++i) {
    if (levels[i].orders == 0) continue;
    report.BeginElement();
    report.Field("level", uint64_t{i});
    report.Field("orders", levels[i].orders);
    report.Field("ordered", levels[i].ordered);
    report.Field("filled", levels[i].filled);
    for (size_t horizon = 0; horizon < kMarkoutNanos.size(); ++horizon) {
      const std::string name = absl::StrCat("markout_", kMarkoutNames[horizon]);
      report.Field(name, MarkoutOf(levels[i], horizon));
    }
    report.EndElement();
  }
  report.EndArray();
}

void AddSweepTo(Report& report, std::span<const BacktestResult> runs) {
  const auto best = std::ranges::max_element(
      runs, {}, [](const BacktestResult& run) { return run.results.profit(); });
  report.Line(Styled(Style::kDim, absl::StrFormat("%14s %14s %10s %10s  %s", "profit", "drawdown",
                                                  "made", "taken", "parameters")));
  report.Objects("runs", runs, [&](const BacktestResult& run) {
    const Results& results = run.results;
    const std::string line =
        absl::StrFormat("%14s %14s %10s %10s  %s", Dollars(results.profit()),
                        Dollars(results.drawdown()), WithCommas(results.counts.made),
                        WithCommas(results.counts.taken), absl::StrJoin(run.setup.parameters, " "));
    if (&run == &*best) {
      report.Line(Styled(Style::kGreen, line));
    } else {
      report.Line(line);
    }
    report.Texts("parameters", run.setup.parameters);
    report.Field("profit", results.profit().ToString());
    report.Field("drawdown", results.drawdown().ToString());
    report.Field("fills_as_maker", results.counts.made);
    report.Field("fills_as_taker", results.counts.taken);
    report.Field("best", &run == &*best);
  });
}

std::string FillsCsv(const Results& results, const engine::MarketDirectory& markets) {
  std::string csv = "time,market,order,side,role,level,price,quantity,fee,mid";
  for (const absl::string_view name : kMarkoutNames) absl::StrAppend(&csv, ",mid_", name);
  csv += "\n";
  for (const Fill& fill : results.fills()) {
    const MarketDefinition& market = *markets.Find(fill.market);
    // A mid has one decimal more.
    const auto mid = [&](std::optional<int64_t> twice) {
      if (!twice.has_value()) return std::string();
      return market.price_decimals < engine::kDecimalsMax
                 ? Units(*twice * 5, market.price_decimals + 1)
                 : Units(*twice / 2, market.price_decimals);
    };
    absl::StrAppend(&csv, fill.time.ToString(), ",", market.symbol, ",", fill.order.value(), ",",
                    engine::NameOf(fill.side), ",", fill.is_maker ? "maker" : "taker", ",");
    absl::StrAppend(&csv, fill.level, ",", engine::FormatPrice(fill.price, market.price_decimals),
                    ",", engine::FormatQuantity(fill.quantity, market.quantity_decimals), ",",
                    fill.fee.ToString(), ",", mid(fill.twice_mid));
    for (const auto& later : fill.twice_mid_later) absl::StrAppend(&csv, ",", mid(later));
    csv += "\n";
  }
  return csv;
}

}  // namespace tools
