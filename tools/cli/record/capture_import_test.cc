// A capture of a file becomes a journal: its times, its gaps, and what a malformed line leaves.

#include <fstream>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

constexpr absl::string_view kSnapshot =
    R"({"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"KXA",)"
    R"("yes_dollars_fp":[["0.4700","3.00"]],"no_dollars_fp":[["0.4800","2.00"]]}})"
    "\n";

std::string Delta(int seq, absl::string_view change) {
  return absl::StrCat(R"({"type":"orderbook_delta","sid":1,"seq":)", seq,
                      R"(,"msg":{"market_ticker":"KXA","price_dollars":"0.4700","delta_fp":")",
                      change, R"(","side":"yes","ts_ms":1781159489957}})", "\n");
}

class CaptureImportTest : public testing::Test {
 protected:
  VerbResult Record(const std::string& capture) {
    std::ofstream(input_) << capture;
    return RunVerb(MakeRecordVerb(), {"--from", "kalshi-capture", input_, "-o", journal_});
  }
  std::string Commands() { return RunVerb(MakeCatVerb(), {journal_}).output; }

  const std::string name_ = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string input_ = testing::TempDir() + "/" + name_ + ".jsonl";
  const std::string journal_ = testing::TempDir() + "/" + name_ + ".tape";
};

TEST_F(CaptureImportTest, BecomesAJournal) {
  const VerbResult result = Record(absl::StrCat(kSnapshot, "\n", Delta(2, "-1.00")));
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_TRUE(absl::StrContains(result.output, "(orderbook_delta 1, orderbook_snapshot 1)"))
      << result.output;
  EXPECT_TRUE(absl::StrContains(
      Commands(),
      "2 2026-06-11T06:31:29.957000000Z bid market=KXA price=0.4700 quantity=3.00\n"
      "3 2026-06-11T06:31:29.957000000Z ask market=KXA price=0.5200 quantity=2.00\n"
      "4 2026-06-11T06:31:29.957000000Z reduce_to market=KXA order=2 quantity=2.00\n"))
      << Commands() << "the first frame has no time, and that of the next";
}

TEST_F(CaptureImportTest, AGapIsReportedWithItsLine) {
  const VerbResult result = Record(absl::StrCat(kSnapshot, Delta(2, "1.00"), Delta(4, "1.00")));
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_TRUE(absl::StrContains(result.output, "line 3: seq 4 on sid 1, expected 3"))
      << result.output;
  EXPECT_TRUE(absl::StrContains(Commands(), "pause_market market=KXA")) << Commands();
}

TEST_F(CaptureImportTest, AMalformedLineEndsItWithItsNumber) {
  const VerbResult result =
      Record(absl::StrCat(kSnapshot, Delta(2, "1.00"), Delta(3, "one"), Delta(4, "1.00")));
  EXPECT_EQ(result.code, ExitCode::kDamaged);
  EXPECT_TRUE(absl::StrContains(result.error, ":3: delta_fp: 'one', expected a count"))
      << result.error;
  EXPECT_TRUE(absl::StrContains(result.error, "The 4 commands of the 2 frames before it are kept"))
      << result.error;
}

TEST_F(CaptureImportTest, AnEndlessLineIsRefused) {
  const VerbResult result = Record(std::string(5 << 20, ' ') + "{");
  EXPECT_EQ(result.code, ExitCode::kDamaged) << result.output;
  EXPECT_TRUE(absl::StrContains(result.error, ":1: a line of more than 4194304 bytes"))
      << result.error;
}

}  // namespace
}  // namespace tools
