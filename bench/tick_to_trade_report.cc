#include "bench/tick_to_trade_report.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "bench/latency_histogram.h"
#include "engine/base/status_macros.h"
#include "rapidjson/document.h"
#include "replay/retime/latency_histogram.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/html.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/latency_pictures.h"

namespace bench {
namespace {

constexpr uint64_t kP50 = 500'000;
constexpr uint64_t kP99 = 990'000;
constexpr std::array<std::pair<const char*, uint64_t>, 4> kPercentiles = {
    {{"p50", kP50}, {"p90", 900'000}, {"p99", kP99}, {"p99.9", 999'000}}};

struct Times {
  const char* title;
  const char* name;  // In JSON.
  LatencyHistogram TickToTradeResult::*member;
};
constexpr std::array<Times, 3> kTimes = {
    {{"tick to trade", "tick_to_trade", &TickToTradeResult::tick_to_trade},
     {"of it: the order", "order_round_trip", &TickToTradeResult::order_round_trip},
     {"echo", "echo", &TickToTradeResult::echo}}};

double Micros(uint64_t nanos) { return static_cast<double>(nanos) / 1e3; }

double Ratio(const TickToTradeResult& result, uint64_t per_million) {
  return static_cast<double>(result.tick_to_trade.Percentile(per_million)) /
         static_cast<double>(std::max<uint64_t>(result.echo.Percentile(per_million), 1));
}

std::string Ratios(const TickToTradeResult& result) {
  return absl::StrFormat("p50 %.2f x, p99 %.2f x the echo (goal 1.5)", Ratio(result, kP50),
                         Ratio(result, kP99));
}

}  // namespace

void Merge(const TickToTradeResult& more, TickToTradeResult& all) {
  for (const Times& times : kTimes) (all.*times.member).Add(more.*times.member);
  all.request_bytes = more.request_bytes;
  all.conditions = more.conditions;
}

void Print(const TickToTradeRow& row) {
  absl::PrintF("%s, %s\n  %-18s %8s", row.name, row.remark, "micros", "count");
  for (const auto& [name, per_million] : kPercentiles) absl::PrintF(" %9s", name);
  absl::PrintF(" %9s\n", "max");
  for (const Times& times : kTimes) {
    const LatencyHistogram& nanos = row.result.*times.member;
    absl::PrintF("  %-18s %8d", times.title, nanos.count());
    for (const auto& [name, per_million] : kPercentiles) {
      absl::PrintF(" %9.1f", Micros(nanos.Percentile(per_million)));
    }
    absl::PrintF(" %9.1f\n", Micros(nanos.max()));
  }
  absl::PrintF("  %s\n", Ratios(row.result));
  std::fflush(stdout);
}

void PrintSettings(const std::vector<TickToTradeRow>& rows) {
  absl::PrintF("%-14s %9s %9s %8s %8s %9s %9s   %s\n", "setting", "p50", "p99", "of none's", "p99",
               "echo p50", "p99", "");
  const LatencyHistogram& none = rows.front().result.tick_to_trade;
  const auto of_none = [&](const LatencyHistogram& nanos, uint64_t per_million) {
    return static_cast<double>(nanos.Percentile(per_million)) /
           static_cast<double>(std::max<uint64_t>(none.Percentile(per_million), 1));
  };
  for (const TickToTradeRow& row : rows) {
    const LatencyHistogram& nanos = row.result.tick_to_trade;
    const LatencyHistogram& echo = row.result.echo;
    absl::PrintF("%-14s %9.1f %9.1f %8.2f %8.2f %9.1f %9.1f   %s\n", row.name,
                 Micros(nanos.Percentile(kP50)), Micros(nanos.Percentile(kP99)),
                 of_none(nanos, kP50), of_none(nanos, kP99), Micros(echo.Percentile(kP50)),
                 Micros(echo.Percentile(kP99)), row.remark);
  }
  std::fflush(stdout);
}

std::string ToJson(const TickToTradeRow& row) {
  tools::JsonObject json("ticktape.tick_to_trade/1");
  json.Field("name", row.name);
  json.Field("remark", row.remark);
  json.Field("request_bytes", row.result.request_bytes);
  for (const Times& times : kTimes) {
    const LatencyHistogram& nanos = row.result.*times.member;
    json.BeginObject(times.name);
    json.Field("count", nanos.count());
    for (const auto& [name, per_million] : kPercentiles) {
      json.Field(absl::StrCat(name, "_nanos"), nanos.Percentile(per_million));
    }
    json.Field("max_nanos", nanos.max());
    json.Field("histogram", replay::EncodeHistogram(nanos));
    json.EndObject();
  }
  json.Field("p50_of_echo", Ratio(row.result, kP50));
  json.Field("p99_of_echo", Ratio(row.result, kP99));
  json.BeginArray("conditions");
  for (const tools::ConditionReport& condition : row.result.conditions) {
    if (!condition.asked) continue;
    json.BeginElement();
    json.Field("name", condition.name);
    json.Field("is_applied", condition.taken);
    json.Field("detail", condition.detail);
    json.EndElement();
  }
  json.EndArray();
  return json.Take();
}

absl::StatusOr<TickToTradeResult> ParseTickToTrade(absl::string_view json) {
  const absl::Status no_result =
      absl::DataLossError(absl::StrCat("no result of a run: ", json.substr(0, 200)));
  rapidjson::Document document;
  document.Parse(json.data(), json.size());
  if (document.HasParseError() || !document.IsObject()) return no_result;
  TickToTradeResult result;
  for (const Times& times : kTimes) {
    const auto found = document.FindMember(times.name);
    if (found == document.MemberEnd() || !found->value.IsObject()) return no_result;
    const auto max = found->value.FindMember("max_nanos");
    const auto text = found->value.FindMember("histogram");
    if (max == found->value.MemberEnd() || !max->value.IsUint64() ||
        text == found->value.MemberEnd() || !text->value.IsString()) {
      return no_result;
    }
    const absl::string_view encoded(text->value.GetString(), text->value.GetStringLength());
    ASSIGN_OR_RETURN(result.*times.member,
                     replay::DecodeHistogram(encoded, max->value.GetUint64()));
  }
  const auto conditions = document.FindMember("conditions");
  if (conditions == document.MemberEnd() || !conditions->value.IsArray()) return no_result;
  for (const auto& each : conditions->value.GetArray()) {
    if (!each.IsObject() || !each.HasMember("name") || !each["name"].IsString() ||
        !each.HasMember("is_applied") || !each["is_applied"].IsBool() ||
        !each.HasMember("detail") || !each["detail"].IsString()) {
      return no_result;
    }
    result.conditions.push_back({.name = each["name"].GetString(),
                                 .asked = true,
                                 .taken = each["is_applied"].GetBool(),
                                 .detail = each["detail"].GetString()});
  }
  return result;
}

std::string ToPage(const std::vector<TickToTradeRow>& rows, const std::vector<std::string>& facts) {
  std::string out = tools::HtmlHead("tick_to_trade_bench", tools::kPictureStyles);
  out +=
      "<h1>From a tick to the trade that it causes</h1>\n<p>In blue; in grey the echo of HTTP in "
      "the same run.</p>\n";
  for (const std::string& fact : facts) {
    absl::StrAppend(&out, "<p>", tools::HtmlEscaped(fact), "</p>\n");
  }
  for (const TickToTradeRow& row : rows) {
    absl::StrAppend(&out, "<h2>", tools::HtmlEscaped(row.name), "</h2>\n<p>",
                    tools::HtmlEscaped(row.remark), ": ",
                    tools::Counted(row.result.tick_to_trade.count(), "tick"), ", ",
                    Ratios(row.result), "</p>\n");
    out += tools::LatencyPictures("tick to trade", row.result.tick_to_trade, row.result.echo);
    out += tools::LatencyPictures("of it, the order", row.result.order_round_trip, row.result.echo);
  }
  return out + "</body></html>\n";
}

}  // namespace bench
