// A journal that was recorded, snapshotted and pruned, and what every verb makes of it afterwards.

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verb.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/testing/trading_day.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr size_t kSteps = 40'000;
constexpr char kDay[] = "pruned_day";

std::string PathOf(const std::string& name) { return testing::TempDir() + "/" + name; }

std::vector<std::string> Segments(const std::string& path) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename();
    if (name.starts_with("segment-")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

void ZeroPage(const std::string& path, uint64_t page) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  ASSERT_TRUE(file.seekp(static_cast<std::streamoff>(page * 4096)) << std::string(4096, '\0'));
}

TradingDay::Options InSmallSegments(const std::string& name) {
  return {.path = PathOf(name), .segment_bytes = 128 << 10, .block_records = 256};
}

VerbResult Snapshot(const std::string& path, const std::string& position) {
  return RunVerb(MakeSnapshotVerb(), {"make", path, position});
}

VerbResult Prune(const std::string& path) { return RunVerb(MakePruneVerb(), {path, "--apply"}); }

// The rest of the line of `output` from `word` on.
std::string LineFrom(const std::string& output, const std::string& word) {
  const size_t at = output.find(word);
  if (at == std::string::npos) return absl::StrCat("no '", word, "' in ", output);
  return output.substr(at, output.find('\n', at) - at);
}

// Traded, and as it was before anything was deleted.
const std::string& WholeJournal() {
  static const std::string path = [] {
    TradingDay day(InSmallSegments(kDay));
    day.Open();
    day.Trade(kSteps);
    day.Close();
    return PathOf(kDay);
  }();
  return path;
}

std::string CopyOf(const std::string& path, const std::string& name) {
  fs::copy(path, PathOf(name), fs::copy_options::recursive);
  return PathOf(name);
}

// With snapshots at 16384 and 20480, and nothing in front of them.
const std::string& PrunedJournal() {
  static const std::string path = [] {
    const std::string copy = CopyOf(WholeJournal(), "pruned");
    EXPECT_EQ(Snapshot(copy, "@16384").code, ExitCode::kOk);
    EXPECT_EQ(Snapshot(copy, "@20480").code, ExitCode::kOk);
    EXPECT_EQ(Prune(copy).code, ExitCode::kOk);
    return copy;
  }();
  return path;
}

// Not EXPECT_EQ: a difference of some megabytes would be printed whole.
void ExpectSame(const std::string& output, const std::string& expected) {
  const auto [a, b] = std::mismatch(output.begin(), output.end(), expected.begin(), expected.end());
  if (a == output.end() && b == expected.end()) return;
  const size_t from = output.rfind('\n', static_cast<size_t>(a - output.begin())) + 1;
  ADD_FAILURE() << output.substr(from, 200) << "\nexpected:\n" << expected.substr(from, 200);
}

uint64_t FirstOf(const std::string& path) {
  const std::string info = RunVerb(MakeInfoVerb(), {path, "--json"}).output;
  const std::string key = R"("first_sequence":)";
  return std::stoull(info.substr(info.find(key) + key.size()));
}

TEST(Prune, DeletesNothingThatTheSecondNewestSnapshotOrAHoldNeeds) {
  const std::string path = CopyOf(WholeJournal(), "prune_steps");
  const std::vector<std::string> all = Segments(path);
  ASSERT_GE(all.size(), 5u);
  ASSERT_EQ(Snapshot(path, "@16384").code, ExitCode::kOk);
  Prune(path);
  EXPECT_EQ(Segments(path), all) << "one snapshot is none to fall back on";
  ASSERT_EQ(Snapshot(path, "@20480").code, ExitCode::kOk);
  ASSERT_EQ(RunVerb(MakeHoldVerb(), {"add", path, "audit", "@2"}).code, ExitCode::kOk);
  EXPECT_THAT(Prune(path).output, HasSubstr("hold 'audit' at 2"));
  EXPECT_EQ(Segments(path), all);
  ASSERT_EQ(RunVerb(MakeHoldVerb(), {"remove", path, "audit"}).code, ExitCode::kOk);
  EXPECT_THAT(RunVerb(MakePruneVerb(), {path}).output, HasSubstr("would delete"));
  EXPECT_EQ(Segments(path), all) << "without --apply";
  EXPECT_THAT(Prune(path).output, HasSubstr("second-newest eligible snapshot, at 16384"));
  const std::vector<std::string> kept = Segments(path);
  EXPECT_LT(kept.size(), all.size());
  EXPECT_TRUE(std::equal(kept.rbegin(), kept.rend(), all.rbegin())) << "the oldest go";
  EXPECT_LE(FirstOf(path), 16385u);
}

// What goes may be the last thing from which the rest could be mended.
TEST(Prune, DeletesNothingWhereWhatWouldStayIsDamaged) {
  const std::string path = CopyOf(WholeJournal(), "prune_damaged");
  ASSERT_EQ(Snapshot(path, "@16384").code, ExitCode::kOk);
  ASSERT_EQ(Snapshot(path, "@20480").code, ExitCode::kOk);
  const std::string sound = RunVerb(MakePruneVerb(), {path}).output;
  EXPECT_THAT(sound, HasSubstr("would delete"));
  EXPECT_THAT(sound, HasSubstr("segments that stay: they are whole"));
  const std::vector<std::string> all = Segments(path);
  // Sealed, after the snapshots, and not where a writer looks.
  ZeroPage(absl::StrCat(path, "/", all[all.size() - 2]), 20);
  for (const VerbResult& result : {RunVerb(MakePruneVerb(), {path}), Prune(path)}) {
    EXPECT_EQ(result.code, ExitCode::kDamaged) << result.output;
    EXPECT_THAT(result.error, HasSubstr("DAMAGED in the kept segments, nothing is deleted"));
    EXPECT_EQ(result.output, "");
  }
  EXPECT_EQ(Segments(path), all);
}

TEST(Pruned, IsCleanAndSaysWhereItBegins) {
  const std::string& path = PrunedJournal();
  ASSERT_GT(FirstOf(path), 1u);
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {path, "--deep"});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.output << verified.error;
  const std::string whole = RunVerb(MakeVerifyVerb(), {WholeJournal(), "--deep"}).output;
  EXPECT_EQ(LineFrom(verified.output, "log digest").substr(0, 49),
            LineFrom(whole, "log digest").substr(0, 49));
  const std::string from = absl::StrCat("@", FirstOf(path), "..");
  EXPECT_THAT(RunVerb(MakeInfoVerb(), {path}).output, HasSubstr(from));
  EXPECT_EQ(RunVerb(MakeStatsVerb(), {path}).code, ExitCode::kOk);
}

TEST(Pruned, IsVerifiedByReplayFromItsOldestSnapshot) {
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {PrunedJournal(), "--replay"});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.output << verified.error;
  EXPECT_EQ(
      LineFrom(verified.output, "state digest"),
      LineFrom(RunVerb(MakeVerifyVerb(), {WholeJournal(), "--replay"}).output, "state digest"));
}

TEST(Pruned, IsReplayedFromASnapshotToTheSameDigests) {
  const VerbResult whole = RunVerb(MakeReplayVerb(), {WholeJournal()});
  ASSERT_EQ(whole.code, ExitCode::kOk) << whole.error;
  for (const char* engine : {"fast", "reference"}) {
    const VerbResult replayed =
        RunVerb(MakeReplayVerb(), {PrunedJournal(), "--from-snapshot", "--engine", engine});
    EXPECT_EQ(replayed.code, ExitCode::kOk) << replayed.error;
    for (const char* digest : {"log digest", "trace digest", "state digest"}) {
      EXPECT_EQ(LineFrom(replayed.output, digest), LineFrom(whole.output, digest));
    }
  }
}

TEST(Pruned, IsFollowedFromWhereItBegins) {
  const std::string& path = PrunedJournal();
  const VerbResult followed = RunVerb(MakeReplayVerb(), {path, "--follow", "--until-closed"});
  EXPECT_EQ(followed.code, ExitCode::kOk) << followed.error;
  EXPECT_THAT(followed.output, HasSubstr("state digest"));
  ExpectSame(RunVerb(MakeCatVerb(), {path, "--follow", "--until-closed"}).output,
             RunVerb(MakeCatVerb(), {path}).output);
}

TEST(Pruned, IsPrintedAndExportedFromWhereItBegins) {
  const std::string& path = PrunedJournal();
  const VerbResult cat = RunVerb(MakeCatVerb(), {path});
  EXPECT_TRUE(cat.output.starts_with(absl::StrCat(FirstOf(path), " ")));
  EXPECT_EQ(cat.output.find("market=#"), std::string::npos)
      << "it knows the markets by their names";
  const std::string range = absl::StrCat("@", FirstOf(path), "..");
  ExpectSame(cat.output, RunVerb(MakeCatVerb(), {WholeJournal(), range}).output);
  ExpectSame(RunVerb(MakeExportVerb(), {path}).output,
             RunVerb(MakeExportVerb(), {WholeJournal(), range}).output);
  const VerbResult events = RunVerb(MakeExportVerb(), {path, "@20000..@20005", "--what", "events"});
  EXPECT_EQ(events.code, ExitCode::kOk) << events.error;
  EXPECT_EQ(
      events.output,
      RunVerb(MakeExportVerb(), {WholeJournal(), "@20000..@20005", "--what", "events"}).output);
}

TEST(Pruned, DeletedRecordsAreReportedAsDeleted) {
  const std::string& path = PrunedJournal();
  const auto about = [&](const VerbResult& result) {
    EXPECT_NE(result.code, ExitCode::kOk);
    EXPECT_THAT(result.error, HasSubstr(absl::StrCat(FirstOf(path)))) << "where it begins";
  };
  about(RunVerb(MakeCatVerb(), {path, "@1..@10"}));
  about(RunVerb(MakeInspectVerb(), {path, "@10"}));
  about(RunVerb(MakeReplayVerb(), {path, "--to", "@10"}));
  const std::string bare = CopyOf(path, "pruned_without_snapshots");
  fs::remove_all(bare + "/snapshots");
  about(RunVerb(MakeReplayVerb(), {bare}));
  about(RunVerb(MakeInspectVerb(), {bare}));
  about(RunVerb(MakeVerifyVerb(), {bare, "--replay"}));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {bare}).code, ExitCode::kOk);
  EXPECT_EQ(RunVerb(MakeCatVerb(), {bare}).code, ExitCode::kOk);
}

TEST(Pruned, IsInspectedLikeTheWholeOne) {
  for (const char* position : {"@16385", "@20000", "@-1"}) {
    const VerbResult pruned = RunVerb(MakeInspectVerb(), {PrunedJournal(), position});
    EXPECT_EQ(pruned.code, ExitCode::kOk) << pruned.error;
    const std::string whole = RunVerb(MakeInspectVerb(), {WholeJournal(), position}).output;
    EXPECT_EQ(pruned.output.substr(pruned.output.find('\n')), whole.substr(whole.find('\n')));
  }
}

// The day's first session, and what is left of its journal afterwards.
void TradeAndPrune(TradingDay& day, const std::string& path) {
  day.Open();
  day.Trade(kSteps);
  day.Close();
  ASSERT_EQ(Snapshot(path, "@16384").code, ExitCode::kOk);
  ASSERT_EQ(Snapshot(path, "@20480").code, ExitCode::kOk);
  ASSERT_EQ(Prune(path).code, ExitCode::kOk);
  ASSERT_GT(FirstOf(path), 1u);
}

TEST(Pruned, WithDamagedKeptRowsSaysHowManyOrdersItCannotName) {
  const TradingDay::Options options = InSmallSegments("pruned_and_damaged");
  TradingDay day(options);
  TradeAndPrune(day, options.path);
  const std::string kept = options.path + "/kept.rows";
  ASSERT_GT(fs::file_size(kept), 40u + 10 * 64) << "some orders rest";
  std::fstream(kept, std::ios::in | std::ios::out | std::ios::binary).seekp(100) << "damage";
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {options.path, "--deep"}).code, ExitCode::kOk);
  EXPECT_THAT(day.Open(), AllOf(HasSubstr("kept.rows is damaged"),
                                HasSubstr("this session does not know their ids")));
  day.Trade(10'000);
  day.Close();
  ASSERT_EQ(Snapshot(options.path, "@28672").code, ExitCode::kOk);
  ASSERT_EQ(Snapshot(options.path, "").code, ExitCode::kOk);
  const VerbResult pruned = Prune(options.path);
  EXPECT_EQ(pruned.code, ExitCode::kOk) << "damage there is no reason to keep everything";
  EXPECT_THAT(pruned.error, HasSubstr("kept.rows is damaged"));
  EXPECT_EQ(day.Open().find("kept.rows is damaged"), std::string::npos) << "it was rewritten";
}

TEST(Pruned, IsGoneOnWithAndSnapshottedAndPrunedAgain) {
  const TradingDay::Options options = InSmallSegments("pruned_and_resumed");
  TradingDay day(options);
  TradeAndPrune(day, options.path);
  const uint64_t first = FirstOf(options.path);

  // R2, and for the client: an id that is in use, a cancel, a fill of an order whose command is
  // gone.
  EXPECT_THAT(day.Open(), IsEmpty());
  TradingDay whole(InSmallSegments("never_stopped"));
  whole.Open();
  whole.Trade(kSteps);
  const std::string replies = whole.Trade(10'000);
  EXPECT_THAT(replies, AllOf(HasSubstr("FILL"), HasSubstr(" duplicate_id\n")));
  ExpectSame(day.Trade(10'000), replies);
  day.Close();
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {options.path, "--deep", "--replay"}).code, ExitCode::kOk);
  ASSERT_EQ(Snapshot(options.path, "").code, ExitCode::kOk);
  EXPECT_THAT(Prune(options.path).output, HasSubstr("second-newest eligible snapshot, at 20480"));
  EXPECT_GE(FirstOf(options.path), first);
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {options.path, "--deep", "--replay"});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.output << verified.error;
}

// Deleted, not pruned: everything that is there can be read, and no file says that it begins late.
// And it is not taken for complete by what reads up to its end.
TEST(LostBeginning, IsReportedByEveryReaderOfTheRest) {
  const std::string path = CopyOf(WholeJournal(), "lost_beginning");
  const std::vector<std::string> all = Segments(path);
  for (size_t i = 0; i < 3; ++i) fs::remove(absl::StrCat(path, "/", all[i]));
  const std::string warning = absl::StrCat(
      "is DAMAGED: its first segments are missing, and were not pruned; it begins at @",
      FirstOf(path), " instead of @1");
  const auto run = [](ExitCode code, std::unique_ptr<Verb> verb,
                      const std::vector<std::string>& words) {
    const VerbResult result = RunVerb(std::move(verb), words);
    EXPECT_EQ(static_cast<int>(result.code), static_cast<int>(code)) << result.error;
    return result.error;
  };
  const ExitCode ok = ExitCode::kOk;
  const ExitCode damaged = ExitCode::kDamaged;
  EXPECT_THAT(run(ok, MakeCatVerb(), {path, "--limit", "1"}), HasSubstr(warning));
  EXPECT_THAT(run(damaged, MakeCatVerb(), {path, "--follow", "--until-closed"}),
              HasSubstr(warning));
  EXPECT_THAT(run(damaged, MakeCatVerb(), {path}), HasSubstr(warning));
  EXPECT_THAT(run(damaged, MakeExportVerb(), {path, "-o", "-"}), HasSubstr(warning));
  EXPECT_THAT(run(damaged, MakeStatsVerb(), {path}), HasSubstr(warning));
  EXPECT_THAT(RunVerb(MakeCatVerb(), {PrunedJournal(), "--limit", "1"}).error, IsEmpty());
}

// A journal without its last files is a shorter one, and whole, except for the snapshots that were
// taken of the records that are gone.
TEST(LostEnd, IsDamageAndNotGoneOnWithWhereASnapshotKnowsOfIt) {
  const std::string path = CopyOf(WholeJournal(), "lost_end");
  ASSERT_EQ(Snapshot(path, "@20480").code, ExitCode::kOk);
  const std::string sound = RunVerb(MakeSnapshotVerb(), {"list", path}).output;
  EXPECT_THAT(sound, Not(HasSubstr("after the journal's end")));
  EXPECT_EQ(RunVerb(MakeVerifyVerb(), {path}).code, ExitCode::kOk);
  const std::vector<std::string> all = Segments(path);
  for (size_t i = all.size() / 2; i < all.size(); ++i) fs::remove(absl::StrCat(path, "/", all[i]));

  EXPECT_THAT(RunVerb(MakeSnapshotVerb(), {"list", path}).output,
              HasSubstr("proven, after the journal's end"));
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {path});
  EXPECT_EQ(verified.code, ExitCode::kDamaged);
  EXPECT_THAT(verified.output, AllOf(HasSubstr("DAMAGED"), HasSubstr("the snapshot at 20480 says"),
                                     HasSubstr("its last segments are missing")));
  const std::string sidecar = absl::StrCat(path, "/checkpoints.trace");
  const auto sidecar_bytes = fs::file_size(sidecar);
  const std::vector<std::string> left = Segments(path);
  const VerbResult resumed = RunVerb(MakeShellVerb(), {"-o", path});
  EXPECT_EQ(resumed.code, ExitCode::kDamaged);
  EXPECT_THAT(resumed.error,
              AllOf(HasSubstr("the snapshot at 20480 was taken of durable records"),
                    HasSubstr("to go on without these records, move the snapshots after")));
  EXPECT_EQ(Segments(path), left) << "nothing was begun";
  EXPECT_EQ(fs::file_size(sidecar), sidecar_bytes) << "and nothing dropped";

  fs::rename(absl::StrCat(path, "/snapshots"), absl::StrCat(path, "/set_aside"));
  const VerbResult known = RunVerb(MakeVerifyVerb(), {path});
  EXPECT_EQ(known.code, ExitCode::kOk);
  EXPECT_THAT(known.output, HasSubstr("warning          "));
  EXPECT_THAT(known.output, HasSubstr("the sidecar has a checkpoint at "));
  EXPECT_EQ(RunVerb(MakeShellVerb(), {"-o", path}).code, ExitCode::kOk);
}

}  // namespace
}  // namespace tools
