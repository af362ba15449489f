// The verbs that replay read ahead on a second thread. Whether the journal, the system or the
// listener fails, their output is that of one thread.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"
#include "tools/os/testing/no_more_threads.h"

namespace tools {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr size_t kAlignment = 4096;

// Blocks of four, many more than are read ahead.
std::string WriteLongJournal(const std::string& name) {
  std::vector<std::string> commands = SampleCommands();
  for (int i = 0; i < 85; ++i) {
    commands.push_back(absl::StrCat("bid market=AAPL price=319.1400 quantity=", i + 1));
  }
  return WriteSampleJournal(name, {.commands = commands});
}

void DamageBlock(const std::string& journal, size_t block) {
  std::fstream file(journal + "/segment-000000.tape",
                    std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>((2 + block) * kAlignment + 200));
  file << "damage";
}

TEST(Replay, OfADamagedBlockSaysWhatCatSaysAndNothingAfterIt) {
  const std::string path = WriteLongJournal("replay_damaged");
  const std::string whole = RunVerb(MakeReplayVerb(), {path, "--emit", "-"}).output;
  // By four: the sample's attachments make its first blocks longer, and they stand before.
  DamageBlock(path, 12);
  const VerbResult cat = RunVerb(MakeCatVerb(), {path});
  ASSERT_EQ(cat.code, ExitCode::kDamaged) << cat.error;
  const VerbResult replayed = RunVerb(MakeReplayVerb(), {path, "--emit", "-"});
  EXPECT_EQ(replayed.code, ExitCode::kDamaged);
  EXPECT_EQ(replayed.error, cat.error);
  EXPECT_THAT(whole, StartsWith(replayed.output));
  EXPECT_THAT(replayed.output, HasSubstr("\n48.0 "));
  EXPECT_EQ(replayed.output.find("\n49.0 "), std::string::npos);
  const std::string events = path + ".jsonl";
  EXPECT_EQ(RunVerb(MakeReplayVerb(), {path, "--emit", events}).code, ExitCode::kDamaged);
  EXPECT_FALSE(std::filesystem::exists(events)) << "half of the events look like all of them";
}

TEST(Replay, OfNothingAndOfOneRecordIsEqual) {
  const std::string one = WriteSampleJournal("replay_one", {.commands = {"advance_time"}});
  for (const char* verb : {"replay", "verify"}) {
    const VerbResult result = std::string(verb) == "replay"
                                  ? RunVerb(MakeReplayVerb(), {one})
                                  : RunVerb(MakeVerifyVerb(), {one, "--replay"});
    EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
    EXPECT_THAT(result.output, HasSubstr("state digest"));
  }
}

TEST(Replay, WithoutASecondThreadSaysTheSame) {
  const std::string path = WriteLongJournal("replay_alone");
  const std::string verified = RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"}).output;
  const std::string events = RunVerb(MakeReplayVerb(), {path, "--emit", "-"}).output;
  const NoMoreThreads none;
  EXPECT_EQ(RunVerb(MakeReplayVerb(), {path, "--emit", "-"}).output, events);
  const VerbResult alone = RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"});
  EXPECT_EQ(alone.output.substr(0, alone.output.find("\"seconds\"")),
            verified.substr(0, verified.find("\"seconds\"")));
}

TEST(Record, WithoutTheSecondThreadThatWasRequestedSaysSoAndStartsNothing) {
  const std::string path = testing::TempDir() + "/record_alone";
  const std::vector<std::string> words = {"--from", "workload",  "--seed", "7",  "--commands",
                                          "100",    "--threads", "2",      "-o", path};
  {
    const NoMoreThreads none;
    const VerbResult refused = RunVerb(MakeRecordVerb(), words);
    EXPECT_EQ(refused.code, ExitCode::kIo);
    EXPECT_THAT(refused.error, HasSubstr("cannot start the thread 'journal'"));
    EXPECT_THAT(refused.error, HasSubstr("--threads 1 does without"));
  }
  EXPECT_EQ(RunVerb(MakeRecordVerb(), words).code, ExitCode::kOk) << "nothing is in the way";
}

}  // namespace
}  // namespace tools
