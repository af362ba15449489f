// seal, after a writer that was killed.

#include <filesystem>
#include <fstream>
#include <string>

#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_info.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

std::string Unsealed(const std::string& name) {
  return WriteSampleJournal(name, {.commands = SampleCommands(), .sealed = false});
}

VerbResult Seal(const std::string& path) { return RunVerb(MakeSealVerb(), {path, "--json"}); }

std::string Verdict(const std::string& path) {
  return RunVerb(MakeVerifyVerb(), {path, "--deep", "--json"}).output;
}

TEST(Seal, EndsAJournalThatWasKilled) {
  const std::string path = Unsealed("seal_killed");
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path, "--json"}).output, HasSubstr(R"("sealed":false)"));
  const VerbResult result = Seal(path);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr(R"("was_sealed":false,"commands":15,"last_sequence":15,)"
                                       R"("bytes_set_aside":0,"checkpoint_before":)"));
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path, "--json"}).output, HasSubstr(R"("sealed":true)"));
  EXPECT_THAT(Verdict(path), HasSubstr(R"("verdict":"CLEAN")"));
}

TEST(Seal, WritesTheCheckpointThatARecordingWouldHaveWritten) {
  SampleJournalOptions options{.commands = SampleCommands(), .block_records = 1024};
  options.commands.resize(journal::kCheckpointInterval + 100, "advance_time");
  const std::string whole = WriteSampleJournal("seal_whole", options);
  options.sealed = false;
  const std::string killed = WriteSampleJournal("seal_checkpoint", options);
  ASSERT_EQ(Seal(killed).code, ExitCode::kOk);
  const auto replayed = [](const std::string& path) {
    const std::string output = RunVerb(MakeReplayVerb(), {path, "--json"}).output;
    return output.substr(output.find("\"log_digest\""));
  };
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {killed, "--replay"}).output,
              HasSubstr("equal to the recorded run's at all 2 checkpoints"));
  EXPECT_THAT(replayed(killed), HasSubstr(R"("state_digests_compared":2)"));
  EXPECT_THAT(replayed(whole), HasSubstr(R"("state_digests_compared":2)"));
}

// A journal whose recorded run has only this checkpoint, and does not cover its last command.
std::string UnsealedWith(const std::string& name, journal::Checkpoint checkpoint) {
  SampleJournalOptions options{
      .commands = SampleCommands(), .block_records = 1024, .sealed = false};
  options.commands.resize(3 * journal::kCheckpointInterval + 100, "advance_time");
  const std::string path = WriteSampleJournal(name, options);
  const auto directory =
      journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadWrite).value();
  const journal::JournalInfo info = journal::Reader::Open(*directory).value()->info();
  checkpoint.sequence = engine::SequenceNumber(journal::kCheckpointInterval);
  EXPECT_TRUE(
      journal::ReplaceSidecar(*directory, info.uuid, info.last_sequence, {checkpoint}).ok());
  return path;
}

TEST(Seal, WritesEveryCheckpointThatIsMissing) {
  const std::string path = UnsealedWith("seal_lacks", {});
  const VerbResult result = Seal(path);
  EXPECT_THAT(result.output, HasSubstr(R"("checkpoint_before":4096)"));
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"}).output,
              HasSubstr(R"("checkpoints_compared":4,"log_digests_compared":3,)"
                        R"("trace_digests_compared":3,"state_digests_compared":3)"));
}

TEST(Seal, WritesNoDigestsOfAnEngineThatDiffers) {
  const std::string path = UnsealedWith("seal_differs", {.trace = engine::Digest{}});
  const VerbResult result = Seal(path);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.error, HasSubstr("only a log digest: this program's engine differs"));
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"}).output,
              HasSubstr(R"("checkpoints_compared":2,"log_digests_compared":1,)"
                        R"("trace_digests_compared":1,"state_digests_compared":0)"));
}

TEST(Seal, EndsAJournalWhoseWriterWasKilledBetweenTwoSegments) {
  const std::string path = WriteSampleJournal("seal_between");
  std::ofstream(path + "/next.zeros") << std::string(4096, '\0');
  EXPECT_THAT(Seal(path).output, HasSubstr(R"("was_sealed":false,"commands":15)"));
  EXPECT_FALSE(std::filesystem::exists(path + "/next.zeros"));
  EXPECT_THAT(Verdict(path), HasSubstr(R"("verdict":"CLEAN")"));
  EXPECT_THAT(Seal(path).output, HasSubstr(R"("was_sealed":true,"commands":15)"));
}

TEST(Seal, OfASealedJournalChangesNothing) {
  const std::string path = WriteSampleJournal("seal_twice");
  const auto size = std::filesystem::file_size(path + "/segment-000000.tape");
  const VerbResult result = Seal(path);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr(R"("was_sealed":true,"commands":15)"));
  EXPECT_EQ(std::filesystem::file_size(path + "/segment-000000.tape"), size);
  EXPECT_THAT(RunVerb(MakeSealVerb(), {path}).output,
              HasSubstr(", sealed before: nothing is changed"));
}

TEST(Seal, KeepsATornTailBesideTheSegment) {
  const std::string path = Unsealed("seal_torn");
  const std::string segment = path + "/segment-000000.tape";
  std::filesystem::resize_file(segment, std::filesystem::file_size(segment) - 9);
  const VerbResult result = Seal(path);
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr(R"("commands":12)")) << "the last block is not whole";
  EXPECT_TRUE(std::filesystem::exists(path + "/segment-000000.torn.1"));
  EXPECT_THAT(Verdict(path), HasSubstr(R"("verdict":"CLEAN")"));
}

TEST(Seal, SaysWhereTheLastCheckpointIsAndWhetherItIsNew) {
  EXPECT_THAT(RunVerb(MakeSealVerb(), {Unsealed("seal_says")}).output,
              HasSubstr("  checkpoint       @15, the first\n"));
  // Its index is lost, and its checkpoint is not.
  const std::string path = WriteSampleJournal("seal_says_again");
  const std::string segment = path + "/segment-000000.tape";
  std::filesystem::resize_file(segment, std::filesystem::file_size(segment) - 4096 * 2);
  EXPECT_THAT(RunVerb(MakeSealVerb(), {path}).output,
              HasSubstr("  checkpoint       @15, which was there already\n"));
}

TEST(Seal, RefusesADamagedJournal) {
  const std::string path = WriteSampleJournal(
      "seal_damaged", {.commands = SampleCommands(), .sealed = false, .synced = true});
  std::fstream file(path + "/segment-000000.tape", std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(2 * 4096 + 200);
  file << "damage";
  file.close();
  const VerbResult result = Seal(path);
  EXPECT_EQ(result.code, ExitCode::kDamaged) << result.output;
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path, "--json"}).output, HasSubstr(R"("sealed":false)"));
}

TEST(Seal, RefusesAJournalThatAnotherProgramWrites) {
  const std::string path = Unsealed("seal_locked");
  const auto directory = journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadWrite);
  ASSERT_TRUE(directory.ok());
  const auto lock = (*directory)->Lock();
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(Seal(path).code, ExitCode::kIo);
}

}  // namespace
}  // namespace tools
