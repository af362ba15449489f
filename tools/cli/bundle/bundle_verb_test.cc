// ticktape bundle as a user meets it.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/subject_option.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/bundle/archive.h"
#include "tools/cli/bundle/bundle.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/write_log.h"

namespace tools {
namespace {

namespace fs = std::filesystem;

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class BundleVerbTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = absl::StrCat(testing::TempDir(), "/bundle_",
                           testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
    journal_ = folder_ + "/a.tape";
    bundle_ = folder_ + "/report.ticktape";
    const auto engine = OpenSubject("fast");
    const replay::Log log = replay::BusySession({.seed = 1, .length = 12'000});
    ASSERT_TRUE(WriteLog(journal_, log, "a test", engine->get()).ok());
  }

  static VerbResult Bundle(const std::vector<std::string>& words) {
    return RunVerb(MakeBundleVerb(), words);
  }
  VerbResult Make(const std::string& range, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {journal_, range, "-o", bundle_};
    words.insert(words.end(), more.begin(), more.end());
    return Bundle(words);
  }

  // The bundle again, its manifest and files changed by one who can compute hashes.
  template <typename Change>
  void Rewrite(Change change) const {
    const std::string opened = folder_ + "/rewritten";
    fs::create_directories(opened);
    auto manifest = UnpackBundle(bundle_, opened);
    ASSERT_TRUE(manifest.ok()) << manifest.status();
    change(*manifest);
    const std::string text = FormatManifest(*manifest);
    const auto archive = ArchiveWriter::Create(bundle_, /*replace=*/true, 0);
    ASSERT_TRUE(archive.ok());
    (*archive)->Begin(kManifestName, text.size());
    (*archive)->Write(engine::AsBytes(absl::string_view(text)));
    for (const BundledFile& file : manifest->files) {
      std::ifstream in(absl::StrCat(opened, "/", file.name), std::ios::binary);
      const std::string contents{std::istreambuf_iterator<char>(in), {}};
      (*archive)->Begin(file.name, contents.size());
      (*archive)->Write(engine::AsBytes(absl::string_view(contents)));
    }
    ASSERT_TRUE((*archive)->Finish().ok());
  }

  std::string folder_;
  std::string journal_;
  std::string bundle_;
};

TEST_F(BundleVerbTest, ARangeComesWithTheStateBeforeIt) {
  const VerbResult made = Make("9000..9500", {"--note", "lost priority"});
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_THAT(made.output, HasSubstr("3,808, @8193..@12000, after a snapshot at @8192"));
  EXPECT_THAT(made.output, HasSubstr("lost priority"));
  EXPECT_THAT(made.output, HasSubstr("9000..9500 of "));
  const VerbResult replayed = Bundle({"replay", bundle_});
  EXPECT_EQ(replayed.code, ExitCode::kOk) << replayed.output << replayed.error;
  EXPECT_THAT(replayed.output, StartsWith("EQUAL"));
  EXPECT_THAT(replayed.output, HasSubstr("the same at 1 checkpoint\n"));
}

TEST_F(BundleVerbTest, AllOfAJournalComesFromItsFirstRecord) {
  const VerbResult made = Make("..");
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_THAT(made.output, HasSubstr("12,000, @1..@12000, from the journal's first"));
  const VerbResult replayed = Bundle({"replay", bundle_});
  EXPECT_EQ(replayed.code, ExitCode::kOk) << replayed.output << replayed.error;
  EXPECT_THAT(replayed.output, HasSubstr("the same at all 3 checkpoints"));
}

TEST_F(BundleVerbTest, TheDigestsAreThoseOfTheWholeRun) {
  ASSERT_EQ(Make("11000..").code, ExitCode::kOk);
  const auto manifest = UnpackBundle(bundle_, "");
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->recorded, "equal");
  EXPECT_EQ(manifest->first.value(), 8193u);
  EXPECT_EQ(manifest->last.value(), 12'000u);
  EXPECT_EQ(manifest->results.marks.size(), 12'000u - 8192u);
}

TEST_F(BundleVerbTest, TheReferenceEngineDoesTheSameFromTheFirstRecord) {
  ASSERT_EQ(Make("1..700").code, ExitCode::kOk);
  const VerbResult replayed = Bundle({"replay", bundle_, "--engine", "reference"});
  EXPECT_EQ(replayed.code, ExitCode::kOk) << replayed.output << replayed.error;
  EXPECT_THAT(replayed.output, HasSubstr(", reference"));
}

TEST_F(BundleVerbTest, ABuildThatDivergesGetsThePlace) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  Rewrite([](BundleManifest& manifest) {
    manifest.results.checkpoints.back().trace->low ^= 1;
    manifest.results.marks[9000 - 8193] ^= 1;
  });
  const VerbResult replayed = Bundle({"replay", bundle_});
  EXPECT_EQ(replayed.code, ExitCode::kDifferent) << replayed.error;
  EXPECT_THAT(replayed.output, StartsWith("DIFFERENT"));
  EXPECT_THAT(replayed.output, HasSubstr("trace digest differs at 12000"));
  EXPECT_THAT(replayed.output, HasSubstr("@9000: its events are others"));
  EXPECT_THAT(Bundle({"replay", bundle_, "--json"}).output, HasSubstr("\"first_command\":9000"));
}

TEST_F(BundleVerbTest, ARecordedRunThatDidOtherwiseIsADifferenceToo) {
  fs::remove_all(journal_);
  const auto other = OpenSubject("tools/cli/compare/known_bad_engine taker_priced account=9");
  ASSERT_TRUE(other.ok()) << other.status();
  const replay::Log log = replay::BusySession({.seed = 1, .length = 12'000});
  ASSERT_TRUE(WriteLog(journal_, log, "a test", other->get()).ok());
  const VerbResult made = Make("..");
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_THAT(made.output, HasSubstr("recorded run     trace digest differs at 4096"));
  const VerbResult replayed = Bundle({"replay", bundle_});
  EXPECT_EQ(replayed.code, ExitCode::kDifferent) << replayed.error;
  EXPECT_THAT(replayed.output, StartsWith("DIFFERENT"));
  EXPECT_THAT(replayed.output, HasSubstr("optimised: trace digest differs at 4096"));
  EXPECT_THAT(replayed.output, HasSubstr("the same at all 3 checkpoints"));
}

TEST_F(BundleVerbTest, AFolderIsNoBundle) {
  const VerbResult result = Bundle({"replay", journal_});
  EXPECT_EQ(result.code, ExitCode::kUsage);
  EXPECT_THAT(result.error, HasSubstr("a.tape is a folder; expected a bundle, which is a file"));
}

TEST_F(BundleVerbTest, CheckpointsThatNoReplayReachesAreReported) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  Rewrite([](BundleManifest& manifest) {
    journal::Checkpoint early = manifest.results.checkpoints.front();
    early.sequence = manifest.first.Next();
    manifest.results.checkpoints.insert(manifest.results.checkpoints.begin(), early);
  });
  const VerbResult replayed = Bundle({"replay", bundle_});
  EXPECT_EQ(replayed.code, ExitCode::kDifferent) << replayed.error;
  EXPECT_THAT(replayed.output, HasSubstr("only 1 of 2 expected checkpoints were met"));
  EXPECT_THAT(Bundle({"replay", bundle_, "--json"}).output,
              HasSubstr("\"parts\":\"only 1 of 2 expected checkpoints were met\"}"));
}

TEST_F(BundleVerbTest, AManifestOfAnotherJournalIsRefused) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  Rewrite([](BundleManifest& manifest) { manifest.last = manifest.last.Next(); });
  const VerbResult replayed = Bundle({"replay", bundle_});
  EXPECT_EQ(replayed.code, ExitCode::kDamaged);
  EXPECT_THAT(replayed.error, HasSubstr("@8193..@12000; expected "));
}

TEST_F(BundleVerbTest, OpenedItIsAJournalLikeAnyOther) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  const std::string opened = folder_ + "/opened";
  const VerbResult result = Bundle({"open", bundle_, "-o", opened});
  ASSERT_EQ(result.code, ExitCode::kOk) << result.error;
  EXPECT_THAT(result.output, HasSubstr("ticktape inspect "));
  const VerbResult verified = RunVerb(MakeVerifyVerb(), {opened + "/journal"});
  EXPECT_EQ(verified.code, ExitCode::kOk) << verified.output << verified.error;
  EXPECT_THAT(verified.output, HasSubstr("CLEAN"));
  EXPECT_EQ(Bundle({"open", bundle_, "-o", opened}).code, ExitCode::kIo);
}

TEST_F(BundleVerbTest, ABundleOfABundleIsOneToo) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  const std::string opened = folder_ + "/opened";
  ASSERT_EQ(Bundle({"open", bundle_, "-o", opened}).code, ExitCode::kOk);
  const std::string again = folder_ + "/again.ticktape";
  const VerbResult made = Bundle({opened + "/journal", "9100..9200", "-o", again});
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_EQ(Bundle({"replay", again}).code, ExitCode::kOk);
}

TEST_F(BundleVerbTest, WithoutAReplayNothingIsExpected) {
  const VerbResult made = Make("9000..9500", {"--no-replay"});
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_THAT(made.output, HasSubstr("nothing: the engine was not driven"));
  EXPECT_EQ(Bundle({"replay", bundle_}).code, ExitCode::kOk);
}

TEST_F(BundleVerbTest, ADamagedBundleLeavesNothing) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  fs::resize_file(bundle_, fs::file_size(bundle_) / 2);
  const std::string opened = folder_ + "/opened";
  EXPECT_EQ(Bundle({"open", bundle_, "-o", opened}).code, ExitCode::kDamaged);
  EXPECT_FALSE(fs::exists(opened));
  EXPECT_FALSE(fs::exists(opened + ".partial"));
  EXPECT_EQ(Bundle({"replay", bundle_}).code, ExitCode::kDamaged);
  EXPECT_EQ(Bundle({"info", bundle_}).code, ExitCode::kDamaged);
}

TEST_F(BundleVerbTest, WhatAKilledRunLeftIsNamedAndKept) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  const std::string opened = folder_ + "/opened";
  fs::create_directories(opened + ".partial/journal");
  const VerbResult result = Bundle({"open", bundle_, "-o", opened});
  EXPECT_EQ(result.code, ExitCode::kIo);
  EXPECT_THAT(result.error, HasSubstr("opened.partial"));
  EXPECT_THAT(result.error, HasSubstr("was killed: then it can be deleted"));
  EXPECT_TRUE(fs::exists(opened + ".partial/journal"));
}

TEST_F(BundleVerbTest, NothingIsUnpackedThroughALink) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  const std::string victim = folder_ + "/victim";
  fs::create_directories(victim);
  for (const char* place : {"/opened", "/opened.partial"}) {
    const std::string link = folder_ + place;
    fs::create_directory_symlink(victim, link);
    EXPECT_EQ(Bundle({"open", bundle_, "-o", folder_ + "/opened"}).code, ExitCode::kIo) << place;
    EXPECT_TRUE(fs::is_symlink(link)) << place;
    EXPECT_TRUE(fs::is_empty(victim)) << place;
    fs::remove(link);
  }
  EXPECT_EQ(Bundle({"open", bundle_, "-o", folder_ + "/opened"}).code, ExitCode::kOk);
}

TEST_F(BundleVerbTest, WhatCannotBeMadeLeavesNothing) {
  fs::resize_file(journal_ + "/segment-000000.tape",
                  fs::file_size(journal_ + "/segment-000000.tape") / 2);
  EXPECT_NE(Make("11000..").code, ExitCode::kOk);
  EXPECT_FALSE(fs::exists(bundle_));
  EXPECT_FALSE(fs::exists(bundle_ + ".tmp"));
}

TEST_F(BundleVerbTest, WhatIsThereIsReplacedOnlyWhenAsked) {
  ASSERT_EQ(Make("1..10").code, ExitCode::kOk);
  const VerbResult again = Make("1..10");
  EXPECT_EQ(again.code, ExitCode::kIo);
  EXPECT_THAT(again.error, HasSubstr("is there already; --force replaces it"));
  EXPECT_EQ(Make("1..10", {"--force"}).code, ExitCode::kOk);
}

TEST_F(BundleVerbTest, AMissingWordIsNamed) {
  EXPECT_THAT(Bundle({}).error, HasSubstr("missing argument JOURNAL"));
  EXPECT_THAT(Bundle({journal_}).error, HasSubstr("where to?"));
  EXPECT_EQ(Bundle({journal_, "20000..", "-o", bundle_}).code, ExitCode::kUsage);
  EXPECT_FALSE(fs::exists(bundle_));
  EXPECT_THAT(Bundle({"info", bundle_, "more"}).error, HasSubstr("what is 'more'?"));
}

TEST_F(BundleVerbTest, ANoteTakesOneWord) {
  const VerbResult made =
      Bundle({"--note", "one", "--note", "two", journal_, "1..10", "-o", bundle_});
  ASSERT_EQ(made.code, ExitCode::kOk) << made.error;
  EXPECT_EQ(UnpackBundle(bundle_, "")->notes, (std::vector<std::string>{"one", "two"}));
}

TEST_F(BundleVerbTest, InfoTellsWhatIsInIt) {
  ASSERT_EQ(Make("9000..9500").code, ExitCode::kOk);
  const VerbResult info = Bundle({"info", bundle_});
  EXPECT_THAT(info.output, HasSubstr("journal/segment-000001.tape"));
  EXPECT_THAT(info.output, HasSubstr("journal/snapshots/00000000000000008192.snap"));
  EXPECT_THAT(info.output, HasSubstr("journal/checkpoints.trace"));
  EXPECT_THAT(info.output, Not(HasSubstr("/lock")));
  EXPECT_THAT(Bundle({"info", bundle_, "--json"}).output,
              StartsWith("{\"schema\":\"ticktape.bundle/1\",\"action\":\"info\""));
}

}  // namespace
}  // namespace tools
