// What holds for all verbs that make journals of journals.

#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/slice/testing/corrupt.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

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

// A process that creates `path` as soon as the temporary file of an output of that name is there.
pid_t TakeNameOnceBegun(const std::filesystem::path& path) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  const std::string prefix = absl::StrCat(".", path.filename().string(), ".");
  while (::getppid() != 1) {
    for (const auto& entry : std::filesystem::directory_iterator(path.parent_path())) {
      if (!entry.path().filename().string().starts_with(prefix)) continue;
      std::ofstream(path) << "taken meanwhile";
      ::_exit(0);
    }
  }
  ::_exit(1);
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
  // What is found out at the end leaves as little: the map's name is taken while it is written.
  std::filesystem::remove(map);
  const pid_t other_program = TakeNameOnceBegun(map);
  const VerbResult late =
      RunVerb(MakeCutVerb(), {WriteBusy("late", 12'000), "@3..", "-o", out, "--map", map});
  ::waitpid(other_program, nullptr, 0);
  EXPECT_NE(late.code, ExitCode::kOk);
  EXPECT_THAT(late.error, HasSubstr("unfinished.csv"));
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

}  // namespace
}  // namespace tools
