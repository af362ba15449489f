// ticktape golden as a user meets it.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "engine/base/digest.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/golden/expectation.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"
#include "tools/cli/testing/write_log.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

constexpr char kBad[] = "tools/cli/compare/known_bad_engine taker_priced account=9";

// A folder of its own for each test, with one fixture in it.
class GoldenVerbTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        absl::StrCat(TempDir(), "/", testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directories(folder_);
  }

  static VerbResult Golden(const std::vector<std::string>& words) {
    return RunVerb(MakeGoldenVerb(), words);
  }

  std::string WriteSession(const std::string& name, size_t length = 9000, uint64_t seed = 1) const {
    const auto engine = OpenSubject("fast");
    const replay::Log log =
        replay::BusySession({.seed = seed, .length = length, .late_from = length / 2});
    const std::string path = absl::StrCat(folder_, "/", name);
    EXPECT_TRUE(WriteLog(path, log, "test", engine->get()).ok());
    return path;
  }

  VerbResult Add(const std::string& journal, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"add",    journal, "--name",   "session",
                                      "--into", folder_, "--reason", "a test's"};
    words.insert(words.end(), more.begin(), more.end());
    return Golden(words);
  }

  std::string fixture() const { return folder_ + "/session.golden"; }

  std::string ReadFixture() const {
    std::ifstream in(fixture(), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void WriteFixture(const std::string& text) const { std::ofstream(fixture()) << text; }

  std::string folder_;
};

TEST_F(GoldenVerbTest, WhatIsAddedIsAsExpected) {
  const VerbResult added = Add(WriteSession("a.tape"));
  ASSERT_EQ(added.code, ExitCode::kOk) << added.error;
  EXPECT_THAT(added.output, HasSubstr("ticktape_golden_test(name = \"session_golden\""));
  EXPECT_THAT(ReadFixture(), HasSubstr("journal a.tape\n"));
  const VerbResult checked = Golden({"check", folder_});
  EXPECT_EQ(checked.code, ExitCode::kOk) << checked.output << checked.error;
  EXPECT_THAT(checked.output, HasSubstr("ok      session"));
  EXPECT_THAT(checked.output, HasSubstr("9,000 commands"));
}

TEST_F(GoldenVerbTest, AnotherJournalIsNoReasonToBlameTheEngine) {
  const std::string journal = WriteSession("a.tape");
  ASSERT_EQ(Add(journal).code, ExitCode::kOk);
  const std::string text = ReadFixture();
  // The whole is longer than what is expected, and the same up to there.
  const size_t last = text.find("\n9000 ");
  ASSERT_NE(last, std::string::npos);
  std::string shorter = text.substr(0, last + 1);
  shorter.replace(shorter.find("commands 9000"), 13, "commands 8192");
  WriteFixture(shorter);
  const VerbResult longer = Golden({"check", fixture()});
  EXPECT_EQ(longer.code, ExitCode::kDifferent);
  EXPECT_THAT(longer.output, HasSubstr("the journal has 9000 commands; expected 8192"));
  EXPECT_THAT(longer.output, HasSubstr("this is another journal"));
  EXPECT_THAT(longer.output, Not(HasSubstr("trace digest at")));
}

TEST_F(GoldenVerbTest, EveryNumberOfAFixtureIsHeldAgainstTheRun) {
  ASSERT_EQ(Add(WriteSession("a.tape", 600)).code, ExitCode::kOk);
  const std::string text = ReadFixture();
  const size_t events = text.find("\nevents ") + 8;
  std::string changed = text;
  changed.insert(events, "9");
  WriteFixture(changed);
  const VerbResult counted = Golden({"check", fixture()});
  EXPECT_EQ(counted.code, ExitCode::kDifferent);
  EXPECT_THAT(counted.output, HasSubstr(" events; expected 9"));
  // A mark alone, which no digest covers.
  changed = text;
  const size_t mark = changed.find("\nmarks\n1 ") + 9;
  changed[mark] = changed[mark] == '0' ? '1' : '0';
  WriteFixture(changed);
  const VerbResult marked = Golden({"check", fixture()});
  EXPECT_EQ(marked.code, ExitCode::kDifferent);
  EXPECT_THAT(marked.output, HasSubstr("the marks or events kept are not"));
}

TEST_F(GoldenVerbTest, WhatIsThereIsNotAddedAgain) {
  const std::string journal = WriteSession("a.tape", 600);
  ASSERT_EQ(Add(journal).code, ExitCode::kOk);
  const std::string text = ReadFixture();
  const VerbResult again = Add(journal + "/no/such/journal");
  EXPECT_EQ(again.code, ExitCode::kIo) << "it is found out before the journal is looked at";
  EXPECT_THAT(again.error, HasSubstr("session.golden is there already; 'ticktape golden update "));
  EXPECT_EQ(ReadFixture(), text);
}

TEST_F(GoldenVerbTest, TheJournalIsFoundFromWhereverTheFixtureIs) {
  std::filesystem::create_directory_symlink(WriteSession("a.tape", 600), folder_ + "/link");
  const std::string into = folder_ + "/not/there/yet";
  const VerbResult added = Golden(
      {"add", folder_ + "/link/", "--name", "session", "--into", into, "--reason", "a test's"});
  ASSERT_EQ(added.code, ExitCode::kOk) << added.error;
  EXPECT_EQ(ReadExpectation(into + "/session.golden")->journal, "../../../link");
  EXPECT_EQ(Golden({"check", into}).code, ExitCode::kOk);
}

TEST_F(GoldenVerbTest, TheReferenceEngineIsHeldAgainstTheSame) {
  ASSERT_EQ(Add(WriteSession("a.tape", 600)).code, ExitCode::kOk);
  const VerbResult checked = Golden({"check", folder_, "--engine", "reference"});
  EXPECT_EQ(checked.code, ExitCode::kOk) << checked.output << checked.error;
}

TEST_F(GoldenVerbTest, AnotherEngineFailsAtItsFirstCommand) {
  ASSERT_EQ(Add(WriteSession("a.tape"), {"--events"}).code, ExitCode::kOk);
  const VerbResult checked = Golden({"check", fixture(), "--engine", kBad});
  EXPECT_EQ(checked.code, ExitCode::kDifferent) << checked.error;
  EXPECT_THAT(checked.output, HasSubstr("FAILED  session"));
  EXPECT_THAT(checked.output, HasSubstr("trace digest at @"));
  EXPECT_THAT(checked.output, HasSubstr("first            @"));
  EXPECT_THAT(checked.output, HasSubstr(" trade maker="));
  EXPECT_THAT(checked.output, HasSubstr("ticktape golden update "));
  EXPECT_THAT(checked.output, HasSubstr("--reason TEXT"));
}

TEST_F(GoldenVerbTest, MarksNameTheSameCommandAsTheEventsDo) {
  const std::string journal = WriteSession("a.tape");
  ASSERT_EQ(Add(journal, {"--events"}).code, ExitCode::kOk);
  const auto first_of = [](const std::string& output) {
    const size_t at = output.find("first  ");
    EXPECT_NE(at, std::string::npos) << output;
    return output.substr(at, output.find('\n', at) - at);
  };
  const VerbResult by_events = Golden({"check", fixture(), "--engine", kBad});
  std::filesystem::remove(fixture());
  ASSERT_EQ(Add(journal).code, ExitCode::kOk);
  const VerbResult by_marks = Golden({"check", fixture(), "--engine", kBad});
  EXPECT_EQ(first_of(by_marks.output), first_of(by_events.output));
  EXPECT_THAT(by_marks.output, HasSubstr("other events; 'golden add --events' keeps their text"));
}

TEST_F(GoldenVerbTest, AStateThatIsNotExpectedFailsWhereTheEventsAreEqual) {
  ASSERT_EQ(Add(WriteSession("a.tape")).code, ExitCode::kOk);
  Expectation expectation = *ReadExpectation(fixture());
  expectation.results.checkpoints[1].state->low ^= 1;
  WriteFixture(FormatExpectation(expectation));
  const VerbResult checked = Golden({"check", fixture()});
  EXPECT_EQ(checked.code, ExitCode::kDifferent);
  EXPECT_THAT(checked.output, HasSubstr("state digest at @8192 is "));
  EXPECT_THAT(checked.output, HasSubstr("(equal at @4096)"));
  EXPECT_THAT(checked.output, Not(HasSubstr("trace digest")));
}

TEST_F(GoldenVerbTest, AnotherJournalIsNotTheEnginesFault) {
  ASSERT_EQ(Add(WriteSession("a.tape")).code, ExitCode::kOk);
  const VerbResult checked =
      Golden({"check", fixture(), "--journal", WriteSession("b.tape", 9000, 2)});
  EXPECT_EQ(checked.code, ExitCode::kDifferent);
  EXPECT_THAT(checked.output, HasSubstr("log digest at @4096 is "));
  EXPECT_THAT(checked.output, HasSubstr("another journal than the one that is expected"));
  EXPECT_THAT(checked.output, Not(HasSubstr("trace digest")));
}

TEST_F(GoldenVerbTest, NothingChangesWithoutAReason) {
  const std::string journal = WriteSession("a.tape", 600);
  EXPECT_EQ(Golden({"add", journal, "--name", "session", "--into", folder_}).code,
            ExitCode::kUsage);
  EXPECT_FALSE(std::filesystem::exists(fixture()));
  ASSERT_EQ(Add(journal).code, ExitCode::kOk);
  const std::string before = ReadFixture();
  const VerbResult updated = Golden({"update", fixture(), "--engine", kBad, "--reason", " \n "});
  EXPECT_EQ(updated.code, ExitCode::kUsage);
  EXPECT_THAT(updated.error, HasSubstr("--reason 'TEXT' goes into the file's history"));
  EXPECT_EQ(ReadFixture(), before);
}

TEST_F(GoldenVerbTest, AnUpdateShowsWhatChangesAndSaysWhy) {
  ASSERT_EQ(Add(WriteSession("a.tape"), {"--events"}).code, ExitCode::kOk);
  const VerbResult updated =
      Golden({"update", folder_, "--engine", kBad, "--reason", "takers\npay more"});
  ASSERT_EQ(updated.code, ExitCode::kOk) << updated.error;
  EXPECT_THAT(updated.output, HasSubstr("changed  session"));
  EXPECT_THAT(updated.output, HasSubstr("first            @"));
  EXPECT_THAT(ReadFixture(), HasSubstr("added: a test's\n"));
  EXPECT_THAT(ReadFixture(), HasSubstr("updated: takers pay more\n"));
  EXPECT_EQ(Golden({"check", folder_, "--engine", kBad}).code, ExitCode::kOk);
  EXPECT_EQ(Golden({"check", folder_}).code, ExitCode::kDifferent);
}

TEST_F(GoldenVerbTest, AnUpdateOfWhatIsAsExpectedChangesNothing) {
  ASSERT_EQ(Add(WriteSession("a.tape", 600)).code, ExitCode::kOk);
  const std::string before = ReadFixture();
  const VerbResult updated = Golden({"update", folder_, "--reason", "no reason"});
  EXPECT_EQ(updated.code, ExitCode::kOk) << updated.error;
  EXPECT_THAT(updated.output, HasSubstr("same     session"));
  EXPECT_EQ(ReadFixture(), before);
}

TEST_F(GoldenVerbTest, AFixtureIsNotAddedTwice) {
  const std::string journal = WriteSession("a.tape", 600);
  ASSERT_EQ(Add(journal).code, ExitCode::kOk);
  EXPECT_THAT(Add(journal).error, HasSubstr("session.golden"));
}

TEST_F(GoldenVerbTest, ABrokenFixtureFailsAndTheOthersAreChecked) {
  const std::string journal = WriteSession("a.tape", 600);
  ASSERT_EQ(Add(journal).code, ExitCode::kOk);
  std::ofstream(folder_ + "/broken.golden") << "rubbish";
  std::ofstream(folder_ + "/gone.golden") << "ticktape golden 1\nname gone\njournal nowhere\n";
  const VerbResult checked = Golden({"check", folder_});
  EXPECT_EQ(checked.code, ExitCode::kIo) << "the journal of one is missing";
  EXPECT_THAT(checked.output, HasSubstr("broken.golden: line 1: expected 'ticktape golden 1'"));
  EXPECT_THAT(checked.output, HasSubstr("nowhere"));
  EXPECT_THAT(checked.output, HasSubstr("ok      session"));
  EXPECT_THAT(checked.output, HasSubstr("3 fixtures: 1 ok, 2 failed"));
  EXPECT_EQ(Golden({"check", folder_ + "/broken.golden"}).code, ExitCode::kDifferent);
}

TEST_F(GoldenVerbTest, AnEmptyFolderIsNoSuccess) {
  const VerbResult checked = Golden({"check", folder_});
  EXPECT_EQ(checked.code, ExitCode::kIo);
  EXPECT_THAT(checked.error, HasSubstr("no *.golden file"));
}

TEST_F(GoldenVerbTest, AMissingFileIsNoDifference) {
  const VerbResult checked = Golden({"check", folder_ + "/missing.golden"});
  EXPECT_EQ(checked.code, ExitCode::kIo);
  EXPECT_THAT(checked.error, HasSubstr("missing.golden: no such file or folder"));
  // A journal that is missing, named by the fixture or by the user.
  ASSERT_EQ(Add(WriteSession("a.tape", 600)).code, ExitCode::kOk);
  EXPECT_EQ(Golden({"check", fixture(), "--journal", folder_ + "/nowhere"}).code, ExitCode::kIo);
  std::filesystem::remove_all(folder_ + "/a.tape");
  EXPECT_EQ(Golden({"check", fixture()}).code, ExitCode::kIo);
  std::filesystem::create_symlink("nowhere.golden", folder_ + "/link.golden");
  EXPECT_EQ(Golden({"check", folder_}).code, ExitCode::kIo);
}

TEST_F(GoldenVerbTest, AFixtureIsFoundWithoutItsSuffix) {
  ASSERT_EQ(Add(WriteSession("a.tape", 600)).code, ExitCode::kOk);
  EXPECT_EQ(Golden({"check", folder_ + "/session"}).code, ExitCode::kOk);
}

TEST_F(GoldenVerbTest, MachinesReadAnObjectALine) {
  ASSERT_EQ(Add(WriteSession("a.tape")).code, ExitCode::kOk);
  const VerbResult checked = Golden({"check", fixture(), "--json", "--engine", kBad});
  EXPECT_THAT(checked.output, HasSubstr("{\"schema\":\"ticktape.golden/1\",\"action\":\"check\""));
  EXPECT_THAT(checked.output, HasSubstr("\"as_expected\":false"));
  EXPECT_THAT(checked.output, HasSubstr("\"first\":{\"sequence\":"));
  EXPECT_THAT(Golden({"check", fixture(), "--json"}).output, HasSubstr("\"as_expected\":true"));
}

TEST_F(GoldenVerbTest, AHintReplacesTheLineThatUpdates) {
  ASSERT_EQ(Add(WriteSession("a.tape")).code, ExitCode::kOk);
  const VerbResult checked =
      Golden({"check", fixture(), "--engine", kBad, "--update-hint", "bazel run //x:y.update"});
  EXPECT_THAT(checked.output, HasSubstr("if it is meant   bazel run //x:y.update"));
}

}  // namespace
}  // namespace tools
