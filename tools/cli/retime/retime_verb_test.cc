// retime as a user meets it. Nothing here depends on how fast anything is.

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/retime/retime_report.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

constexpr char kProgram[] = "tools/cli/retime/slow_retime new_order 0";
constexpr char kSlowerProgram[] = "tools/cli/retime/slow_retime new_order 100000";

std::string Path(const std::string& name) { return absl::StrCat(TempDir(), "/", name); }

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

VerbResult Retime(std::vector<std::string> words) {
  words.insert(words.end(), {"--program", kProgram});
  return RunVerb(MakeRetimeVerb(), words);
}

TEST(RetimeVerbTest, SaysWhatEveryKindOfWorkTook) {
  const VerbResult result = Retime({WriteSampleJournal("r1"), "--speed", "1M/s"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  for (const char* part :
       {"@1..@15 at 1M/s, 1 run", "latency, ns", "service time, ns", "new_order rest", "p99.999",
        "allocations", "page faults", "perf counters", "core not asked for", "worst latency"}) {
    EXPECT_THAT(result.output, HasSubstr(part));
  }
  EXPECT_THAT(result.output, HasSubstr(absl::StrCat("ticktape inspect ", Path("r1"), " @")));
}

TEST(RetimeVerbTest, AtMaxThereIsNoLatencyBesideTheServiceTime) {
  const VerbResult result = Retime({WriteSampleJournal("r2"), "--worst", "0"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, Not(HasSubstr("latency")));
  EXPECT_THAT(result.output, Not(HasSubstr("worst")));
}

TEST(RetimeVerbTest, TimesAPartAndWarmsUpWithWhatComesBefore) {
  const VerbResult result =
      Retime({WriteSampleJournal("r3"), "--from", "@4", "--to", "@9", "--json"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("\"commands\":\"@4..@9\""));
  EXPECT_THAT(result.output, HasSubstr("\"commands\":6"));
  EXPECT_THAT(result.output, HasSubstr("\"schema\":\"ticktape.retime/1\""));
}

TEST(RetimeVerbTest, WhatIsAskedOfTheSystemIsReportedAsTakenOrRefused) {
  const VerbResult result =
      Retime({WriteSampleJournal("r4"), "--cpu", "4000", "--lock-memory", "--huge-pages"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("core REFUSED (core 4000: Invalid argument)"));
  EXPECT_THAT(result.output, ::testing::ContainsRegex("mlockall (taken|REFUSED) \\("));
  EXPECT_THAT(result.output, ::testing::ContainsRegex("huge pages (taken|REFUSED) \\("));
  EXPECT_THAT(result.output, HasSubstr("SCHED_FIFO not asked for"));
}

TEST(RetimeVerbTest, ABaselineIsSavedComparedAndDrawn) {
  const std::string journal = WriteSampleJournal("r5");
  const std::string base = Path("r5.json");
  const VerbResult saved = Retime({journal, "--save", base});
  EXPECT_EQ(saved.code, ExitCode::kOk) << saved.error;
  const auto runs = ParseBaseline(ReadFile(base));
  ASSERT_TRUE(runs.ok()) << runs.status();
  EXPECT_EQ(runs->size(), 10u);
  const VerbResult compared =
      Retime({journal, "--baseline", base, "--html", Path("r5.html"), "--hgrm", Path("r5")});
  // Fifteen commands are too few to say anything of.
  EXPECT_EQ(compared.code, ExitCode::kNotComparable);
  EXPECT_THAT(compared.output, HasSubstr("INCONCLUSIVE  against the baseline"));
  EXPECT_THAT(compared.output, HasSubstr("nothing can be judged"));
  EXPECT_THAT(ReadFile(Path("r5.html")), HasSubstr("<svg"));
  EXPECT_THAT(ReadFile(Path("r5_new_order_rest_service.hgrm")), HasSubstr("Percentile"));
}

TEST(RetimeVerbTest, ABaselineOfAnotherMachineIsRefusedWithoutForce) {
  const std::string journal = WriteSampleJournal("r6");
  const std::string base = Path("r6.json");
  ASSERT_EQ(Retime({journal, "--save", base}).code, ExitCode::kOk);
  const std::string other =
      absl::StrReplaceAll(ReadFile(base), {{"\"kernel\":\"", "\"kernel\":\"9"}});
  std::ofstream(base) << other;
  const VerbResult refused = Retime({journal, "--baseline", base});
  EXPECT_EQ(refused.code, ExitCode::kNotComparable);
  EXPECT_THAT(refused.error, HasSubstr("the baseline was measured elsewhere"));
  EXPECT_THAT(refused.error, HasSubstr("kernel: 9"));
  EXPECT_THAT(Retime({journal, "--baseline", base, "--force"}).error,
              HasSubstr("compared all the same: kernel: 9"));
  const VerbResult other_work = Retime({journal, "--baseline", base, "--force", "--to", "@7"});
  EXPECT_EQ(other_work.code, ExitCode::kNotComparable);
  EXPECT_THAT(other_work.error, HasSubstr("the baseline is of other work"));
}

TEST(RetimeVerbTest, TwoProgramsAreMeasuredInTurns) {
  const VerbResult result = Retime({WriteSampleJournal("r7"), "--against", kProgram, "--json"});
  EXPECT_EQ(result.code, ExitCode::kNotComparable) << result.error;
  EXPECT_THAT(result.output, HasSubstr("\"comparison\":{\"verdict\":\"inconclusive\""));
}

TEST(RetimeVerbTest, WhatMakesNoSenseIsRefusedWithWhatWasExpected) {
  const std::string journal = WriteSampleJournal("r8");
  const auto refusal = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all = {journal};
    all.insert(all.end(), words.begin(), words.end());
    const VerbResult result = Retime(all);
    EXPECT_EQ(result.code, ExitCode::kUsage) << result.error;
    return result.error;
  };
  EXPECT_THAT(refusal({"--speed", "fast"}), HasSubstr("speed 'fast': expected max, a factor"));
  EXPECT_THAT(refusal({"--threshold", "0"}), HasSubstr("--threshold 0: expected at least 0.1"));
  EXPECT_THAT(refusal({"--gate", "p98"}), HasSubstr("--gate 'p98': expected typical, p99"));
  EXPECT_THAT(refusal({"--runs", "3", "--save", "x"}), HasSubstr("--runs 3: expected at least 10"));
  EXPECT_THAT(refusal({"--baseline", "a", "--against", "b"}), HasSubstr("one only"));
  EXPECT_THAT(refusal({"--from", "@99"}), HasSubstr("@99"));
}

TEST(RetimeVerbTest, CountsOfOneBuildAreEqualAndThoseOfASlowerOneAreWorse) {
  const std::string journal = WriteSampleJournal("c1");
  const std::string base = Path("c1.json");
  const VerbResult saved = Retime({journal, "--count", "--save", base});
  ASSERT_EQ(saved.code, ExitCode::kOk) << saved.error;
  for (const char* part : {"@1..@15 under callgrind", "instructions", "new_order rest", "all"}) {
    EXPECT_THAT(saved.output, HasSubstr(part));
  }
  const VerbResult again =
      Retime({journal, "--count", "--baseline", base, "--threshold", "0", "--json"});
  EXPECT_EQ(again.code, ExitCode::kOk) << again.output << again.error;
  EXPECT_THAT(again.output, HasSubstr(R"("comparison":{"verdict":"same")"));
  const VerbResult slower = RunVerb(
      MakeRetimeVerb(), {journal, "--count", "--baseline", base, "--program", kSlowerProgram});
  EXPECT_EQ(slower.code, ExitCode::kDifferent) << slower.error;
  EXPECT_THAT(slower.output, HasSubstr("WORSE  against the baseline"));
  EXPECT_THAT(slower.output, HasSubstr("too few to judge: "));
  const VerbResult better = Retime({journal, "--count", "--against", kSlowerProgram});
  EXPECT_EQ(better.code, ExitCode::kOk) << better.error;
  EXPECT_THAT(better.output, HasSubstr("BETTER  against the baseline"));
}

TEST(RetimeVerbTest, CountsAreOfTheChosenCommandsAlone) {
  const VerbResult result =
      Retime({WriteSampleJournal("c2"), "--count", "--from", "@4", "--to", "@9", "--json"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr(R"({"name":"commands","value":"@4..@9"})"));
}

TEST(RetimeVerbTest, WhatCannotBeCountedIsRefused) {
  const std::string journal = WriteSampleJournal("c3");
  const auto refusal = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {journal, "--count"});
    const VerbResult result = Retime(words);
    EXPECT_EQ(result.code, ExitCode::kUsage) << result.error;
    return result.error;
  };
  for (const char* option : {"--cpu", "--runs"}) {
    EXPECT_THAT(refusal({option, "1"}), HasSubstr(absl::StrCat(option, " is about time")));
  }
  EXPECT_THAT(refusal({"--speed", "10x"}), HasSubstr("--speed is about time"));
  EXPECT_THAT(refusal({"--from", "@99"}), HasSubstr("@99"));
  std::ofstream(Path("c3.json")) << "{\"schema\":\"ticktape.retime.baseline/1\",\"runs\":[]}";
  const VerbResult timed = Retime({journal, "--count", "--baseline", Path("c3.json")});
  EXPECT_EQ(timed.code, ExitCode::kNotComparable);
  EXPECT_THAT(timed.error, HasSubstr("this program reads ticktape.retime.counts/1"));
  const VerbResult silent = RunVerb(MakeRetimeVerb(), {journal, "--count", "--program", "true"});
  EXPECT_NE(silent.code, ExitCode::kOk);
  EXPECT_THAT(silent.error, HasSubstr("true:1:1: "));
}

TEST(RetimeVerbTest, ProgramsThatCannotRunAreReported) {
  const std::string journal = WriteSampleJournal("r9");
  const VerbResult missing = RunVerb(MakeRetimeVerb(), {journal, "--program", "./no_such_program"});
  EXPECT_EQ(missing.code, ExitCode::kIo);
  EXPECT_THAT(missing.error, HasSubstr("no_such_program"));
  const VerbResult silent = RunVerb(MakeRetimeVerb(), {journal, "--program", "true"});
  EXPECT_NE(silent.code, ExitCode::kOk);
  EXPECT_THAT(silent.error, HasSubstr("true: not JSON at byte 0"));
  const VerbResult no_baseline = Retime({journal, "--baseline", "./no_such_file"});
  EXPECT_THAT(no_baseline.error, HasSubstr("./no_such_file cannot be read"));
}

}  // namespace
}  // namespace tools
