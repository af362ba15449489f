// diff, bisect and minimize as a user meets them.

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/compare/fixture_text.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/open_journal.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/write_log.h"

namespace tools {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using ::testing::TempDir;

constexpr char kBad[] = "tools/cli/compare/known_bad_engine taker_priced account=9";

std::string Path(const std::string& name) { return absl::StrCat(TempDir(), "/", name); }

// A journal of a session, with digests.
std::string WriteSession(const std::string& name, size_t length = 9000, uint64_t seed = 1) {
  const auto engine = OpenSubject("fast");
  const replay::Log log =
      replay::BusySession({.seed = seed, .length = length, .late_from = length / 2});
  EXPECT_TRUE(WriteLog(Path(name), log, "test", engine->get()).ok());
  return Path(name);
}

std::string ReadFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteFile(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

TEST(DiffVerbTest, EqualJournalsAreEqualByDigests) {
  const VerbResult result = RunVerb(MakeDiffVerb(), {WriteSession("d1"), WriteSession("d2")});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, StartsWith("EQUAL"));
  EXPECT_THAT(result.output, HasSubstr("2 digests of 4,096 records each, 808 records"));
}

TEST(DiffVerbTest, ADamagedSidecarIsNotedAndTheRecordsAreRead) {
  const std::string a = WriteSession("d3");
  const std::string b = WriteSession("d4");
  WriteFile(b + "/checkpoints.trace", "rubbish");
  const VerbResult result = RunVerb(MakeDiffVerb(), {a, b});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_THAT(result.error, HasSubstr("no digests to compare with"));
  EXPECT_THAT(result.output, HasSubstr("9,000 records of each side read"));
}

TEST(DiffVerbTest, TheFirstRecordThatDiffersIsShown) {
  const VerbResult result =
      RunVerb(MakeDiffVerb(), {WriteSession("d5"), WriteSession("d6", 9000, 2), "--json"});
  EXPECT_EQ(result.code, ExitCode::kDifferent);
  EXPECT_THAT(result.output, HasSubstr("\"equal\":false"));
  EXPECT_THAT(result.output, HasSubstr("\"first_record\":"));
  // For people the fields, and with --all the whole lines, too.
  const std::string fields = RunVerb(MakeDiffVerb(), {Path("d5"), Path("d6")}).output;
  EXPECT_THAT(fields, AllOf(HasSubstr("\n  differs "), HasSubstr(" → "),
                            Not(HasSubstr("                   B  "))));
  EXPECT_THAT(RunVerb(MakeDiffVerb(), {Path("d5"), Path("d6"), "--all"}).output,
              AllOf(HasSubstr("\n  differs "), HasSubstr("                   B  ")));
}

TEST(DiffVerbTest, TwoEnginesOfOneProgramAgree) {
  const VerbResult result =
      RunVerb(MakeDiffVerb(), {WriteSession("d7"), "--engine-b", "reference"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("9,000 commands: events, states every 4,096"));
}

TEST(DiffVerbTest, APartingIsShownWithAllThatHelps) {
  const VerbResult result =
      RunVerb(MakeDiffVerb(), {WriteSession("d8"), "--engine-b", kBad, "--all", "--max", "2"});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  for (const char* part :
       {"DIFFERENT at @", "class            new_order: trade.price", "price: ", " → ",
        "queue            M", "rule (RULES.md)  A  2. Orders, Priority and trades: trade",
        "life             order ", "next             ticktape inspect ", " --market M",
        "ticktape minimize ",
        "are consequences, 2 independent of it (B was given A's state after each)",
        "may be more"}) {
    EXPECT_THAT(result.output, HasSubstr(part));
  }
}

TEST(DiffVerbTest, EnginesGoOnFromASnapshotAndADamagedOneCostsTimeOnly) {
  const std::string journal = WriteSession("d9", 9000);
  const std::vector<std::string> words = {journal, "--engine-b", kBad};
  const std::string without = RunVerb(MakeDiffVerb(), words).output;
  EXPECT_THAT(without, HasSubstr("commands put to the engines again, from the first record"));
  ASSERT_EQ(RunVerb(MakeSnapshotVerb(), {"make", journal, "@4096"}).code, ExitCode::kOk);
  const VerbResult with = RunVerb(MakeDiffVerb(), words);
  EXPECT_THAT(with.output, HasSubstr("commands put to the engines again, from the state at @4096"));
  const size_t report = without.find("replayed  ");
  EXPECT_EQ(with.output.substr(0, report), without.substr(0, report)) << "the same is found";
  const VerbResult bisected =
      RunVerb(MakeBisectVerb(), {journal, "--engine-b", kBad, "--cache", "", "--json"});
  EXPECT_THAT(bisected.output, HasSubstr("\"replayed_from\":4096"));
  const std::string snapshot = journal + "/snapshots/00000000000000004096.snap";
  std::string bytes = ReadFile(snapshot);
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  WriteFile(snapshot, bytes);
  const VerbResult damaged = RunVerb(MakeDiffVerb(), words);
  EXPECT_EQ(damaged.output, without);
  EXPECT_THAT(damaged.error, HasSubstr("snapshot skipped: "));
}

TEST(DiffVerbTest, StatesAreComparedEntityByEntity) {
  const std::string journal = WriteSession("d10", 5000);
  ASSERT_EQ(RunVerb(MakeSnapshotVerb(), {"make", journal, "@4096"}).code, ExitCode::kOk);
  const std::string snapshot = journal + "/snapshots/00000000000000004096.snap";
  const VerbResult same = RunVerb(MakeDiffVerb(), {journal + "@4096", snapshot});
  EXPECT_EQ(same.code, ExitCode::kOk) << same.error;
  EXPECT_THAT(same.output, StartsWith("EQUAL"));
  EXPECT_THAT(same.output, HasSubstr("from the snapshot at @4096"));
  const VerbResult other =
      RunVerb(MakeDiffVerb(), {journal + "@4000", journal + "@-1", "--max", "3"});
  EXPECT_EQ(other.code, ExitCode::kDifferent) << other.error;
  EXPECT_THAT(other.output, HasSubstr("+ "));
  EXPECT_THAT(other.output, HasSubstr(" order"));
  EXPECT_THAT(other.output, HasSubstr("more (--max, or --json for all)"));
  const VerbResult json = RunVerb(MakeDiffVerb(), {journal + "@4000", journal + "@4001", "--json"});
  EXPECT_THAT(json.output, HasSubstr("\"what\":\"states\""));
  EXPECT_EQ(RunVerb(MakeDiffVerb(), {journal + "@4096", journal}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeDiffVerb(), {journal + "@99999", journal + "@1"}).code, ExitCode::kUsage);
  WriteFile(Path("rubbish.snap"), "this is no snapshot in spite of its name");
  EXPECT_EQ(RunVerb(MakeDiffVerb(), {Path("rubbish.snap"), snapshot}).code, ExitCode::kDamaged);
}

TEST(DiffVerbTest, EventFilesAreAlignedBySequence) {
  WriteFile(Path("a.events"), "1.0 x\n2.0 y\n3.0 z\n4.0 w\n");
  WriteFile(Path("b.events"), "1.0 x\n2.0 y\n2.1 extra\n3.0 z\n4.0 w\n");
  const VerbResult result = RunVerb(MakeDiffVerb(), {Path("a.events"), Path("b.events")});
  EXPECT_EQ(result.code, ExitCode::kDifferent);
  EXPECT_THAT(result.output, HasSubstr("DIFFERENT at @2"));
  EXPECT_THAT(result.output, HasSubstr("those of 1 differ"));
  WriteFile(Path("c.events"), "1.0 x\nhello\n");
  const VerbResult bad = RunVerb(MakeDiffVerb(), {Path("a.events"), Path("c.events")});
  EXPECT_EQ(bad.code, ExitCode::kDamaged);
  EXPECT_THAT(bad.error, HasSubstr("c.events:2: this is not an event"));
}

// A whole hello (EVENT_STREAM.md), then the end.
TEST(DiffVerbTest, AnEngineOfAnotherProtocolVersionIsRefusedWithBothVersions) {
  std::string hello("\x20\0\0\0\1\0\0\0TAPETAPS\2\0\0\0", 20);
  hello.append(20, '\0');
  WriteFile(Path("newer.hello"), hello);
  WriteFile(Path("newer.sh"), absl::StrCat("cat ", Path("newer.hello"), "\ncat > /dev/null\n"));
  const VerbResult result = RunVerb(MakeDiffVerb(), {WriteSession("d11", 100), "--engine-b",
                                                     absl::StrCat("sh ", Path("newer.sh"))});
  EXPECT_EQ(result.code, ExitCode::kNotComparable);
  EXPECT_THAT(result.error, HasSubstr("newer.sh': "));
  EXPECT_THAT(result.error, HasSubstr("version 2.0"));
  EXPECT_THAT(result.error, HasSubstr("1.1"));
}

TEST(DiffVerbTest, SaysWhatToCompareWith) {
  EXPECT_EQ(RunVerb(MakeDiffVerb(), {"a"}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeDiffVerb(), {"a", "b", "--engine-b", "fast"}).code, ExitCode::kUsage);
}

TEST(BisectVerbTest, TheSecondTimeNothingIsReplayedForDigests) {
  const std::string journal = WriteSession("b1");
  const std::vector<std::string> words = {journal, "--engine-b", kBad, "--cache", Path("cache")};
  const VerbResult first = RunVerb(MakeBisectVerb(), words);
  EXPECT_EQ(first.code, ExitCode::kDifferent) << first.error;
  EXPECT_THAT(first.output, HasSubstr("one pass"));
  EXPECT_THAT(first.output, HasSubstr("digests looked at"));
  const VerbResult second = RunVerb(MakeBisectVerb(), words);
  EXPECT_THAT(second.output, HasSubstr("digests from the cache, no replay"));
  EXPECT_EQ(first.output.substr(0, first.output.find("  how  ")),
            second.output.substr(0, second.output.find("  how  ")));
  const VerbResult diff = RunVerb(MakeDiffVerb(), {journal, "--engine-b", kBad});
  EXPECT_EQ(first.output.substr(0, first.output.find(' ', 15)),
            diff.output.substr(0, diff.output.find(' ', 15)));
}

TEST(BisectVerbTest, TheSecondTimeEnginesGoOnFromStatesThatWereKept) {
  const std::string journal = WriteSession("b5", 150'000);
  const std::vector<std::string> words = {
      journal, "--engine-b", "tools/cli/compare/known_bad_engine taker_priced from=140000",
      "--cache", Path("state_cache")};
  const VerbResult first = RunVerb(MakeBisectVerb(), words);
  EXPECT_THAT(first.output, HasSubstr("from the state at @131072")) << first.error;
  const VerbResult second = RunVerb(MakeBisectVerb(), words);
  EXPECT_THAT(second.output, HasSubstr("no replay"));
  EXPECT_THAT(second.output, HasSubstr("from the state at @139264")) << "where they are last equal";
}

TEST(BisectVerbTest, HasTheExitCodesOfGitBisectRun) {
  const std::string journal = WriteSession("b2");
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {journal, "--cache", ""};
    words.insert(words.end(), more.begin(), more.end());
    return RunVerb(MakeBisectVerb(), words);
  };
  EXPECT_EQ(run({"--engine-b", "fast"}).code, ExitCode::kOk);
  EXPECT_EQ(run({"--engine-b", kBad}).code, ExitCode::kDifferent);
  EXPECT_EQ(run({"--engine-b", "/no/such/program"}).code, ExitCode::kSkip);
  EXPECT_EQ(run({"--engine-b", "fast", "--build", "echo no compiler >&2; false"}).code,
            ExitCode::kSkip);
  EXPECT_EQ(run({"--engine-b", "fast", "--build", "true"}).code, ExitCode::kOk);
}

TEST(BisectVerbTest, AnEngineThatEndsDiffersInThatRun) {
  const VerbResult result =
      RunVerb(MakeBisectVerb(), {WriteSession("b4"), "--cache", "", "--engine-b",
                                 "tools/cli/compare/known_bad_engine ends_on_sweep account=9"});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  EXPECT_THAT(result.output, HasSubstr("B ends at replay/testing/known_bad_machine.cc:"));
  EXPECT_THAT(result.output, HasSubstr("one pass, in which the engine ended on the way to @"));
}

TEST(BisectVerbTest, PredicatesTurnWhereTheyTurn) {
  const std::string journal = WriteSession("b3", 300);
  const auto run = [&](const std::string& engine, const std::string& predicate) {
    return RunVerb(MakeBisectVerb(),
                   {journal, "--cache", "", "--engine-b", engine, "--pred", predicate});
  };
  EXPECT_THAT(run("fast", "event trade").output, StartsWith("FOUND at @"));
  const VerbResult event = run("fast", "event trade.quantity > 100000");
  EXPECT_EQ(event.code, ExitCode::kOk);
  EXPECT_THAT(event.output, HasSubstr("no event is so: trade.quantity > 100000"));
  const VerbResult book = run("fast", "invariant:E2");
  EXPECT_EQ(book.code, ExitCode::kOk);
  EXPECT_THAT(book.output, HasSubstr("invariant:E2 holds throughout"));
  EXPECT_EQ(run("fast", "invariant:E3").code, ExitCode::kOk);
  EXPECT_EQ(run("fast", "moon is full").code, ExitCode::kUsage);
  const VerbResult ends = run("tools/cli/compare/known_bad_engine ends_on_sweep", "crash");
  EXPECT_THAT(ends.output, HasSubstr("planted: a sweep of three makers"));
  const VerbResult exec = run("fast", "exec test ! -s /dev/null ; test 0 = 1 #");
  EXPECT_THAT(exec.output, StartsWith("FOUND at @1 ")) << exec.error;
  const VerbResult mistyped = run("fast", "exec ./no_such_program");
  EXPECT_EQ(mistyped.code, ExitCode::kUsage) << mistyped.output;
  EXPECT_THAT(mistyped.error, HasSubstr("cannot run './no_such_program' (exit code 127)"));
}

TEST(MinimizeVerbTest, WritesAJournalItsTextAndATest) {
  const std::string journal = WriteSession("m1");
  const VerbResult result =
      RunVerb(MakeMinimizeVerb(), {journal, "--engine-b", kBad, "-o", Path("small")});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  EXPECT_THAT(result.output, HasSubstr("9,000 commands, failing at @"));
  const auto opened = OpenJournal(Path("small.tape"));
  ASSERT_TRUE(opened.ok());
  replay::JournalSource source(*opened->reader);
  const auto from_journal = replay::LoadLog(source, source.last());
  EXPECT_LE(from_journal->size(), 20u);
  const auto from_text = replay::ParseFixtureText("small.txt", ReadFile(Path("small.txt")));
  ASSERT_TRUE(from_text.ok()) << from_text.status().message();
  std::string why;
  EXPECT_TRUE(replay::SameLog(*from_journal, *from_text, why)) << why;
  EXPECT_THAT(ReadFile(Path("small.bazel")), HasSubstr("name = \"small_test\""));
  EXPECT_THAT(ReadFile(Path("small.bazel")), HasSubstr("glob([\"small.tape/**\"])"));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {"--replay", Path("small.tape")}).code, ExitCode::kOk);
  EXPECT_EQ(RunVerb(MakeDiffVerb(), {Path("small.tape"), "--engine-b", kBad}).code,
            ExitCode::kDifferent);
}

TEST(MinimizeVerbTest, TakesThePredicatesOfBisect) {
  const std::string journal = WriteSession("m4", 600);
  const auto run = [&](const std::string& name, const std::string& engine,
                       const std::string& predicate) {
    return RunVerb(MakeMinimizeVerb(), {journal, "--engine-b", engine, "--pred", predicate,
                                        "--budget", "2m", "-o", Path(name)});
  };
  const VerbResult event = run("event", "fast", "event trade.quantity >= 10");
  EXPECT_EQ(event.code, ExitCode::kDifferent) << event.error;
  EXPECT_THAT(event.output, HasSubstr("class            event trade.quantity >= 10"));
  const VerbResult again =
      RunVerb(MakeBisectVerb(), {Path("event.tape"), "--cache", "", "--engine-b", "fast", "--pred",
                                 "event trade.quantity >= 10"});
  EXPECT_THAT(again.output, StartsWith("FOUND at @")) << "what is left says it too";
  const VerbResult exec = run("exec", "fast", "exec false");
  EXPECT_THAT(exec.output, HasSubstr("shrunk to 1\n")) << exec.error;
  EXPECT_EQ(run("none", "fast", "invariant:E2").code, ExitCode::kOk) << "it holds";
  EXPECT_EQ(run("ends", "tools/cli/compare/known_bad_engine ends_on_sweep", "crash").code,
            ExitCode::kDifferent);
  const VerbResult wrong = run("wrong", "fast", "event moon.is == full");
  EXPECT_EQ(wrong.code, ExitCode::kUsage) << wrong.output;
  EXPECT_EQ(run("wrong", "fast", "moon").code, ExitCode::kUsage);
}

TEST(MinimizeVerbTest, WithoutTimeTheSmallestSoFarIsWritten) {
  const std::string journal = WriteSession("m6", 100);
  const VerbResult result =
      RunVerb(MakeMinimizeVerb(), {journal, "--engine-b", "fast", "--pred", "exec sleep 0.1; false",
                                   "--budget", "1s", "-o", Path("late")});
  EXPECT_EQ(result.code, ExitCode::kOutOfTime) << result.error;
  EXPECT_THAT(result.output, HasSubstr("the time ran out, it could be smaller (--budget)"));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {Path("late.tape")}).code, ExitCode::kOk);
}

TEST(MinimizeVerbTest, TimeThatRunsOutBeforeTheFailureIsFoundEndsTheSearch) {
  const std::string script = Path("slow_engine.sh");
  std::ofstream(script) << "sleep 1.2; exec tools/cli/compare/known_bad_engine taker_priced\n";
  for (const char* predicate : {"diverge", "event trade"}) {
    const VerbResult result =
        RunVerb(MakeMinimizeVerb(), {WriteSession(absl::StrCat("m7", predicate)), "--engine-b",
                                     absl::StrCat("sh ", script), "--pred", predicate, "--budget",
                                     "1s", "-o", Path("none")});
    EXPECT_EQ(result.code, ExitCode::kOutOfTime) << result.error;
    EXPECT_THAT(result.output, HasSubstr("the time ran out before a failure was found"));
    EXPECT_FALSE(std::filesystem::exists(Path("none.txt")));
  }
}

TEST(MinimizeVerbTest, WhatIsThereIsFoundOutFirstAndKept) {
  const std::string journal = WriteSession("m5", 300);
  const std::string text = Path("taken.txt");
  std::ofstream(text) << "a letter";
  const VerbResult taken =
      RunVerb(MakeMinimizeVerb(), {journal, "--engine-b", "./no_such_engine", "-o", Path("taken")});
  EXPECT_EQ(taken.code, ExitCode::kIo) << "before an engine is asked for";
  EXPECT_THAT(taken.error, HasSubstr("taken.txt is there already"));
  EXPECT_EQ(ReadFile(text), "a letter");
  std::filesystem::remove(text);
  // An engine that takes one of the names once it is asked for.
  const std::string engine = Path("takes_a_name.sh");
  std::ofstream(engine) << "#!/bin/sh\necho 'a letter' > '" << Path("taken.txt") << "'\nexec "
                        << kBad << "\n";
  std::filesystem::permissions(engine, std::filesystem::perms::owner_all);
  const VerbResult late =
      RunVerb(MakeMinimizeVerb(), {journal, "--engine-b", engine, "-o", Path("taken")});
  EXPECT_EQ(late.code, ExitCode::kIo) << late.output;
  EXPECT_THAT(late.error, HasSubstr("taken.txt' exists already"));
  EXPECT_EQ(ReadFile(text), "a letter\n");
  for (const char* ending : {".tape", ".tape.partial", ".bazel"}) {
    EXPECT_FALSE(std::filesystem::exists(Path("taken") + ending)) << ending;
  }
  const VerbResult time =
      RunVerb(MakeMinimizeVerb(), {journal, "--engine-b", kBad, "--budget", "5x"});
  EXPECT_THAT(time.error, HasSubstr("'5x' is not understood; expected a time, e.g. 90s, 5m or 1h"));
}

TEST(MinimizeVerbTest, WithoutAFailureThereIsNothingToDo) {
  const VerbResult result =
      RunVerb(MakeMinimizeVerb(), {WriteSession("m2"), "--engine-b", "reference"});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_THAT(result.output, StartsWith("NO FAILURE"));
}

TEST(MinimizeVerbTest, AnEngineThatEndsIsMinimizedToo) {
  const VerbResult result =
      RunVerb(MakeMinimizeVerb(),
              {WriteSession("m3"), "--engine-b", "tools/cli/compare/known_bad_engine ends_on_sweep",
               "--pred", "crash", "-o", Path("crash"), "--json"});
  EXPECT_EQ(result.code, ExitCode::kDifferent) << result.error;
  EXPECT_THAT(result.output, HasSubstr("\"class\":\"ends at replay/testing/known_bad_machine.cc:"));
}

}  // namespace
}  // namespace tools
