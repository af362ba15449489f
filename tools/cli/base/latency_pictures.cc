#include "tools/cli/base/latency_pictures.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/html.h"

namespace tools {
namespace {

using replay::LatencyHistogram;

constexpr double kWidth = 560;
constexpr double kHeight = 240;
constexpr double kLeft = 84;   // Room for "0.00000001 %".
constexpr double kRight = 48;  // Room for "p99.99" beside its line, and half of "99.999999 %".
constexpr double kLetterWidth = 6.2;
constexpr double kLabelGap = 6;
constexpr double kTop = 24;
constexpr double kBottom = 36;
constexpr int kBinsADecade = 24;
constexpr char kBeforeColour[] = "#999";
constexpr char kAfterColour[] = "#0a6ebd";

// A share that is a power of ten, as a per cent without an exponent.
std::string Share(double share) {
  const int decimals = std::max(0, -2 - static_cast<int>(std::lround(std::log10(share))));
  return absl::StrFormat("%.*f %%", decimals, share * 100);
}

double AtLeastOne(uint64_t value) { return double(std::max<uint64_t>(value, 1)); }

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
    const double value = AtLeastOne(LatencyHistogram::LowestIn(slot));
    shares[static_cast<int>(std::floor(std::log10(value) * kBinsADecade))] +=
        double(histogram.slots()[slot]) / double(histogram.count());
  }
  std::vector<std::pair<double, double>> columns;
  for (const auto& [bin, share] : shares) {
    columns.emplace_back(std::pow(10, double(bin) / kBinsADecade), share);
  }
  return columns;
}

std::string Line(double x1, double y1, double x2, double y2, const std::string& style) {
  return absl::StrFormat("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" style=\"%s\"/>", x1,
                         y1, x2, y2, style);
}

std::string Label(double x, double y, const char* anchor, const std::string& text) {
  return absl::StrFormat("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor,
                         text);
}

using LabelText = std::string (*)(double value);

// Begins a picture: its title, and a line for each decade of the axes, with a label if there is
// room for it.
std::string Begin(const std::string& title, const Axis& x, LabelText x_text, const Axis& y,
                  LabelText y_text) {
  std::string out = absl::StrCat("<svg viewBox=\"0 0 ", kWidth, " ", kHeight, "\" width=\"", kWidth,
                                 "\" role=\"img\" aria-label=\"", HtmlEscaped(title), "\">",
                                 Label(kLeft, 14, "start", HtmlEscaped(title)));
  double labelled = 0;
  for (const double value : x.Decades()) {
    out += Line(x.At(value), kTop, x.At(value), kHeight - kBottom, "stroke:#e4e4e4");
    const std::string text = x_text(value);
    const double half = kLetterWidth * double(text.size()) / 2;
    if (x.At(value) - half < labelled) continue;
    out += Label(x.At(value), kHeight - kBottom + 16, "middle", text);
    labelled = x.At(value) + half + kLabelGap;
  }
  for (const double value : y.Decades()) {
    out += Line(kLeft, y.At(value), kWidth - kRight, y.At(value), "stroke:#e4e4e4");
    out += Label(kLeft - 6, y.At(value) + 4, "end", y_text(value));
  }
  return out;
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

std::string Marks(const LatencyHistogram& histogram, const Axis& x) {
  std::string out;
  double y = kTop + 10;
  for (const auto& [name, per_million] : kMarkedPercentiles) {
    const double at = x.At(AtLeastOne(histogram.Percentile(per_million)));
    out += Line(at, kTop, at, kHeight - kBottom,
                absl::StrCat("stroke:", kAfterColour, ";stroke-dasharray:3 3"));
    out += Label(at + 3, y, "start", name);
    y += 12;
  }
  return out;
}

std::string Distribution(const std::string& what, const LatencyHistogram& after,
                         const LatencyHistogram& before) {
  const std::vector<std::pair<double, double>> columns = Columns(after), others = Columns(before);
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
  std::string out = Begin(what + ": how often each time was taken", x, TimeText, y, Share);
  out += Steps(columns, x, y, absl::StrCat("fill:", kAfterColour, ";fill-opacity:.55"));
  if (!others.empty()) {
    out += Steps(others, x, y, absl::StrCat("fill:none;stroke:", kBeforeColour));
  }
  return out + Marks(after, x) + "</svg>\n";
}

std::string Curve(const LatencyHistogram& histogram, const Axis& x, const Axis& y,
                  absl::string_view colour) {
  const auto count = double(histogram.count());
  std::string points;
  uint64_t seen = 0;
  for (size_t slot = 0; slot < histogram.slots().size(); ++slot) {
    if (histogram.slots()[slot] == 0) continue;
    const double at =
        y.At(AtLeastOne(std::min(LatencyHistogram::HighestIn(slot), histogram.max())));
    absl::StrAppendFormat(&points, "%.1f,%.1f ", x.At(count / double(histogram.count() - seen)),
                          at);
    seen += histogram.slots()[slot];
    absl::StrAppendFormat(&points, "%.1f,%.1f ", x.At(count / AtLeastOne(histogram.count() - seen)),
                          at);
  }
  return absl::StrCat("<polyline points=\"", points,
                      "\" style=\"fill:none;stroke-width:1.5;stroke:", colour, "\"/>");
}

std::string Percentiles(const std::string& what, const LatencyHistogram& after,
                        const LatencyHistogram& before) {
  const LatencyHistogram& other = before.count() == 0 ? after : before;
  const double low = AtLeastOne(std::min(after.Percentile(1), other.Percentile(1)));
  const Axis x = XAxis(1, double(std::max(after.count(), other.count())));
  const Axis y = YAxis(low, std::max(double(std::max(after.max(), other.max())), low + 1));
  const auto share_text = [](double rarity) {
    return rarity <= 1 ? "0 %" : absl::StrFormat("%.10g %%", 100 - 100 / rarity);
  };
  std::string out =
      Begin(what + ": below which time which share stays", x, share_text, y, TimeText);
  if (before.count() > 0) out += Curve(before, x, y, kBeforeColour);
  return out + Curve(after, x, y, kAfterColour) + "</svg>\n";
}

}  // namespace

std::string TimeText(double nanos) {
  constexpr std::array<const char*, 3> kUnits = {"ns", "µs", "ms"};
  for (const char* unit : kUnits) {
    if (nanos < 999.5) return absl::StrFormat("%.3g %s", nanos, unit);
    nanos /= 1000;
  }
  return nanos < 100 ? absl::StrFormat("%.3g s", nanos) : absl::StrFormat("%.0f s", nanos);
}

std::string LatencyPictures(const std::string& what, const LatencyHistogram& after,
                            const LatencyHistogram& before) {
  if (after.count() == 0) return "";
  return absl::StrCat("<div class=\"pictures\">\n", Distribution(what, after, before),
                      Percentiles(what, after, before), "</div>\n");
}

}  // namespace tools
