// The page of `retime`.

#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/html.h"
#include "tools/cli/base/latency_pictures.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {
namespace {

using replay::ClassTimes;

constexpr char kStyles[] =
    R"(.worse{color:#b00020}.better,.same{color:#0a7a2f}.inconclusive{color:#a06000}
)";

std::string Row(const std::vector<std::string>& cells, const char* tag) {
  std::string out = "<tr>";
  for (const std::string& cell : cells) absl::StrAppend(&out, "<", tag, ">", cell, "</", tag, ">");
  return out + "</tr>\n";
}

std::string Table(const RetimeReport& report) {
  std::vector<std::string> head = {"service time, ns", "count"};
  for (const auto& [name, per_million] : kMarkedPercentiles) head.emplace_back(name);
  head.emplace_back("max");
  head.emplace_back("allocations");
  std::string out = "<table>\n" + Row(head, "th");
  for (const ClassTimes& each : report.classes) {
    std::vector<std::string> cells = {HtmlEscaped(each.name()), WithCommas(each.service.count())};
    for (const auto& [name, per_million] : kMarkedPercentiles) {
      cells.push_back(WithCommas(each.service.Percentile(per_million)));
    }
    cells.push_back(WithCommas(each.service.max()));
    cells.push_back(WithCommas(each.allocations));
    out += Row(cells, "td");
  }
  return out + "</table>\n";
}

std::string Verdicts(const RetimeComparison& comparison) {
  const std::string verdict(replay::NameOf(comparison.verdict));
  std::string out = absl::StrFormat(
      "<h2 class=\"%s\">Against the baseline: %s</h2>\n<p>The machine itself: "
      "%+.1f %%. Before in grey, after in blue.</p>\n<table>\n",
      verdict, verdict, comparison.machine_drift * 100);
  out += Row({"judged", "verdict", "change", "from", "to", "noise"}, "th");
  const auto change = [](double ratio) { return absl::StrFormat("%+.2f %%", (ratio - 1) * 100); };
  for (const replay::Judgement& each : comparison.judgements) {
    const std::string name(replay::NameOf(each.verdict));
    out +=
        Row({HtmlEscaped(each.name), absl::StrCat("<span class=\"", name, "\">", name, "</span>"),
             change(each.ratio), change(each.low), change(each.high),
             absl::StrFormat("%.2f %%", std::expm1(each.noise) * 100)},
            "td");
  }
  return out + "</table>\n";
}

std::string Worst(const RetimePage& page) {
  std::string out = "<h2>Worst commands</h2>\n<table>\n";
  out += Row({"command", "kind", "service", "latency", "to look at it"}, "th");
  for (const replay::SlowCommand& slow : page.after.worst) {
    const std::string place = absl::StrCat("@", slow.sequence.value());
    out += Row(
        {place, HtmlEscaped(slow.name), TimeText(double(slow.service_nanos)),
         page.after.is_open_loop ? TimeText(double(slow.latency_nanos)) : "",
         absl::StrCat("<code>ticktape inspect ", HtmlEscaped(page.path), " ", place, "</code>")},
        "td");
  }
  return out + "</table>\n";
}

std::string Facts(const RetimeReport& report) {
  std::string out = "<h2>Measured on</h2>\n<table>\n";
  for (const NamedValues* values : {&report.work, &report.environment}) {
    for (const auto& [name, value] : *values)
      out += Row({HtmlEscaped(name), HtmlEscaped(value)}, "td");
  }
  for (const ConditionReport& condition : report.conditions) {
    if (condition.asked && !condition.taken) {
      out += Row({HtmlEscaped(condition.name), HtmlEscaped("refused: " + condition.detail)}, "td");
    }
  }
  return out + "</table>\n";
}

}  // namespace

std::string ToHtml(const RetimePage& page) {
  const RetimeReport& after = page.after;
  const double seconds = double(after.total_nanos) / 1e9;
  std::string out = HtmlHead("ticktape retime", absl::StrCat(kStyles, kPictureStyles));
  absl::StrAppend(&out, "<h1>", HtmlEscaped(page.path), "</h1>\n<p>", HtmlEscaped(page.date), ": ",
                  Counted(after.commands, "command"), " in ", TimeText(double(after.total_nanos)),
                  ", ", HumanCount(double(after.commands) / seconds), "/s</p>\n");
  if (page.comparison != nullptr) out += Verdicts(*page.comparison);
  out += "<h2>Times by kind of work</h2>\n" + Table(after);
  const ClassTimes none;
  for (const ClassTimes& each : after.classes) {
    const ClassTimes* before = page.before == nullptr ? nullptr : page.before->Find(each.name());
    if (before == nullptr) before = &none;
    absl::StrAppend(&out, "<h2>", HtmlEscaped(each.name()), "</h2>\n");
    out += LatencyPictures("latency", each.latency, before->latency);
    out += LatencyPictures("service time", each.service, before->service);
  }
  return out + Worst(page) + Facts(after) + "</body></html>\n";
}

}  // namespace tools
