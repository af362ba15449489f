#include "tools/cli/retime/retime_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/format.h"

namespace tools {
namespace {

using replay::LatencyHistogram;

constexpr double kWidth = 560;
constexpr double kHeight = 240;
constexpr double kLeft = 64;
constexpr double kRight = 12;
constexpr double kTop = 24;
constexpr double kBottom = 36;
constexpr int kBinsADecade = 24;
constexpr char kBeforeColour[] = "#999";
constexpr char kAfterColour[] = "#0a6ebd";
constexpr std::array<std::pair<const char*, uint64_t>, 4> kMarked = {{
    {"p50", 500'000},
    {"p99", 990'000},
    {"p99.9", 999'000},
    {"p99.99", 999'900},
}};

constexpr char kHead[] = R"html(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>ticktape retime</title><style>
body{font:14px/1.5 system-ui,sans-serif;margin:2em auto;max-width:1180px;color:#222;padding:0 1em}
h1{font-size:1.4em}h2{font-size:1.1em;margin:2em 0 .3em}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
td,th{padding:.15em .8em;text-align:right;border-bottom:1px solid #eee}
td:first-child,th:first-child{text-align:left;padding-left:0}
svg{max-width:100%;height:auto}text{font:11px system-ui,sans-serif;fill:#555}
.worse{color:#b00020}.better,.same{color:#0a7a2f}.inconclusive{color:#a06000}
.pictures{display:flex;flex-wrap:wrap;gap:1em}
</style></head><body>
)html";

std::string Escaped(absl::string_view text) {
  return absl::StrReplaceAll(text,
                             {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}});
}

std::string Time(double nanos) { return Escaped(HumanSeconds(nanos / 1e9)); }

// A logarithmic axis between two coordinates of the picture.
class Axis {
 public:
  Axis(double low, double high, double from, double to)
      : low_(std::floor(std::log10(low))),
        high_(std::max(std::ceil(std::log10(high)), low_ + 1)),
        from_(from),
        to_(to) {}
  double At(double value) const {
    const double share = (std::log10(value) - low_) / (high_ - low_);
    return from_ + std::clamp(share, 0.0, 1.0) * (to_ - from_);
  }
  std::vector<double> Decades() const {
    std::vector<double> decades;
    for (double exponent = low_; exponent <= high_; ++exponent) {
      decades.push_back(std::pow(10, exponent));
    }
    return decades;
  }

 private:
  const double low_, high_, from_, to_;
};

Axis XAxis(double low, double high) { return {low, high, kLeft, kWidth - kRight}; }
Axis YAxis(double low, double high) { return {low, high, kHeight - kBottom, kTop}; }

// Groups slots into columns of equal width on the axis: the value at the column's left edge, and
// its share of all.
std::vector<std::pair<double, double>> Columns(const LatencyHistogram& histogram) {
  std::map<int, double> shares;
  for (size_t slot = 0; slot < histogram.slots().size(); ++slot) {
    if (histogram.slots()[slot] == 0) continue;
    const auto value = static_cast<double>(std::max<uint64_t>(LatencyHistogram::LowestIn(slot), 1));
    shares[static_cast<int>(std::floor(std::log10(value) * kBinsADecade))] +=
        static_cast<double>(histogram.slots()[slot]) / static_cast<double>(histogram.count());
  }
  std::vector<std::pair<double, double>> columns;
  for (const auto& [bin, share] : shares) {
    columns.emplace_back(std::pow(10, static_cast<double>(bin) / kBinsADecade), share);
  }
  return columns;
}

std::string Line(double x1, double y1, double x2, double y2, absl::string_view style) {
  return absl::StrFormat("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" style=\"%s\"/>", x1,
                         y1, x2, y2, std::string(style));
}

std::string Label(double x, double y, absl::string_view anchor, absl::string_view text) {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y,
                         std::string(anchor), std::string(text));
}

std::string Begin(absl::string_view title) {
  return absl::StrCat("<svg viewBox=\"0 0 ", kWidth, " ", kHeight, "\" width=\"", kWidth,
                      "\" role=\"img\" aria-label=\"", Escaped(title), "\">",
                      Label(kLeft, 14, "start", Escaped(title)));
}

std::string Grid(const Axis& x, const std::vector<std::pair<double, std::string>>& x_labels,
                 const Axis& y, const std::vector<std::pair<double, std::string>>& y_labels) {
  std::string out;
  for (const auto& [value, text] : x_labels) {
    out += Line(x.At(value), kTop, x.At(value), kHeight - kBottom, "stroke:#e4e4e4");
    out += Label(x.At(value), kHeight - kBottom + 16, "middle", text);
  }
  for (const auto& [value, text] : y_labels) {
    out += Line(kLeft, y.At(value), kWidth - kRight, y.At(value), "stroke:#e4e4e4");
    out += Label(kLeft - 6, y.At(value) + 4, "end", text);
  }
  return out;
}

std::vector<std::pair<double, std::string>> Times(const Axis& axis) {
  std::vector<std::pair<double, std::string>> labels;
  for (const double value : axis.Decades()) labels.emplace_back(value, Time(value));
  return labels;
}

std::string Steps(const std::vector<std::pair<double, double>>& columns, const Axis& x,
                  const Axis& y, absl::string_view style) {
  const double factor = std::pow(10, 1.0 / kBinsADecade);
  std::string path;
  for (const auto& [value, share] : columns) {
    absl::StrAppendFormat(&path, "M%.1f %.1fV%.1fH%.1fV%.1f", x.At(value), kHeight - kBottom,
                          y.At(share), x.At(value * factor), kHeight - kBottom);
  }
  return absl::StrCat("<path d=\"", path, "\" style=\"", style, "\"/>");
}

std::string Marks(const LatencyHistogram& histogram, const Axis& x, const char* colour) {
  std::string out;
  double y = kTop + 10;
  for (const auto& [name, per_million] : kMarked) {
    const double at = x.At(std::max(1.0, static_cast<double>(histogram.Percentile(per_million))));
    out += Line(at, kTop, at, kHeight - kBottom,
                absl::StrCat("stroke:", colour, ";stroke-dasharray:3 3"));
    out += Label(at + 3, y, "start", name);
    y += 12;
  }
  return out;
}

std::string Distribution(absl::string_view title, const LatencyHistogram& after,
                         const LatencyHistogram* before) {
  std::vector<std::pair<double, double>> columns = Columns(after), others;
  if (before != nullptr) others = Columns(*before);
  double low = columns.front().first, high = columns.back().first, least = 1;
  for (const auto* each : {&columns, &others}) {
    for (const auto& [value, share] : *each) {
      low = std::min(low, value);
      high = std::max(high, value * 1.2);
      least = std::min(least, share);
    }
  }
  const Axis x = XAxis(low, high);
  const Axis y = YAxis(least / 2, 1);
  std::vector<std::pair<double, std::string>> shares;
  for (const double share : y.Decades()) {
    shares.emplace_back(share, absl::StrFormat("%g %%", share * 100));
  }
  std::string out = Begin(absl::StrCat(title, ": how often each time was taken"));
  out += Grid(x, Times(x), y, shares);
  out += Steps(columns, x, y, absl::StrCat("fill:", kAfterColour, ";fill-opacity:.55"));
  if (before != nullptr) {
    out += Steps(others, x, y, absl::StrCat("fill:none;stroke:", kBeforeColour));
  }
  out += Marks(after, x, kAfterColour);
  return out + "</svg>\n";
}

std::string Curve(const LatencyHistogram& histogram, const Axis& x, const Axis& y,
                  absl::string_view colour) {
  std::string points;
  uint64_t seen = 0;
  for (size_t slot = 0; slot < histogram.slots().size(); ++slot) {
    if (histogram.slots()[slot] == 0) continue;
    const auto rarity =
        static_cast<double>(histogram.count()) / static_cast<double>(histogram.count() - seen);
    const auto value = static_cast<double>(std::clamp<uint64_t>(
        LatencyHistogram::HighestIn(slot), 1, std::max<uint64_t>(histogram.max(), 1)));
    absl::StrAppendFormat(&points, "%.1f,%.1f ", x.At(rarity), y.At(value));
    seen += histogram.slots()[slot];
    const auto next = static_cast<double>(histogram.count()) /
                      std::max(static_cast<double>(histogram.count() - seen), 1.0);
    absl::StrAppendFormat(&points, "%.1f,%.1f ", x.At(next), y.At(value));
  }
  return absl::StrCat("<polyline points=\"", points,
                      "\" style=\"fill:none;stroke-width:1.5;stroke:", colour, "\"/>");
}

std::string Percentiles(absl::string_view title, const LatencyHistogram& after,
                        const LatencyHistogram* before) {
  double low = static_cast<double>(std::max<uint64_t>(after.Percentile(1), 1));
  auto high = static_cast<double>(after.max());
  auto rarest = static_cast<double>(after.count());
  if (before != nullptr) {
    low = std::min(low, static_cast<double>(std::max<uint64_t>(before->Percentile(1), 1)));
    high = std::max(high, static_cast<double>(before->max()));
    rarest = std::max(rarest, static_cast<double>(before->count()));
  }
  const Axis x = XAxis(1, rarest);
  const Axis y = YAxis(low, std::max(high, low + 1));
  std::vector<std::pair<double, std::string>> shares;
  for (const double rarity : x.Decades()) {
    shares.emplace_back(rarity,
                        rarity <= 1 ? "0 %" : absl::StrFormat("%.10g %%", 100 - 100 / rarity));
  }
  std::string out = Begin(absl::StrCat(title, ": below which time which share stays"));
  out += Grid(x, shares, y, Times(y));
  if (before != nullptr) out += Curve(*before, x, y, kBeforeColour);
  out += Curve(after, x, y, kAfterColour);
  return out + "</svg>\n";
}

std::string Pictures(absl::string_view what, const LatencyHistogram& after,
                     const LatencyHistogram* before) {
  if (after.count() == 0) return "";
  if (before != nullptr && before->count() == 0) before = nullptr;
  return absl::StrCat("<div class=\"pictures\">\n", Distribution(what, after, before),
                      Percentiles(what, after, before), "</div>\n");
}

std::string Row(const std::vector<std::string>& cells, const char* tag) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) absl::StrAppend(&out, "<", tag, ">", cell, "</", tag, ">");
  return out + "</tr>\n";
}

std::string Table(const RetimeReport& report) {
  std::vector<std::string> head = {"service time, ns", "count"};
  for (const auto& [name, per_million] : kMarked) head.emplace_back(name);
  head.emplace_back("max");
  head.emplace_back("allocations");
  std::string out = "<table>\n" + Row(head, "th");
  for (const RetimeReport::Class& each : report.classes) {
    std::vector<std::string> cells = {Escaped(each.name()), WithCommas(each.service.count())};
    for (const auto& [name, per_million] : kMarked) {
      cells.push_back(WithCommas(each.service.Percentile(per_million)));
    }
    cells.push_back(WithCommas(each.service.max()));
    cells.push_back(WithCommas(each.allocations));
    out += Row(cells, "td");
  }
  return out + "</table>\n";
}

std::string Verdicts(const RetimeComparison& comparison) {
  const std::string verdict(NameOf(comparison.verdict));
  std::string out = absl::StrFormat(
      "<h2 class=\"%s\">Against the baseline: %s</h2>\n<p>The machine itself: "
      "%+.1f %%. Before in grey, after in blue.</p>\n<table>\n",
      verdict, verdict, comparison.machine_drift * 100);
  out += Row({"judged", "verdict", "change", "from", "to", "noise"}, "th");
  for (const Judgement& each : comparison.judgements) {
    const std::string name(NameOf(each.verdict));
    out += Row({Escaped(each.name), absl::StrCat("<span class=\"", name, "\">", name, "</span>"),
                absl::StrFormat("%+.2f %%", (each.ratio - 1) * 100),
                absl::StrFormat("%+.2f %%", (each.low - 1) * 100),
                absl::StrFormat("%+.2f %%", (each.high - 1) * 100),
                absl::StrFormat("%.2f %%", std::expm1(each.noise) * 100)},
               "td");
  }
  return out + "</table>\n";
}

std::string Worst(const RetimePage& page) {
  std::string out = "<h2>Worst commands</h2>\n<table>\n";
  out += Row({"command", "kind", "service", "latency", "to look at it"}, "th");
  for (const RetimeReport::Slow& slow : page.after.worst) {
    out += Row({absl::StrCat("@", slow.sequence), Escaped(slow.name),
                Time(static_cast<double>(slow.service_nanos)),
                page.after.is_open_loop ? Time(static_cast<double>(slow.latency_nanos)) : "",
                absl::StrCat("<code>ticktape inspect ", Escaped(page.path), " @", slow.sequence,
                             "</code>")},
               "td");
  }
  return out + "</table>\n";
}

std::string Facts(const RetimeReport& report) {
  std::string out = "<h2>Measured on</h2>\n<table>\n";
  for (const NamedValues* values : {&report.work, &report.environment}) {
    for (const auto& [name, value] : *values) out += Row({Escaped(name), Escaped(value)}, "td");
  }
  for (const ConditionReport& condition : report.conditions) {
    if (condition.asked && !condition.taken) {
      out += Row({Escaped(condition.name), Escaped("refused: " + condition.detail)}, "td");
    }
  }
  return out + "</table>\n";
}

}  // namespace

std::string ToHtml(const RetimePage& page) {
  const RetimeReport& after = page.after;
  const double seconds = static_cast<double>(after.total_nanos) / 1e9;
  std::string out = kHead;
  absl::StrAppend(&out, "<h1>", Escaped(page.path), "</h1>\n<p>", WithCommas(after.commands),
                  " commands in ", Time(static_cast<double>(after.total_nanos)), ", ",
                  HumanCount(static_cast<double>(after.commands) / seconds), "/s</p>\n");
  if (page.comparison != nullptr) out += Verdicts(*page.comparison);
  out += "<h2>Times by kind of work</h2>\n" + Table(after);
  for (const RetimeReport::Class& each : after.classes) {
    const RetimeReport::Class* before = nullptr;
    if (page.before != nullptr) {
      for (const RetimeReport::Class& other : page.before->classes) {
        if (other.name() == each.name()) before = &other;
      }
    }
    absl::StrAppend(&out, "<h2>", Escaped(each.name()), "</h2>\n");
    out += Pictures("latency", each.latency, before == nullptr ? nullptr : &before->latency);
    out += Pictures("service time", each.service, before == nullptr ? nullptr : &before->service);
  }
  return out + Worst(page) + Facts(after) + "</body></html>\n";
}

}  // namespace tools
