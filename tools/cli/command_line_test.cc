// What is wrong with a command line, and where its help is.

#include "tools/cli/command_line.h"

#include <rapidjson/document.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/build_id.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Result {
  ExitCode code = ExitCode::kOk;
  std::string output;
  std::string error;
};

Result RunWords(const std::vector<std::string>& words) {
  Result run;
  Console console([&](absl::string_view text) { absl::StrAppend(&run.output, text); },
                  [&](absl::string_view text) { absl::StrAppend(&run.error, text); }, {});
  run.code = RunCommandLine(words, console);
  console.Flush();
  return run;
}

TEST(CommandLineTest, AMistypedVerbSuggestsTheNearest) {
  const Result run = RunWords({"recrod"});
  EXPECT_EQ(run.code, ExitCode::kUsage);
  EXPECT_EQ(run.error,
            "ticktape: there is no verb 'recrod'; did you mean 'record'?\n"
            "Try 'ticktape --help'.\n");
  EXPECT_THAT(RunWords({"xylophone"}).error, HasSubstr("expected one of demo, record, info"));
}

TEST(CommandLineTest, AMistypedActionSuggestsTheNearest) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistyped = {
      {{"snapshot", "mkae", "a.tape"}, "there is no action 'mkae'; did you mean 'make'?"},
      {{"golden", "-q", "chekc"}, "there is no action 'chekc'; did you mean 'check'?"},
      {{"schema", "compta", "a.tape", "--against", "b"}, "did you mean 'compat'?"},
      {{"hold", "lsit", "a.tape"}, "did you mean 'list'?"},
      {{"hold", "xylophone"}, "expected one of add, list, remove"},
      {{"hold"}, "an action is missing; expected one of add, list, remove"},
      {{"bundle", "opne", "a.ticktape"}, "did you mean 'bundle open'?"},
      {{"bundle", "repaly"}, "did you mean 'bundle replay'?"}};
  for (const auto& [words, message] : mistyped) {
    const Result run = RunWords(words);
    EXPECT_EQ(run.code, ExitCode::kUsage) << message;
    EXPECT_THAT(run.error, StartsWith(absl::StrCat("ticktape ", words.front(), ": ")));
    EXPECT_THAT(run.error, HasSubstr(message));
  }
  EXPECT_THAT(RunWords({"snapshot", "make"}).error, HasSubstr("journal is required"));
}

TEST(CommandLineTest, AMistypedOptionSuggestsTheNearest) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistyped = {
      {{"cat", "a.tape", "--limti", "5"}, "there is no option '--limti'; did you mean '--limit'?"},
      {{"cat", "--feilds=time", "a.tape"}, "no option '--feilds'; did you mean '--fields'?"},
      {{"snapshot", "list", "a.tape", "--jsno"}, "did you mean '--json'?"},
      {{"stats", "a.tape", "--xylophone"}, "expected one of --help, --by, --top"}};
  for (const auto& [words, message] : mistyped) {
    const Result run = RunWords(words);
    EXPECT_EQ(run.code, ExitCode::kUsage) << message;
    EXPECT_THAT(run.error, StartsWith(absl::StrCat("ticktape ", words.front(), ": ")));
    EXPECT_THAT(run.error, HasSubstr(message));
  }
  EXPECT_THAT(RunWords({"stats", "a.tape", "-o", "b"}).error,
              HasSubstr("no option '-o'; expected one of --help"));
  EXPECT_THAT(RunWords({"stats", "a.tape", "@1", "@2"}).error, HasSubstr("@2"))
      << "a word too many is no option";
}

TEST(CommandLineTest, VersionAndHelpAreResults) {
  const Result version = RunWords({"--version"});
  EXPECT_EQ(version.code, ExitCode::kOk);
  EXPECT_EQ(version.output, absl::StrCat(BuildId(), "\n"));
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{}, {"record"}, {"snapshot", "make"}}) {
    std::vector<std::string> verb_first = path;
    verb_first.emplace_back("--help");
    std::vector<std::string> help_first = path;
    help_first.insert(help_first.begin(), "help");
    const Result run = RunWords(help_first);
    EXPECT_EQ(run.code, ExitCode::kOk) << run.error;
    EXPECT_THAT(run.output, HasSubstr("Usage: ticktape"));
    if (path.size() < 2) {
      EXPECT_EQ(run.output, RunWords(verb_first).output);
    }
  }
  EXPECT_THAT(RunWords({"help", "snapshot", "mkae"}).error, HasSubstr("did you mean 'make'?"));
  EXPECT_THAT(RunWords({"help", "recrod"}).error, HasSubstr("no verb 'recrod'; did you mean"));
  EXPECT_EQ(RunWords({"help", "cat", "dog"}).code, ExitCode::kUsage);
}

TEST(CommandLineTest, ErrorsAreObjectsWithJson) {
  const std::vector<std::pair<std::vector<std::string>, ExitCode>> wrong = {
      {{"stats", "no \x1b[2J journal", "--json"}, ExitCode::kIo},
      {{"stats", "--json", "a.tape", "--top", "many"}, ExitCode::kUsage},
      {{"recrod", "--json"}, ExitCode::kUsage}};
  for (const auto& [words, code] : wrong) {
    const Result run = RunWords(words);
    EXPECT_EQ(run.code, code);
    rapidjson::Document document;
    document.Parse(run.output.c_str());
    ASSERT_FALSE(document.HasParseError()) << run.output;
    EXPECT_STREQ(document["schema"].GetString(), "ticktape.error/1");
    EXPECT_EQ(document["error"]["code"].GetInt(), static_cast<int>(code));
    EXPECT_GT(document["error"]["message"].GetStringLength(), 5u);
    EXPECT_THAT(run.error, StartsWith("ticktape")) << "people read it, too";
  }
  EXPECT_EQ(RunWords({"stats", "--top", "many", "--", "--json"}).output, "");
}

TEST(CommandLineTest, ValuesThatAreRefusedAreNamedWithWhatIsExpected) {
  const auto error = [](const std::vector<std::string>& words) { return RunWords(words).error; };
  EXPECT_THAT(error({"stats", "a", "--top", "many"}),
              StartsWith("ticktape stats: --top: 'many' is not a number from 1 to 10000000\n"));
  EXPECT_THAT(error({"stats", "a", "--top", "1M0"}),
              HasSubstr("--top: '1M0' is not a number from"));
  EXPECT_THAT(error({"stats", "a", "--top", "11M"}), HasSubstr("'11000000' is not a number from"));
  EXPECT_THAT(error({"cat", "a", "--limit", "k"}), HasSubstr("--limit: 'k' is not a count"));
  EXPECT_THAT(error({"record", "--from", "workload", "-o", "a", "--commands", "9999999999G"}),
              HasSubstr("--commands: '9999999999000000000' is not a number from 0 to"));
  EXPECT_THAT(error({"record", "--from", "workload", "-o", "a", "--seed", "99999999999999999999"}),
              HasSubstr("--seed: '99999999999999999999' is not a whole number from 0 to"));
  EXPECT_THAT(error({"record", "--from", "parquet", "-o", "a"}),
              HasSubstr("--from: 'parquet' is not known; expected csv, dbn, itch, jsonl"));
  // The count is accepted, the journal is not there.
  EXPECT_EQ(RunWords({"stats", "no_such_journal", "--top", "10k"}).code, ExitCode::kIo);
  EXPECT_EQ(RunWords({"cat", "no_such_journal", "--limit", "2M"}).code, ExitCode::kIo);
  EXPECT_EQ(RunWords({"split", "no_such_journal", "--every", "1k", "-o", "x"}).code, ExitCode::kIo);
}

// A journal of two commands, one before and one after midnight in New York, on one day in UTC.
std::string RecordNightInNewYork() {
  const std::string table = absl::StrCat(testing::TempDir(), "/night.jsonl");
  std::ofstream(table) << R"({"kind":"advance_time","time":"2020-01-30 23:59:59.5-05:00"})"
                       << "\n"
                       << R"({"kind":"advance_time","time":"2020-01-31T05:00:00Z"})"
                       << "\n";
  const std::string journal = absl::StrCat(testing::TempDir(), "/night.tape");
  const Result recorded = RunWords({"record", "--from", "jsonl", table, "-o", journal});
  EXPECT_EQ(recorded.code, ExitCode::kOk) << recorded.error;
  return journal;
}

TEST(CommandLineTest, TimesAreShownInTheZoneOfTz) {
  const std::string journal = RecordNightInNewYork();
  EXPECT_EQ(RunWords({"cat", journal, "--tz", "America/New_York"}).output,
            "1 2020-01-30T23:59:59.500000000-05:00 advance_time\n"
            "2 2020-01-31T00:00:00.000000000-05:00 advance_time\n");
  EXPECT_THAT(RunWords({"cat", journal, "--tz", "America/New_York", "--json"}).output,
              HasSubstr(R"("time":"2020-01-31T04:59:59.500000000Z")"));
  EXPECT_EQ(RunWords({"cat", journal, "@2020-01-31 00:00:00-05:00"}).output,
            "2 2020-01-31T05:00:00.000000000Z advance_time\n");
  // Without an offset, the zone's; without a zone, refused with a hint.
  const std::string second = "2 2020-01-31T00:00:00.000000000-05:00 advance_time\n";
  for (const std::vector<std::string>& where :
       std::vector<std::vector<std::string>>{{"@2020-01-31 00:00:00"},
                                             {"@2020-01-31T00:00.."},
                                             {"--where", "time >= 2020-01-31 00:00"},
                                             {"--where", "time == '2020-01-31 05:00:00Z'"}}) {
    std::vector<std::string> words = {"cat", journal, "--tz=America/New_York"};
    words.insert(words.end(), where.begin(), where.end());
    EXPECT_EQ(RunWords(words).output, second) << where.back();
  }
  const Result ambiguous = RunWords({"cat", journal, "--where", "time > 2020-01-31 00:00:00"});
  EXPECT_EQ(ambiguous.code, ExitCode::kUsage);
  EXPECT_THAT(ambiguous.error,
              HasSubstr("--where: '2020-01-31 00:00:00' is a time of no zone; expected an offset"));
  // A table too, on standard output and in a file, market data included.
  const std::string table = absl::StrCat(testing::TempDir(), "/night.csv");
  EXPECT_EQ(RunWords({"export", journal, "--tz", "America/New_York", "-o", table}).code,
            ExitCode::kOk);
  std::ifstream file(table);
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(written, HasSubstr("\n2,2020-01-31T00:00:00.000000000-05:00,"));
  EXPECT_EQ(RunWords({"export", journal, "--tz", "America/New_York"}).output, written);
  const std::string trading = absl::StrCat(testing::TempDir(), "/trading.tape");
  ASSERT_EQ(RunWords({"record", "--from", "workload", "--commands", "2k", "-o", trading}).code,
            ExitCode::kOk);
  for (const char* what : {"trades", "book", "orders", "events"}) {
    const Result market = RunWords({"export", trading, "--what", what, "--tz", "America/New_York"});
    EXPECT_THAT(market.output, HasSubstr("2025-12-31T19:00:00.0")) << what;
    EXPECT_THAT(market.output, Not(HasSubstr("2026-01-01T00:00:00.0"))) << what;
  }
  const Result refused = RunWords({"cat", journal, "--tz", "Mars"});
  EXPECT_EQ(refused.code, ExitCode::kUsage);
  EXPECT_THAT(refused.error, HasSubstr("--tz: 'Mars' is not a time zone; expected e.g."));

  const std::string days = absl::StrCat(testing::TempDir(), "/days");
  const Result split =
      RunWords({"split", journal, "--by", "day", "--tz", "America/New_York", "-o", days});
  EXPECT_THAT(split.output, HasSubstr("2020-01-30.tape 1 record"));
  EXPECT_THAT(split.output, HasSubstr("2020-01-31.tape 1 record"));
  const std::string one_day = absl::StrCat(testing::TempDir(), "/one_day");
  EXPECT_THAT(RunWords({"split", journal, "--by", "day", "-o", one_day}).output,
              HasSubstr("2020-01-31.tape 2 records"));
}

}  // namespace
}  // namespace tools
