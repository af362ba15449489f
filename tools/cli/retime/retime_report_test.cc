#include "tools/cli/retime/retime_report.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/retime/retime_statistics.h"

namespace tools {
namespace {

// A run in which a new order takes about `nanos`.
RetimeReport Report(uint64_t nanos, uint64_t count = 2000) {
  RetimeReport report;
  report.work = {{"log digest", "ab"}, {"speed", "1x"}};
  report.environment = {{"kernel", "6.1"}, {"cores", "2"}};
  report.commands = count;
  report.total_nanos = count * nanos;
  report.is_open_loop = true;
  report.classes.push_back({.kind = "new_order", .outcome = "rest", .allocations = 3});
  for (uint64_t i = 0; i < count; ++i) {
    report.classes[0].service.Record(nanos + i % 5);
    report.classes[0].latency.Record(nanos * 3 + i % 50);
  }
  report.worst.push_back({.sequence = engine::SequenceNumber(42),
                          .name = "new_order rest",
                          .service_nanos = 9,
                          .latency_nanos = nanos * 99});
  report.probe.Record(10);
  report.yardstick = {.arithmetic = 1.5, .near_memory = 3, .far_memory = 40};
  report.thread_counts = {.minor_faults = 7, .major_faults = 1, .switches = 2};
  report.hardware_counts = {{"cycles", 1000}};
  report.hardware_counts_missing = "no <branch> misses";
  report.conditions = {{.name = "core", .asked = true, .taken = false, .detail = "core 9: no"}};
  return report;
}

std::vector<RetimeReport> Reports(size_t count, uint64_t nanos) {
  return std::vector<RetimeReport>(count, Report(nanos));
}

TEST(RetimeReport, WhatIsWrittenIsRead) {
  const std::string line = ToJson(Report(70));
  const auto read = ParseRetimeReport(line);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(ToJson(*read), line);
}

TEST(RetimeReport, ABaselineIsRead) {
  const auto read = ParseBaseline(ToBaseline({Report(70), Report(71)}));
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 2u);
  EXPECT_EQ(ToJson((*read)[1]), ToJson(Report(71)));
}

TEST(RetimeReport, EveryPrefixOfABaselineIsRefusedWithThePlace) {
  const std::string text = ToBaseline({Report(70)});
  for (size_t size = 0; size + 2 < text.size(); ++size) {
    const auto read = ParseBaseline(absl::string_view(text).substr(0, size));
    ASSERT_EQ(read.status().code(), absl::StatusCode::kDataLoss) << size;
    EXPECT_TRUE(absl::StartsWith(read.status().message(), "not JSON at byte "));
  }
}

TEST(RetimeReport, AFieldThatIsMissingOrOfAnotherTypeIsNamed) {
  const std::string good = ToBaseline({Report(70)});
  const auto refusal = [&](absl::string_view from, absl::string_view to) {
    const std::string bad = absl::StrReplaceAll(good, {{from, to}});
    EXPECT_NE(bad, good) << from;
    return std::string(ParseBaseline(bad).status().message());
  };
  EXPECT_EQ(refusal("\"commands\":2000", "\"commands\":-1"),
            "baseline.runs[0]: expected commands, a whole number");
  EXPECT_EQ(refusal("\"total_ns\"", "\"x\""),
            "baseline.runs[0]: expected total_ns, a whole number");
  EXPECT_EQ(refusal("\"work\":{", "\"work\":3,\"y\":{"),
            "baseline.runs[0]: expected work, an object");
  EXPECT_EQ(refusal("\"outcome\":\"rest\"", "\"outcome\":1"),
            "baseline.runs[0].classes[0]: expected outcome, a text");
  EXPECT_EQ(refusal("\"hdr\":\"HIST", "\"hdr\":\"?IST"),
            "baseline.runs[0].classes[0].service_ns: histogram: not base64");
  EXPECT_EQ(refusal("\"yardstick_arithmetic_ns\":1.5", "\"yardstick_arithmetic_ns\":0"),
            "baseline.runs[0]: expected yardstick_arithmetic_ns, a number above zero");
  EXPECT_EQ(refusal("retime.baseline/1", "retime.baseline/2"),
            "its schema is 'ticktape.retime.baseline/2', this program reads "
            "ticktape.retime.baseline/1");
}

TEST(RetimeReport, HostileJsonIsRefused) {
  for (const std::string& text :
       {std::string("[]"), std::string("3"), std::string("{}"), std::string(100'000, '['),
        std::string("{\"schema\":\"ticktape.retime.baseline/1\",\"runs\":[]}"),
        std::string("{\"schema\":\"ticktape.retime.baseline/1\",\"runs\":[7]}")}) {
    EXPECT_EQ(ParseBaseline(text).status().code(), absl::StatusCode::kDataLoss)
        << text.substr(0, 60);
  }
}

TEST(RetimeReport, RunsOfDifferentWorkAreNoBaseline) {
  RetimeReport other = Report(70);
  other.work[1].second = "10x";
  EXPECT_EQ(ParseBaseline(ToBaseline({Report(70), other})).status().message(),
            "baseline.runs[1]: other work than the first run's");
}

TEST(RetimeReport, MergedRunsAreAddedAndASlowCommandStandsOnceWithItsWorst) {
  const RetimeReport all = Merge({Report(70), Report(90)}, 5);
  EXPECT_EQ(all.commands, 4000u);
  EXPECT_EQ(all.classes[0].service.count(), 4000u);
  EXPECT_EQ(all.allocations(), 6u);
  EXPECT_EQ(all.hardware_counts[0].value, 2000u);
  ASSERT_EQ(all.worst.size(), 1u);
  EXPECT_EQ(all.worst[0].latency_nanos, 90u * 99);
}

TEST(RetimeComparison, OtherWorkNeverComparesAndAnotherMachineOnlyByForce) {
  RetimeReport elsewhere = Report(70);
  elsewhere.environment[0].second = "6.2";
  EXPECT_TRUE(CheckComparable(Report(70), Report(99), false).ok());
  const absl::Status refused = CheckComparable(Report(70), elsewhere, false);
  EXPECT_EQ(refused.code(), absl::StatusCode::kUnimplemented);
  EXPECT_TRUE(absl::StrContains(refused.message(), "kernel: 6.1 against 6.2"));
  EXPECT_TRUE(CheckComparable(Report(70), elsewhere, true).ok());
  elsewhere.work[0].second = "cd";
  EXPECT_TRUE(absl::StrContains(CheckComparable(Report(70), elsewhere, true).message(),
                                "log digest: ab against cd"));
}

TEST(RetimeComparison, JudgesEachKindOfWorkByEachGate) {
  const std::vector<RetimeGate> gates = {RetimeGate::kTypical, RetimeGate::kP99,
                                         RetimeGate::kP99Latency};
  const RetimeComparison comparison = Compare(Reports(10, 80), Reports(10, 88), false, gates, {});
  EXPECT_EQ(comparison.verdict, replay::PerformanceVerdict::kWorse);
  ASSERT_EQ(comparison.judgements.size(), 3u);
  EXPECT_EQ(comparison.judgements[0].name, "new_order rest, typical");
  EXPECT_EQ(comparison.judgements[2].name, "new_order rest, p99-latency");
  EXPECT_EQ(Compare(Reports(10, 80), Reports(10, 80), true, gates, {}).verdict,
            replay::PerformanceVerdict::kSame);
}

TEST(RetimeComparison, AYardstickThatMovedForbidsAVerdict) {
  std::vector<RetimeReport> after = Reports(10, 88);
  for (RetimeReport& report : after) report.yardstick.near_memory *= 1.15;
  const RetimeComparison comparison =
      Compare(Reports(10, 80), after, false, {RetimeGate::kTypical}, {});
  EXPECT_EQ(comparison.verdict, replay::PerformanceVerdict::kInconclusive);
  EXPECT_EQ(comparison.more_runs, 0u);
  EXPECT_NEAR(comparison.machine_drift, 0.15, 0.001);
}

TEST(RetimeComparison, TooFewCommandsAreNotJudged) {
  const std::vector<RetimeReport> runs(10, Report(80, kJudgedCountMin - 1));
  const RetimeComparison comparison = Compare(runs, runs, false, {RetimeGate::kTypical}, {});
  EXPECT_EQ(comparison.verdict, replay::PerformanceVerdict::kInconclusive);
  EXPECT_EQ(comparison.skipped, std::vector<std::string>{"new_order rest"});
}

TEST(RetimePage, IsOneFileThatNeedsNothingElseAndEscapesWhatItIsGiven) {
  const std::vector<RetimeReport> runs = Reports(10, 80);
  const RetimeReport before = Merge(runs, 0);
  const RetimeReport after = Merge(Reports(10, 85), 3);
  const RetimeComparison comparison =
      Compare(runs, Reports(10, 85), false, {RetimeGate::kTypical}, {});
  const std::string html =
      ToHtml({.path = "<a&b>.tape", .after = after, .before = &before, .comparison = &comparison});
  EXPECT_TRUE(absl::StrContains(html, "<h1>&lt;a&amp;b&gt;.tape</h1>"));
  for (const char* part : {"<svg", "p99.99", "ticktape inspect &lt;a&amp;b&gt;.tape @42", "worse",
                           "how often each time was taken", "below which time which share stays"}) {
    EXPECT_TRUE(absl::StrContains(html, part)) << part;
  }
  for (const char* part : {"http", "<script", "src=", "<link", "nan", "inf\""}) {
    EXPECT_FALSE(absl::StrContains(html, part)) << part;
  }
}

struct DrawnLabel {
  double left = 0;
  double right = 0;
  std::string text;
};

// The labels of the pictures, at most as wide as the widest letters of their type make them.
std::vector<DrawnLabel> LabelsOf(absl::string_view html) {
  std::vector<DrawnLabel> labels;
  for (const absl::string_view each : absl::StrSplit(html, "<text x=\"")) {
    if (labels.empty() && absl::StartsWith(each, "<!DOCTYPE")) continue;
    const absl::string_view text =
        each.substr(each.find('>') + 1, each.find('<') - each.find('>') - 1);
    const double width = 6.2 * static_cast<double>(text.size());
    const double x = std::stod(std::string(each.substr(0, each.find('"'))));
    const double before = absl::StrContains(each, "\"middle\"") ? width / 2
                          : absl::StrContains(each, "\"end\"")  ? width
                                                                : 0;
    labels.push_back({x - before, x - before + width, std::string(text)});
  }
  return labels;
}

TEST(RetimePage, ItsLabelsHaveRoomAndReadableUnitsAndItHasADate) {
  RetimeReport report = Report(80, 1'500'000);
  for (const uint64_t nanos : {1ull, 3'000ull, 5'000'000ull, 20'000'000'000ull}) {
    report.classes[0].service.Record(nanos);
  }
  const std::string html = ToHtml({.path = "a", .date = "2026-11-26 17:04 UTC", .after = report});
  EXPECT_TRUE(absl::StrContains(html, "<p>2026-11-26 17:04 UTC: 1,500,000 commands in"));
  std::vector<std::string> texts;
  for (const DrawnLabel& label : LabelsOf(html)) {
    EXPECT_GE(label.left, 0) << label.text;
    EXPECT_LE(label.right, 560) << label.text;
    EXPECT_FALSE(absl::StrContains(label.text, "e-") || absl::StrContains(label.text, "e+"))
        << label.text;
    texts.push_back(label.text);
  }
  EXPECT_THAT(texts, ::testing::IsSupersetOf({"1 ns", "10 ns", "1 µs", "1 ms", "10 s", "100 %",
                                              "1 %", "0.00001 %", "0 %", "99.9999 %", "p99.99"}));
}

TEST(RetimePage, OneCommandThatTookNoTimeIsDrawn) {
  RetimeReport report = Report(80, 1);
  report.classes[0].service = {};
  report.classes[0].service.Record(0);
  const std::string html = ToHtml({.path = "a", .after = report});
  EXPECT_FALSE(absl::StrContains(html, "nan"));
}

}  // namespace
}  // namespace tools
