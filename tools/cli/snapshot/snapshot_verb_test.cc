// ticktape snapshot, and what goes on from one, as a user meets them.

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/storage/posix_storage.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

VerbResult Snapshot(std::vector<std::string> words) {
  return RunVerb(MakeSnapshotVerb(), std::move(words));
}

// Some 13,000 commands: orders that mostly trade, never cancelled.
std::string LongJournal(absl::string_view name, uint64_t segment_bytes = 1 << 20) {
  std::vector<std::string> commands = {SampleCommands().front()};
  for (int i = 0; i < 13'000; ++i) {
    commands.push_back(absl::StrFormat("%s market=AAPL price=%d.0000 quantity=%d account=%d",
                                       i % 3 == 0 ? "ask" : "bid", 300 + i * 7 % 9, 1 + i % 4,
                                       1 + i % 5));
  }
  return WriteSampleJournal(name, {.commands = commands,
                                   .block_records = 512,
                                   .created_by = "snapshot_verb_test",
                                   .segment_bytes = segment_bytes});
}

std::string FileAt(const std::string& journal, int sequence) {
  return absl::StrFormat("%s/snapshots/%020d.snap", journal, sequence);
}

void Damage(const std::string& path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(static_cast<std::streamoff>(std::filesystem::file_size(path) / 2));
  file << "damage";
}

TEST(SnapshotVerb, IsTakenListedVerifiedAndRestored) {
  const std::string path = LongJournal("snapshot_make");
  EXPECT_THAT(Snapshot({"list", path}).error, HasSubstr("has no snapshots"));
  const VerbResult made = Snapshot({"make", path, "@5000"});
  EXPECT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_THAT(made.output, HasSubstr("@4096"));
  EXPECT_THAT(made.output, HasSubstr("proven"));
  EXPECT_EQ(Snapshot({"make", path}).code, ExitCode::kOk);
  const VerbResult list = Snapshot({"list", path, "--json"});
  EXPECT_THAT(list.output, HasSubstr(R"("sequence":12288,"proven":true)"));
  EXPECT_THAT(list.output, HasSubstr(R"("sequence":4096,"proven":true)"));
  const VerbResult verified = Snapshot({"verify", path});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.error;
  EXPECT_THAT(verified.output, HasSubstr("restored, equal"));
  EXPECT_THAT(Snapshot({"restore", path, "@6000"}).output, HasSubstr("the snapshot at @4096"));
  EXPECT_THAT(Snapshot({"restore", path, "@17"}).output, HasSubstr("the first record"));
}

TEST(SnapshotVerb, ATooShortJournalHasNoPlaceForOne) {
  const VerbResult made = Snapshot({"make", WriteSampleJournal("snapshot_short")});
  EXPECT_EQ(made.code, ExitCode::kUsage);
  EXPECT_THAT(made.error, HasSubstr("multiples of 4096"));
}

TEST(SnapshotVerb, EventsOfALateRangeStartFromOne) {
  const std::string path = LongJournal("snapshot_events", 64 << 10);
  const auto events = [&](const char* range) {
    return RunVerb(MakeExportVerb(), {path, range, "--what", "events"});
  };
  const VerbResult all = events("@12300..");
  EXPECT_THAT(all.output, HasSubstr("AAPL"));
  ASSERT_EQ(Snapshot({"make", path, "@12288"}).code, ExitCode::kOk);
  {
    // A payload in the first segment, which only a replay from the first record needs.
    std::fstream file(path + "/segment-000000.tape",
                      std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(2 * 4096 + 200);
    file << "damage";
  }
  EXPECT_EQ(events("@1..@12300").code, ExitCode::kDamaged);
  const VerbResult late = events("@12300..");
  EXPECT_EQ(late.code, ExitCode::kOk) << late.error;
  EXPECT_EQ(late.output, all.output);
}

TEST(SnapshotVerb, ADamagedOneIsReportedAndPassedOver) {
  const std::string path = LongJournal("snapshot_damaged");
  ASSERT_EQ(Snapshot({"make", path, "@4096"}).code, ExitCode::kOk);
  ASSERT_EQ(Snapshot({"make", path, "@8192"}).code, ExitCode::kOk);
  Damage(FileAt(path, 8192));
  EXPECT_EQ(Snapshot({"verify", path}).code, ExitCode::kDamaged);
  EXPECT_EQ(Snapshot({"verify", path, "@4096"}).code, ExitCode::kOk);
  const VerbResult restored = Snapshot({"restore", path});
  EXPECT_THAT(restored.error, HasSubstr("warning: snapshot skipped"));
  EXPECT_THAT(restored.output, HasSubstr("the snapshot at @4096"));
}

TEST(SnapshotVerb, DiffSaysWhatDiffers) {
  const std::string path = LongJournal("snapshot_diff");
  ASSERT_EQ(Snapshot({"make", path, "@4096"}).code, ExitCode::kOk);
  ASSERT_EQ(Snapshot({"make", path, "@8192"}).code, ExitCode::kOk);
  const VerbResult diff = Snapshot({"diff", path, "@4096", "@8192"});
  EXPECT_EQ(diff.code, ExitCode::kDifferent) << diff.error;
  EXPECT_THAT(diff.output, HasSubstr("- log sequence=4096"));
  EXPECT_THAT(diff.output, HasSubstr("+ order "));
  EXPECT_EQ(Snapshot({"diff", path, "@4096", "@4096"}).code, ExitCode::kOk);
  EXPECT_EQ(Snapshot({"diff", path, "@1", "@4096"}).code, ExitCode::kUsage);
}

TEST(SnapshotVerb, FollowTakesThemWhereTheyAreDueAndKeepsTheNewest) {
  const std::string path = LongJournal("snapshot_follow");
  const VerbResult followed = Snapshot(
      {"follow", path, "--every-records", "4096", "--keep", "2", "--until-closed", "--json"});
  EXPECT_EQ(followed.code, ExitCode::kOk) << followed.error;
  EXPECT_THAT(followed.output, HasSubstr(R"("sequence":4096)"));
  const VerbResult list = Snapshot({"list", path});
  EXPECT_THAT(list.output, HasSubstr("@12288"));
  EXPECT_THAT(list.output, HasSubstr("@8192"));
  EXPECT_THAT(list.output, Not(HasSubstr("@4096")));
  EXPECT_EQ(Snapshot({"follow", path, "--keep", "1"}).code, ExitCode::kUsage);
}

TEST(Replay, FromASnapshotEndsInTheSameDigests) {
  const std::string path = LongJournal("snapshot_replay");
  ASSERT_EQ(Snapshot({"make", path, "@8192"}).code, ExitCode::kOk);
  const VerbResult whole = RunVerb(MakeReplayVerb(), {path});
  const VerbResult tail = RunVerb(MakeReplayVerb(), {path, "--from-snapshot"});
  EXPECT_EQ(tail.code, ExitCode::kOk) << tail.error;
  EXPECT_THAT(tail.error, HasSubstr("from the snapshot at @8192"));
  const auto digests = [](const std::string& output) {
    return output.substr(output.find("log digest"));
  };
  const std::string a = digests(whole.output);
  EXPECT_EQ(a.substr(0, a.find("digests ")), digests(tail.output).substr(0, a.find("digests ")));
  const auto emit = [&](std::vector<std::string> words) {
    words.insert(words.begin(), path);
    words.insert(words.end(), {"--from", "@9000", "--emit", "-"});
    return RunVerb(MakeReplayVerb(), words).output;
  };
  EXPECT_EQ(emit({"--from-snapshot"}), emit({}));
}

TEST(Prune, CountsProvenSnapshotsThatAreWhole) {
  const std::string path = LongJournal("snapshot_prune");
  ASSERT_EQ(Snapshot({"make", path, "@4096"}).code, ExitCode::kOk);
  EXPECT_THAT(RunVerb(MakePruneVerb(), {path}).output, HasSubstr("1 eligible snapshots"));
  ASSERT_EQ(Snapshot({"make", path, "@8192"}).code, ExitCode::kOk);
  ASSERT_EQ(Snapshot({"make", path, "@12288"}).code, ExitCode::kOk);
  const auto directory =
      journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly).value();
  using engine::SequenceNumber;
  EXPECT_THAT(FindEligibleSnapshots(*directory).value(),
              ElementsAre(SequenceNumber(12288), SequenceNumber(8192), SequenceNumber(4096)));
  Damage(FileAt(path, 12288));
  EXPECT_THAT(FindEligibleSnapshots(*directory).value(),
              ElementsAre(SequenceNumber(8192), SequenceNumber(4096)));
}

}  // namespace
}  // namespace tools
