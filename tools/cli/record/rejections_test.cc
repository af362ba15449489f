// What a recording counts: commands that the exchange rejects, and lines that made no command.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::TempDir;

class RejectionsTest : public ::testing::Test {
 protected:
  std::string Path(absl::string_view ending) const {
    return absl::StrCat(TempDir(), "/",
                        ::testing::UnitTest::GetInstance()->current_test_info()->name(), ending);
  }
  VerbResult Record(const std::string& source, const std::string& input,
                    const std::vector<std::string>& more = {}) const {
    std::filesystem::remove_all(journal());
    std::ofstream(Path(".in")) << input;
    std::vector<std::string> words = {"--from", source, Path(".in"), "-o", journal()};
    words.insert(words.end(), more.begin(), more.end());
    return RunVerb(MakeRecordVerb(), words);
  }
  std::string journal() const { return Path(".tape"); }
};

// Line 1 rests; 2, 3 and 4 are the session's to refuse; the exchange rejects 5.
constexpr char kLines[] =
    "SUBMIT 1 ACME BUY 10.00 5\n"
    "SUBMIT 1 ACME BUY 10.00 5\n"
    "CANCEL 98\n"
    "CANCEL 99\n"
    "SUBMIT 2 ACME BUY 0 5\n";

TEST_F(RejectionsTest, LinesAndCommandsOfTextAreCountedApart) {
  const VerbResult text = Record("text", kLines);
  EXPECT_EQ(text.code, ExitCode::kOk) << text.error;
  EXPECT_THAT(text.output, HasSubstr("  rejected         1: "));
  EXPECT_THAT(text.output, HasSubstr("  refused lines    3: order_not_live 2, duplicate_id 1\n"));
  const VerbResult json = Record("text", kLines, {"--json"});
  EXPECT_THAT(json.output, HasSubstr(R"("rejected":1,"rejections":[{"reason":")"));
  EXPECT_THAT(
      json.output,
      HasSubstr(R"("lines_refused":3,"line_refusals":[{"reason":"order_not_live","count":2})"
                R"(,{"reason":"duplicate_id","count":1}])"));
}

TEST_F(RejectionsTest, MalformedLinesAreRefusedToo) {
  const VerbResult text = Record("text", absl::StrCat(kLines, "SBUMIT\n"), {"--json"});
  EXPECT_EQ(text.code, ExitCode::kDamaged);
  EXPECT_THAT(text.output, HasSubstr(R"("lines_refused":4)"));
  EXPECT_THAT(text.output, HasSubstr(R"({"reason":"malformed","count":1})"));
  EXPECT_THAT(text.error, HasSubstr("1 line is malformed; the others are recorded"));
}

TEST_F(RejectionsTest, StrictIsAnErrorAndKeepsTheJournal) {
  const VerbResult strict = Record("text", kLines, {"--strict"});
  EXPECT_EQ(strict.code, ExitCode::kDamaged);
  EXPECT_THAT(strict.error, HasSubstr("--strict: 1 command rejected and 3 lines refused"));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {journal()}).code, ExitCode::kOk);
  EXPECT_EQ(Record("text", "SUBMIT 1 ACME BUY 10.00 5\n", {"--strict"}).code, ExitCode::kOk);
}

TEST_F(RejectionsTest, AReplayCountsTheSame) {
  EXPECT_EQ(Record("text", kLines).code, ExitCode::kOk);
  const VerbResult plain = RunVerb(MakeStatsVerb(), {journal()});
  EXPECT_EQ(plain.output.find("rejected"), std::string::npos);
  const VerbResult stats = RunVerb(MakeStatsVerb(), {journal(), "--replay"});
  EXPECT_EQ(stats.code, ExitCode::kOk) << stats.error;
  EXPECT_THAT(stats.output, HasSubstr("  rejected         1: "));
  const VerbResult before = RunVerb(MakeStatsVerb(), {journal(), "@1..@2", "--replay", "--json"});
  EXPECT_THAT(before.output, HasSubstr(R"("rejected":0,"rejections":[])")) << before.error;
}

TEST_F(RejectionsTest, TablesAndWorkloadsAreCounted) {
  const VerbResult table = Record("jsonl", R"({"kind":"cancel","market_id":7,"order":1})"
                                           "\n");
  EXPECT_EQ(table.code, ExitCode::kOk) << table.error;
  EXPECT_THAT(table.output, HasSubstr("  rejected         1: "));
  const std::string path = Path(".workload");
  std::filesystem::remove_all(path);
  const VerbResult workload =
      RunVerb(MakeRecordVerb(), {"--from", "workload", "--commands", "1k", "-o", path, "--json"});
  EXPECT_THAT(workload.output, HasSubstr(R"("commands":1000,)"));
  EXPECT_THAT(workload.output, HasSubstr(R"("rejected":)"));
}

}  // namespace
}  // namespace tools
