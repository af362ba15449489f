// repair, repack, archive, prune and hold, as a user meets them.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/log_digest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::TempDir;

std::string Segment(const std::string& journal) {
  return absl::StrCat(journal, "/segment-000000.tape");
}

void Overwrite(const std::string& path, uint64_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(at));
  file << "damage";
}

TEST(Repair, OfAWholeJournalSaysSo) {
  const VerbResult result = RunVerb(MakeRepairVerb(), {WriteSampleJournal("repair_whole")});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_THAT(result.output, HasSubstr("There is nothing to repair."));
}

TEST(Repair, PrintsThePlanAndAppliesItOnRequest) {
  const std::string path = WriteSampleJournal("repair_index");
  std::filesystem::resize_file(Segment(path), std::filesystem::file_size(Segment(path)) - 9);
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path}).output, HasSubstr("would do"));
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path}).output, HasSubstr("would do")) << "and did not";
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path, "--apply"}).output, HasSubstr("done"));
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--deep", "--json"}).output,
              HasSubstr(R"("verdict":"CLEAN")"));
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path, "--json"}).output, HasSubstr(R"("steps":[])"));
}

// What an engine did cannot be computed afterwards, so nothing may be called equal to it.
TEST(Repair, OfCheckpointsLeavesLogDigestsAndVerifyClaimsNoMoreThanThose) {
  SampleJournalOptions options{.commands = SampleCommands(), .block_records = 1024};
  options.commands.resize(journal::kCheckpointInterval + 100, "advance_time");
  const std::string path = WriteSampleJournal("repair_checkpoints", options);
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--replay"}).output,
              HasSubstr("equal to the recorded run's at all 2 checkpoints"));
  std::filesystem::remove(path + "/checkpoints.trace");
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"}).output,
              HasSubstr(R"("equal":null)"));
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path, "--apply"}).output, HasSubstr("done"));
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--replay"}).output,
              HasSubstr("log digests equal at 1 checkpoint; no trace or state digests to compare "
                        "with"));
  for (const VerbResult& result : {RunVerb(MakeVerifyVerb(), {path, "--replay", "--json"}),
                                   RunVerb(MakeReplayVerb(), {path, "--json"})}) {
    EXPECT_EQ(result.code, ExitCode::kOk);
    EXPECT_THAT(result.output, HasSubstr(R"("checkpoints_compared":1,"log_digests_compared":1,)"
                                         R"("trace_digests_compared":0,"state_digests_compared":0,)"
                                         R"("equal":null)"));
  }
}

TEST(Repair, SalvagesWhatCanBeReadOfADamagedJournal) {
  const std::string path = WriteSampleJournal("repair_damaged");
  Overwrite(Segment(path), std::filesystem::file_size(Segment(path)) / 2 / 4096 * 4096 + 200);
  EXPECT_EQ(RunVerb(MakeRepairVerb(), {path}).code, ExitCode::kDamaged);
  EXPECT_EQ(RunVerb(MakeRepairVerb(), {path, "--apply"}).code, ExitCode::kDamaged);
  const std::string saved = TempDir() + "/salvaged";
  const VerbResult result = RunVerb(MakeRepairVerb(), {path, "--salvage", saved});
  EXPECT_EQ(result.code, ExitCode::kDamaged) << result.error;
  EXPECT_THAT(result.output, HasSubstr("missing"));
  EXPECT_TRUE(std::filesystem::exists(saved + "/holes.txt"));
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {saved});
  EXPECT_EQ(verified.code, ExitCode::kOk);
  EXPECT_THAT(verified.output, ContainsRegex(R"(warning .* sequences [0-9]+\.\.[0-9]+: missing)"));
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {saved}).output,
              ContainsRegex(R"(warning .* sequences [0-9]+\.\.[0-9]+: missing)"));
  EXPECT_EQ(RunVerb(MakeRepairVerb(), {path, "-o", saved + "_too"}).output,
            absl::StrReplaceAll(result.output, {{saved, saved + "_too"}}));
  EXPECT_THAT(RunVerb(MakeRepairVerb(), {path, "--salvage", saved}).error, HasSubstr(saved))
      << "never into something that is there";
}

TEST(Repack, IsTheSameJournal) {
  const std::string path = WriteSampleJournal("repack");
  const std::string output = TempDir() + "/repacked";
  const VerbResult result = RunVerb(MakeRepackVerb(), {path, output, "--level", "3"});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("read back"));
  EXPECT_EQ(RunVerb(MakeCatVerb(), {output}).output, RunVerb(MakeCatVerb(), {path}).output);
  EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
  EXPECT_EQ(RunVerb(MakeRepackVerb(), {path, output}).code, ExitCode::kIo)
      << "never over something that is there";
}

TEST(Repack, SaysWhatOneThatWasKilledHasLeft) {
  const std::string path = WriteSampleJournal("repack_killed");
  const std::string output = TempDir() + "/repacked_again";
  std::filesystem::create_directory(output + ".partial");
  std::ofstream(output + ".partial/segment-000000.tape") << "half a segm";
  const VerbResult result = RunVerb(MakeRepackVerb(), {path, output});
  EXPECT_EQ(result.code, ExitCode::kIo);
  EXPECT_THAT(result.error, HasSubstr("was killed: then it can be deleted"));
  EXPECT_TRUE(std::filesystem::exists(output + ".partial/segment-000000.tape"));
}

TEST(Repack, ThatFailsLeavesNothing) {
  const std::string path = WriteSampleJournal("repack_damaged");
  Overwrite(Segment(path), std::filesystem::file_size(Segment(path)) / 2 / 4096 * 4096 + 200);
  const std::string output = TempDir() + "/repacked_not";
  EXPECT_EQ(RunVerb(MakeRepackVerb(), {path, output}).code, ExitCode::kDamaged);
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_FALSE(std::filesystem::exists(output + ".partial"));
}

TEST(Verify, SeveralJournalsHaveAVerdictALine) {
  const std::string clean = WriteSampleJournal("several_clean");
  const std::string damaged = WriteSampleJournal("several_damaged");
  Overwrite(Segment(damaged), 8300);
  const std::string nowhere = clean + ".not";
  const VerbResult both = RunVerb(MakeVerifyVerb(), {clean, clean, "--replay"});
  EXPECT_EQ(both.code, ExitCode::kOk) << both.error;
  const std::string line = absl::StrCat("CLEAN       ", clean, "  15 records\n");
  const std::string replayed =
      absl::StrCat("CLEAN       ", clean,
                   "  15 records, replayed: digests equal to the recorded run's at 1 checkpoint\n");
  EXPECT_EQ(both.output, absl::StrCat(replayed, replayed));
  const VerbResult one_damaged = RunVerb(MakeVerifyVerb(), {damaged, clean});
  EXPECT_EQ(one_damaged.code, ExitCode::kDamaged);
  EXPECT_THAT(one_damaged.output, HasSubstr(absl::StrCat("DAMAGED     ", damaged, "  ")));
  EXPECT_THAT(one_damaged.output, HasSubstr("\n  finding "));
  EXPECT_THAT(one_damaged.output, HasSubstr(line)) << "the next one is verified, too";
  const VerbResult one_missing = RunVerb(MakeVerifyVerb(), {nowhere, damaged, clean, "--json"});
  EXPECT_EQ(one_missing.code, ExitCode::kIo);
  const std::vector<std::string> objects = absl::StrSplit(one_missing.output, '\n');
  ASSERT_EQ(objects.size(), 4u);
  EXPECT_THAT(objects[0], HasSubstr(R"("verdict":"UNREADABLE","error":")"));
  EXPECT_THAT(objects[1], HasSubstr(R"("verdict":"DAMAGED")"));
  EXPECT_THAT(objects[2], HasSubstr(R"("verdict":"CLEAN")"));
}

TEST(Archive, IsTheSameJournalInFewerBytes) {
  SampleJournalOptions options{.commands = SampleCommands(), .block_records = 1};
  options.commands.resize(200, "advance_time");
  const std::string path = WriteSampleJournal("archive", options);
  const std::string cat = RunVerb(MakeCatVerb(), {path}).output;
  const uintmax_t before = std::filesystem::file_size(Segment(path));
  const VerbResult result = RunVerb(MakeArchiveVerb(), {path});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("1 of 1 segment\n"));
  EXPECT_LT(std::filesystem::file_size(Segment(path)), before / 10);
  EXPECT_EQ(RunVerb(MakeCatVerb(), {path}).output, cat);
  EXPECT_THAT(RunVerb(MakeVerifyVerb(), {path, "--deep", "--json"}).output,
              HasSubstr(R"("verdict":"CLEAN")"));
  EXPECT_THAT(RunVerb(MakeArchiveVerb(), {path, "--json"}).output, HasSubstr(R"("compacted":0)"));
}

TEST(Archive, OfADamagedJournalChangesNothing) {
  SampleJournalOptions options{.commands = SampleCommands(), .block_records = 1};
  const std::string path = WriteSampleJournal("archive_damaged", options);
  const uintmax_t before = std::filesystem::file_size(Segment(path));
  Overwrite(Segment(path), before / 2 / 4096 * 4096 + 200);
  EXPECT_EQ(RunVerb(MakeArchiveVerb(), {path}).code, ExitCode::kDamaged);
  EXPECT_EQ(std::filesystem::file_size(Segment(path)), before);
}

TEST(Hold, IsAddedListedAndRemoved) {
  const std::string path = WriteSampleJournal("hold");
  EXPECT_EQ(RunVerb(MakeHoldVerb(), {"add", path, "warehouse", "@7", "--note", "nightly"}).code,
            ExitCode::kOk);
  EXPECT_THAT(RunVerb(MakeHoldVerb(), {"list", path}).output, HasSubstr("@7, since"));
  EXPECT_EQ(RunVerb(MakeHoldVerb(), {"add", path, "bad name", "@7"}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeHoldVerb(), {"add", path, "other", "@700"}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeHoldVerb(), {"remove", path, "warehouse"}).code, ExitCode::kOk);
  EXPECT_EQ(RunVerb(MakeHoldVerb(), {"remove", path, "warehouse"}).code, ExitCode::kUsage);
}

TEST(Prune, WithoutSnapshotsKeepsEverythingAndSaysWhy) {
  const std::string path = WriteSampleJournal("prune");
  const VerbResult result = RunVerb(MakePruneVerb(), {path, "--apply"});
  EXPECT_EQ(result.code, ExitCode::kOk);
  EXPECT_THAT(result.output, HasSubstr("two are needed before anything is deleted"));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {path}).code, ExitCode::kOk);
}

TEST(Follow, EndsWhenTheJournalIsClosedIfRequested) {
  const std::string path = WriteSampleJournal("follow_cat");
  const VerbResult followed = RunVerb(MakeCatVerb(), {path, "--follow", "--until-closed"});
  EXPECT_EQ(followed.output, RunVerb(MakeCatVerb(), {path}).output);
  EXPECT_THAT(followed.error, HasSubstr("followed to @15, 15 commands printed"));
  EXPECT_EQ(RunVerb(MakeCatVerb(), {path, "--follow=eagerly"}).code, ExitCode::kUsage);
  EXPECT_THAT(RunVerb(MakeReplayVerb(), {path, "--follow", "--until-closed"}).output,
              HasSubstr("digests"));
}

TEST(Doctor, LooksAtAFolder) {
  EXPECT_THAT(RunVerb(MakeDoctorVerb(), {TempDir(), "--syncs", "10", "--json"}).output,
              HasSubstr(R"("schema":"ticktape.doctor/1")"));
  EXPECT_EQ(RunVerb(MakeDoctorVerb(), {TempDir() + "/nowhere"}).code, ExitCode::kIo);
}

TEST(Doctor, LooksAtTheRestWhereNothingCanBeWritten) {
  const VerbResult result = RunVerb(MakeDoctorVerb(), {"/proc"});
  EXPECT_EQ(result.code, ExitCode::kNotComparable);
  EXPECT_THAT(result.output, HasSubstr("Not even one segment"));
  EXPECT_THAT(result.output, HasSubstr("not measured"));
  EXPECT_THAT(result.output, HasSubstr("processors"));
  const VerbResult json = RunVerb(MakeDoctorVerb(), {"/proc", "--json"});
  EXPECT_THAT(json.output, HasSubstr(R"("value":"not measured","health":"bad")"));
  EXPECT_THAT(json.output, Not(HasSubstr("sync_ns")));
}

TEST(Doctor, LooksAtCores) {
  const std::string core = std::to_string(UsableCores().front());
  const VerbResult json =
      RunVerb(MakeDoctorVerb(), {"--latency", "--cores", core, "--seconds", "0.1", "--json"});
  EXPECT_EQ(json.code, ExitCode::kOk) << json.error;
  EXPECT_THAT(json.output, HasSubstr(R"("schema":"ticktape.doctor_latency/1")"));
  EXPECT_THAT(json.output, HasSubstr(R"("name":"isolcpus")"));
  EXPECT_THAT(json.output, HasSubstr(R"("hiccups":[{"core":)" + core + R"(,"pinned":true,)"));
}

TEST(Doctor, CoresAreThoseThatThisProcessMayUse) {
  for (const char* const bad : {"", "x", "1-", "4095", "0-99999"}) {
    EXPECT_EQ(RunVerb(MakeDoctorVerb(), {"--latency", "--cores", bad}).code, ExitCode::kUsage)
        << bad;
  }
  EXPECT_EQ(RunVerb(MakeDoctorVerb(), {"--cores", "0"}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeDoctorVerb(), {"--latency", TempDir()}).code, ExitCode::kUsage);
  EXPECT_EQ(RunVerb(MakeDoctorVerb(), {"--latency", "--seconds", "0"}).code, ExitCode::kUsage);
}

}  // namespace
}  // namespace tools
