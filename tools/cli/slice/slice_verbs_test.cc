// The verbs that make journals of journals, on real folders.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/compare/verbs.h"
#include "tools/cli/maintenance/verbs.h"
#include "tools/cli/read/verbs.h"
#include "tools/cli/record/verbs.h"
#include "tools/cli/slice/journal_output.h"
#include "tools/cli/slice/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

std::string At(absl::string_view name) { return absl::StrCat(TempDir(), "/", name); }

// A journal of a busy session. Returns its path.
std::string WriteBusy(absl::string_view name, size_t length, uint64_t seed = 1) {
  const std::string path = At(name);
  auto output = JournalOutput::Create(path, "a test", name);
  CHECK_OK(output.status());
  for (const replay::LogEntry& entry :
       replay::BusySession({.seed = seed, .length = length, .late_from = 0, .live_orders = 300})) {
    CHECK_OK((*output)->Append(entry.command, entry.bytes()).status());
  }
  CHECK_OK((*output)->Finish().status());
  return path;
}

std::string ReadSegment(const std::string& path) {
  std::ifstream in(path + "/segment-000000.tape", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string Verify(const std::string& path) {
  const VerbResult result = RunVerb(MakeVerifyVerb(), {path, "--replay"});
  return result.output + result.error;
}

// What follows `name` in JSON.
std::string Value(const std::string& json, absl::string_view name) {
  const std::string key = absl::StrCat("\"", name, "\":\"");
  const size_t begin = json.find(key);
  if (begin == std::string::npos) return "";
  return json.substr(begin + key.size(), json.find('"', begin + key.size()) - begin - key.size());
}

std::string LogDigest(const std::string& path) {
  return Value(RunVerb(MakeVerifyVerb(), {path, "--deep", "--json"}).output, "log_digest");
}

std::string Cat(const std::string& path) { return RunVerb(MakeCatVerb(), {path}).output; }

TEST(CutVerbTest, ABeginningKeepsItsNumbersAndDigest) {
  const std::string path = WriteBusy("cut_beginning", 5000);
  const std::string out = At("cut_beginning_out");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "..@4096", "-o", out});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("kept             4,096 of 4,096 commands, @1..@4096"));
  EXPECT_THAT(result.output, HasSubstr("numbers          as they were"));
  EXPECT_EQ(RunVerb(MakeCatVerb(), {path, "..@4096"}).output, Cat(out));
  EXPECT_THAT(Verify(out), HasSubstr("CLEAN"));
}

TEST(CutVerbTest, AMiddleStandsByItself) {
  const std::string path = WriteSampleJournal("cut_middle");
  const std::string out = At("cut_middle_out");
  const std::string map = At("cut_middle.csv");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "@10..@12", "-o", out, "--map", map});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  EXPECT_THAT(result.output, HasSubstr("numbers          new; @10 is @9 here"));
  EXPECT_THAT(result.output, HasSubstr("answers          all as in the whole journal"));
  std::ostringstream lines;
  lines << std::ifstream(map).rdbuf();
  EXPECT_EQ(lines.str(), "whole,slice\n10,9\n11,10\n12,11\n");
  // Times stay, and orders are named by their new numbers.
  EXPECT_THAT(Cat(out), HasSubstr("10 2020-01-30T09:30:10.000000000Z replace market=AAPL order=7 "
                                  "price=320.1600 quantity=250 account=5\n"));
  EXPECT_THAT(Verify(out), HasSubstr("CLEAN"));
}

TEST(CutVerbTest, WhatIsAnsweredOtherwiseIsSaid) {
  const std::string path = WriteSampleJournal("cut_other");
  const std::string out = At("cut_other_out");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "--account", "5", "-o", out});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  EXPECT_THAT(result.output, HasSubstr("1 differ from the whole journal's"));
  EXPECT_THAT(result.output, HasSubstr("@7"));
  EXPECT_THAT(Cat(out), Not(HasSubstr("account=4")));
}

TEST(CutVerbTest, AMarketIsNamedBySymbolOrNumber) {
  const std::string path = WriteSampleJournal("cut_market");
  for (const char* name : {"KX,\"RAIN\"", "#7"}) {
    const std::string out = At(absl::StrCat("cut_market_", name[0] == '#' ? "id" : "symbol"));
    const VerbResult result = RunVerb(MakeCutVerb(), {path, "--market", name, "-o", out});
    // The cancel in the wrong market goes with the other market.
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
    EXPECT_THAT(Cat(out), Not(HasSubstr("AAPL")));
  }
  const VerbResult typo =
      RunVerb(MakeCutVerb(), {path, "--market", "APPL", "-o", At("cut_market_typo")});
  EXPECT_EQ(typo.code, ExitCode::kUsage);
  EXPECT_THAT(typo.error, HasSubstr("--market 'APPL': no such market"));
}

TEST(CutVerbTest, WhereIsAboutOrders) {
  const std::string path = WriteSampleJournal("cut_where");
  const std::string out = At("cut_where_out");
  const VerbResult result =
      RunVerb(MakeCutVerb(), {path, "--where", "side==bid", "-o", out, "--json"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error << result.output;
  EXPECT_THAT(result.output, HasSubstr("\"commands_kept\":7,"));
}

TEST(SplitVerbTest, PiecesBecomeTheJournalAgain) {
  const std::string path = WriteBusy("split_pieces", 10'000);
  const std::vector<std::vector<std::string>> ways = {
      {"--every", "3000"}, {"--at", "@4097,@8193"}, {"--size", "64K"}, {"--by", "day"}};
  for (size_t i = 0; i < ways.size(); ++i) {
    const std::string parts = At(absl::StrCat("split_parts_", i));
    const std::string merged = At(absl::StrCat("split_merged_", i));
    const VerbResult split = RunVerb(MakeSplitVerb(), {path, ways[i][0], ways[i][1], "-o", parts});
    EXPECT_EQ(split.code, ExitCode::kOk) << split.error;
    std::vector<std::string> words;
    for (const auto& entry : std::filesystem::directory_iterator(parts)) {
      words.push_back(entry.path().string());
      EXPECT_EQ(RunVerb(MakeVerifyVerb(), {words.back(), "--deep"}).code, ExitCode::kOk);
    }
    if (words.size() < 2) continue;  // One day.
    words.insert(words.end(), {"-o", merged});
    const VerbResult result = RunVerb(MakeMergeVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    EXPECT_THAT(result.output, HasSubstr(LogDigest(path)));
    EXPECT_EQ(LogDigest(merged), LogDigest(path));
    EXPECT_EQ(Cat(merged), Cat(path));
    // Its checkpoints are those of the pieces, and hold.
    EXPECT_THAT(Verify(merged), HasSubstr("digests          equal to the recorded run's"));
  }
}

// Three days, the last two of which begin with the first command at midnight.
TEST(SplitVerbTest, DaysBeginAtMidnight) {
  constexpr int64_t kDay = int64_t{24} * 3600 * 1'000'000'000;
  const std::string path = At("split_days");
  auto output = JournalOutput::Create(path, "a test", "days");
  ASSERT_TRUE(output.ok());
  for (const int64_t nanos : {kDay - 2, kDay - 1, kDay, kDay + 1, 2 * kDay, 3 * kDay - 1}) {
    engine::Command command;
    command.kind = engine::CommandKind::kAdvanceTime;
    command.timestamp = engine::Timestamp::FromNanos(nanos);
    ASSERT_TRUE((*output)->Append(command, {}).ok());
  }
  ASSERT_TRUE((*output)->Finish().ok());
  const std::string days = At("split_days_out");
  const VerbResult result = RunVerb(MakeSplitVerb(), {path, "--by", "day", "-o", days});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("1970-01-01.tape 2 records, @1..@2,"));
  EXPECT_THAT(result.output, HasSubstr("1970-01-02.tape 2 records, @3..@4,"));
  EXPECT_THAT(result.output, HasSubstr("1970-01-03.tape 2 records, @5..@6,"));
}

TEST(SplitVerbTest, AMissingPieceIsNoticed) {
  const std::string path = WriteBusy("split_missing", 4000);
  const std::string parts = At("split_missing_parts");
  ASSERT_EQ(RunVerb(MakeSplitVerb(), {path, "--every", "1000", "-o", parts}).code, ExitCode::kOk);
  const VerbResult result = RunVerb(
      MakeMergeVerb(),
      {parts + "/part-000004.tape", parts + "/part-000002.tape", "-o", At("split_missing_merged")});
  EXPECT_NE(result.code, ExitCode::kOk);
  EXPECT_THAT(result.error, HasSubstr("part-000004.tape begins at @3001, but"));
  EXPECT_THAT(result.error, HasSubstr("part-000002.tape ends at @2000; expected @2001"));
}

TEST(SplitVerbTest, ByMarketEachStandsByItself) {
  const std::string path = WriteSampleJournal("split_market");
  const std::string parts = At("split_market_parts");
  const VerbResult result = RunVerb(MakeSplitVerb(), {path, "--by", "market", "-o", parts});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  // @13 names an order of the other market.
  EXPECT_THAT(result.output, HasSubstr("AAPL.tape"));
  EXPECT_THAT(result.output, HasSubstr("1 answered otherwise, first @13"));
  EXPECT_THAT(result.output, HasSubstr("market-7-KX__RAIN_.tape"));
  EXPECT_THAT(Verify(parts + "/AAPL.tape"), HasSubstr("CLEAN"));
}

TEST(SplitVerbTest, OneWayIsExpected) {
  const std::string path = WriteSampleJournal("split_ways");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{path, "-o", At("split_ways_out")},
        {path, "-o", At("split_ways_out"), "--every", "5", "--by", "day"}}) {
    const VerbResult result = RunVerb(MakeSplitVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kUsage);
    EXPECT_THAT(result.error, HasSubstr("expected one of --every, --at, --by, --size"));
  }
  const auto error = [&](const char* option, const char* value) {
    const VerbResult result =
        RunVerb(MakeSplitVerb(), {path, "-o", At("split_ways_out"), option, value});
    EXPECT_EQ(result.code, ExitCode::kUsage);
    return result.error;
  };
  EXPECT_THAT(error("--by", "week"), HasSubstr("--by: 'week' is not known; expected day, market"));
  EXPECT_THAT(error("--by", "1"), HasSubstr("--by: '1' is not known"));
  for (const char* count : {"0", "00", "-3", "1.5", "x"}) {
    EXPECT_THAT(error("--every", count), HasSubstr("is no count; expected a number above zero"));
  }
  EXPECT_THAT(error("--size", "64Q"),
              HasSubstr("'64Q' is not understood; expected bytes, e.g. 4096"));
  EXPECT_THAT(error("--size", ""), HasSubstr("--size"));
}

TEST(MergeVerbTest, TwoJournalsBecomeOneByTime) {
  const std::string a = WriteBusy("merge_a", 2000, 1);
  const std::string b = WriteBusy("merge_b", 2000, 2);
  const std::string out = At("merge_out");
  const VerbResult result =
      RunVerb(MakeMergeVerb(), {a, b, "--by", "time", "--accounts", "offset", "-o", out});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("commands         3,996\n"));
  EXPECT_THAT(result.output, HasSubstr("left out         4 definitions"));
  EXPECT_THAT(Cat(out), HasSubstr("account=18"));
  EXPECT_THAT(Verify(out), HasSubstr("CLEAN"));
  // One after the other, time would run backwards.
  const VerbResult refused = RunVerb(MakeMergeVerb(), {a, b, "-o", At("merge_refused")});
  EXPECT_NE(refused.code, ExitCode::kOk);
  EXPECT_THAT(refused.error, HasSubstr("--by time puts them in order"));
}

class CorruptVerbTest : public ::testing::Test {
 protected:
  // What `corrupt` says that verify will say, which is what it says.
  static std::string Verdict(const std::string& path, std::vector<std::string> words) {
    static int count = 0;
    const std::string out = At(absl::StrCat("corrupt_out_", count++));
    words.insert(words.begin(), {path, "-o", out});
    const VerbResult result = RunVerb(MakeCorruptVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    words.push_back("--json");
    const VerbResult verified = RunVerb(MakeVerifyVerb(), {out, "--deep", "--json"});
    const std::string verdict = Value(verified.output, "verdict");
    EXPECT_THAT(result.output, HasSubstr("verify says      " + verdict));
    return verdict;
  }
};

TEST_F(CorruptVerbTest, PromisedBytesThatGoAreDamage) {
  const std::string path = WriteSampleJournal("corrupt_sealed");
  const std::string before = Cat(path);
  EXPECT_EQ(Verdict(path, {"--flip", "16480:3"}), "DAMAGED");
  EXPECT_EQ(Verdict(path, {"--zero", "16384..20479"}), "DAMAGED");
  EXPECT_EQ(Verdict(path, {"--swap-sectors", "4:5"}), "DAMAGED");
  EXPECT_EQ(Cat(path), before) << "the original is only read";
}

TEST_F(CorruptVerbTest, ATailNobodyWasPromisedIsTorn) {
  const std::string path = WriteSampleJournal(
      "corrupt_open", {.commands = SampleCommands(), .sealed = false, .synced = true});
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".tape") bytes = entry.file_size();
  }
  EXPECT_EQ(Verdict(path, {"--truncate", absl::StrCat(bytes - 2000)}), "TORN");
}

TEST_F(CorruptVerbTest, ASegmentThatIsGoneIsDamage) {
  const std::string path = At("corrupt_segments");
  ASSERT_EQ(RunVerb(MakeRecordVerb(),
                    {"--from", "workload", "--commands", "20000", "--segment", "64K", "-o", path})
                .code,
            ExitCode::kOk);
  EXPECT_EQ(Verdict(path, {"--drop-segment", "1"}), "DAMAGED");
  EXPECT_EQ(Verdict(path, {"--flip", "5:0", "--segment", "0"}), "CLEAN") << "of two preambles";
}

TEST_F(CorruptVerbTest, TheSameSeedIsTheSameDamage) {
  const std::string path = WriteBusy("corrupt_seed", 4000);
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string text = absl::StrCat(seed);
    const VerbResult a =
        RunVerb(MakeCorruptVerb(), {path, "--seed", text, "-o", At("corrupt_a_" + text)});
    const VerbResult b =
        RunVerb(MakeCorruptVerb(), {path, "--seed", text, "-o", At("corrupt_b_" + text)});
    EXPECT_EQ(a.code, ExitCode::kOk) << a.error;
    EXPECT_EQ(a.output.substr(a.output.find('\n')), b.output.substr(b.output.find('\n')));
  }
}

TEST(SliceVerbsTest, APieceThatBeginsLaterDrivesNoEngineAndSaysSo) {
  const std::string piece = At("later.tape");
  ASSERT_EQ(
      RunVerb(MakeCutVerb(), {WriteBusy("later", 300), "@200..", "--keep-sequence", "-o", piece})
          .code,
      ExitCode::kOk);
  for (const auto make : {&MakeDiffVerb, &MakeMinimizeVerb, &MakeBisectVerb}) {
    const VerbResult result = RunVerb(make(), {piece, "--engine-b", "reference"});
    EXPECT_NE(result.code, ExitCode::kOk);
    EXPECT_THAT(result.error, HasSubstr("later.tape begins at @200; an engine can only be driven"));
  }
}

TEST(SliceVerbsTest, AfterAnErrorNothingIsLeftAndWhatAKilledRunLeftIsNamed) {
  const std::string path = WriteSampleJournal("unfinished");
  const std::string out = At("unfinished_out");
  const std::string map = At("unfinished.csv");
  std::ofstream(map) << "is there already";
  for (const VerbResult& result :
       {RunVerb(MakeMergeVerb(), {path, WriteBusy("other", 100), "-o", out, "--map", map}),
        RunVerb(MakeCutVerb(), {path, "..@3", "-o", out, "--map", map})}) {
    EXPECT_NE(result.code, ExitCode::kOk);
    EXPECT_THAT(result.error, HasSubstr("unfinished.csv"));
    EXPECT_FALSE(std::filesystem::exists(out));
    EXPECT_FALSE(std::filesystem::exists(out + ".partial"));
  }
  // What is found out at the end leaves as little: a disk that is full when the map is written.
  std::filesystem::remove(map);
  std::filesystem::create_symlink("/dev/full", map + ".tmp");
  const VerbResult full = RunVerb(MakeCutVerb(), {path, "@3..", "-o", out, "--map", map});
  EXPECT_EQ(full.code, ExitCode::kIo);
  EXPECT_THAT(full.error, HasSubstr("No space left"));
  EXPECT_FALSE(std::filesystem::exists(out));
  EXPECT_FALSE(std::filesystem::exists(out + ".partial"));

  std::filesystem::create_directory(out + ".partial");
  std::ofstream(out + ".partial/segment-000000.tape") << "begun";
  const VerbResult again = RunVerb(MakeCutVerb(), {path, "..@3", "-o", out});
  EXPECT_EQ(again.code, ExitCode::kIo);
  EXPECT_THAT(again.error, HasSubstr("unfinished_out.partial"));
  EXPECT_THAT(again.error, HasSubstr("was killed: then it can be deleted"));
  EXPECT_TRUE(std::filesystem::exists(out + ".partial/segment-000000.tape"));
}

TEST(SliceVerbsTest, ASplitThatMeetsDamageLeavesNoPieces) {
  const std::string path = WriteBusy("split_damaged", 12'000);
  const std::string bad = At("split_damaged_copy");
  const auto bytes = std::filesystem::file_size(path + "/segment-000000.tape");
  ASSERT_EQ(RunVerb(MakeCorruptVerb(),
                    {path, "--zero", absl::StrCat(bytes / 2, "..", bytes / 2 + 9000), "-o", bad})
                .code,
            ExitCode::kOk);
  const std::vector<std::vector<std::string>> ways = {{"--every", "500"}, {"--by", "market"}};
  for (const std::vector<std::string>& way : ways) {
    const std::string parts = At("split_damaged_parts");
    const VerbResult result = RunVerb(MakeSplitVerb(), {bad, way[0], way[1], "-o", parts});
    EXPECT_EQ(result.code, ExitCode::kDamaged) << result.error;
    EXPECT_EQ(result.output, "") << "what is not there is not spoken of";
    EXPECT_FALSE(std::filesystem::exists(parts));
    EXPECT_FALSE(std::filesystem::exists(parts + ".partial"));
  }
}

// Of a number that no order has yet, and of its own.
TEST(CutVerbTest, CommandsThatNameWhatIsNotThereYetAreAnsweredAsInTheWhole) {
  std::vector<std::string> commands = SampleCommands();
  commands.push_back("cancel market=AAPL order=16 account=4");
  commands.push_back("cancel market=AAPL order=19 account=4");
  commands.push_back("bid market=AAPL price=320.0000 quantity=1 account=4");
  const std::string path = WriteSampleJournal("not_yet", {.commands = commands});
  const VerbResult result = RunVerb(MakeCutVerb(), {path, "@12..", "-o", At("not_yet_out")});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.output, HasSubstr("all as in the whole journal"));
}

TEST(SliceVerbsTest, APlaceThatIsTakenIsFoundOutFirst) {
  const std::string path = WriteSampleJournal("taken");
  const std::string out = At("taken_out");
  std::filesystem::create_directory(out);
  for (const VerbResult& result : {RunVerb(MakeSplitVerb(), {path, "--every", "5", "-o", out}),
                                   RunVerb(MakeCutVerb(), {path, "-o", out}),
                                   RunVerb(MakeCorruptVerb(), {path, "--seed", "1", "-o", out})}) {
    EXPECT_EQ(result.code, ExitCode::kIo);
    EXPECT_THAT(result.error, HasSubstr("taken_out is there already"));
    EXPECT_TRUE(std::filesystem::is_empty(out));
  }
}

TEST_F(CorruptVerbTest, WhatWasAskedForAndNothingElseIsDamaged) {
  const std::string path = WriteSampleJournal("corrupt_bytes");
  const std::string whole = ReadSegment(path);
  const auto damaged = [&](const std::string& option, const std::string& value) {
    const std::string copy = At(absl::StrCat("corrupt_bytes", option, value));
    EXPECT_EQ(RunVerb(MakeCorruptVerb(), {path, option, value, "-o", copy}).code, ExitCode::kOk);
    return ReadSegment(copy);
  };
  std::string flipped = whole;
  flipped[4100] ^= 1 << 5;
  EXPECT_EQ(damaged("--flip", "4100:5"), flipped);
  const size_t first = whole.find_first_not_of('\0');
  ASSERT_LT(first, 4096u);
  ASSERT_NE(whole[first + 1], '\0');
  std::string zeroed = whole;
  zeroed[first] = '\0';
  zeroed[first + 1] = '\0';
  EXPECT_EQ(damaged("--zero", absl::StrCat(first, "..", first + 1)), zeroed) << "both ends";
  EXPECT_EQ(damaged("--truncate", "5000"), whole.substr(0, 5000));
  EXPECT_EQ(damaged("--swap-sectors", "0:2"), whole.substr(8192, 4096) + whole.substr(4096, 4096) +
                                                  whole.substr(0, 4096) + whole.substr(12288));
  EXPECT_EQ(ReadSegment(path), whole);
}

TEST_F(CorruptVerbTest, PlacesOutsideAreRefused) {
  const std::string path = WriteSampleJournal("corrupt_outside");
  const auto error = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {path, "-o", At("corrupt_never")});
    const VerbResult result = RunVerb(MakeCorruptVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kUsage);
    EXPECT_FALSE(std::filesystem::exists(At("corrupt_never.partial")));
    return result.error;
  };
  EXPECT_THAT(error({"--flip", "99999999:1"}), HasSubstr("is outside: segment-000000.tape has"));
  EXPECT_THAT(error({"--flip", "12"}), HasSubstr("expected BYTE:BIT"));
  EXPECT_THAT(error({"--drop-segment", "4"}), HasSubstr("there is no segment 4; expected 0 to 0"));
  EXPECT_THAT(error({}), HasSubstr("what to damage?"));
}

}  // namespace
}  // namespace tools
