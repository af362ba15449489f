// The page of `backtest`: self-contained, with its plots as SVG.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/types/market_definition.h"
#include "tools/cli/backtest/backtest_report.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/html.h"

namespace tools {
namespace {

constexpr double kWidth = 1120;
constexpr double kHeight = 300;
constexpr double kLeft = 90;
constexpr double kRight = 20;
constexpr double kTop = 28;
constexpr double kBottom = 36;
constexpr int kLines = 5;

using Points = std::vector<std::pair<double, double>>;

// A line through points: x is seconds since the beginning, y has a unit.
std::string Plot(const std::string& title, const Points& points) {
  if (points.size() < 2) return "";
  double low = points.front().second;
  double high = low;
  for (const auto& [x, y] : points) {
    low = std::min(low, y);
    high = std::max(high, y);
  }
  if (high == low) high = low + 1;
  const double first = points.front().first;
  const double last = std::max(points.back().first, first + 1e-9);
  const auto at_x = [&](double x) {
    return kLeft + (x - first) / (last - first) * (kWidth - kLeft - kRight);
  };
  const auto at_y = [&](double y) {
    return kHeight - kBottom - (y - low) / (high - low) * (kHeight - kTop - kBottom);
  };
  std::string out = absl::StrFormat(
      "<svg viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" role=\"img\" aria-label=\"%s\">"
      "<text x=\"%.0f\" y=\"14\">%s</text>",
      kWidth, kHeight, kWidth, HtmlEscaped(title), kLeft, HtmlEscaped(title));
  for (int i = 0; i <= kLines; ++i) {
    const double y = low + (high - low) * i / kLines;
    const double x = first + (last - first) * i / kLines;
    absl::StrAppendFormat(&out,
                          "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                          "style=\"stroke:#e4e4e4\"/><text x=\"%.1f\" y=\"%.1f\" "
                          "text-anchor=\"end\">%.2f</text>",
                          kLeft, at_y(y), kWidth - kRight, at_y(y), kLeft - 6, at_y(y) + 4, y);
    absl::StrAppendFormat(&out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>",
                          at_x(x), kHeight - kBottom + 18, HumanSeconds(x - first));
  }
  out += "<polyline style=\"fill:none;stroke:#0a6ebd;stroke-width:1.5\" points=\"";
  for (const auto& [x, y] : points) absl::StrAppendFormat(&out, "%.1f,%.1f ", at_x(x), at_y(y));
  return out + "\"/></svg>\n";
}

}  // namespace

std::string BacktestPage(const BacktestResult& result, const engine::MarketDirectory& markets) {
  std::string out = HtmlHead("ticktape backtest");
  absl::StrAppend(&out, "<h1>", HtmlEscaped(result.setup.strategy), " on ",
                  HtmlEscaped(result.setup.path), "</h1>\n");
  Report report("ticktape.backtest/1");
  AddTo(report, result);
  absl::StrAppend(&out, "<pre>", HtmlEscaped(report.lines().WithoutStyles().bytes()), "</pre>\n");

  Points profit;
  Points drawdown;
  double best = 0;
  for (const ProfitPoint& point : result.results.curve()) {
    const double seconds = double(point.time.nanos()) / 1e9;
    const double dollars = double(point.profit.micros()) / 1e6;
    best = std::max(best, dollars);
    profit.emplace_back(seconds, dollars);
    drawdown.emplace_back(seconds, dollars - best);
  }
  out += "<h2>Profit</h2>\n";
  out += Plot("dollars, marked to mid, by time since the first point", profit);
  out += Plot("dollars below the highest point so far", drawdown);

  for (const MarketResult& market : result.markets) {
    Points position;
    int64_t held = 0;
    double scale = 1;
    for (const Fill& fill : result.results.fills()) {
      const engine::MarketDefinition& definition = *markets.Find(fill.market);
      if (definition.symbol != market.symbol) continue;
      if (position.empty()) {
        for (int i = 0; i < definition.quantity_decimals; ++i) scale *= 10;
      }
      const auto units = static_cast<int64_t>(fill.quantity.units());
      held += fill.side == engine::Side::kBid ? units : -units;
      position.emplace_back(double(fill.time.nanos()) / 1e9, double(held) / scale);
    }
    // The curve has as many points as a screen has columns.
    const size_t every = 1 + position.size() / Results::kPointsMax;
    Points shown;
    for (size_t i = 0; i < position.size(); i += every) shown.push_back(position[i]);
    absl::StrAppend(&out, "<h2>", HtmlEscaped(market.symbol), "</h2>\n");
    out += Plot("position after each fill, by time since the first", shown);
  }
  return out + "</body></html>\n";
}

}  // namespace tools
