// The test program corrupt, and what verify says about its output.

#include "tools/cli/slice/testing/corrupt.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/run_verb.h"
#include "tools/cli/testing/sample_journal.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

std::string ReadSegment(const std::string& path) {
  std::ifstream in(path + "/segment-000000.tape", std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class CorruptTest : public ::testing::Test {
 protected:
  // Returns the verdict that corrupt prints, which is the one that verify prints.
  static std::string Verdict(const std::string& path, std::vector<std::string> words) {
    static int count = 0;
    const std::string out = At(absl::StrCat("corrupt_out_", count++));
    words.insert(words.begin(), {path, "-o", out});
    const VerbResult result = RunVerb(MakeCorruptVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kOk) << result.error;
    words.push_back("--json");
    const VerbResult verified = RunVerb(MakeVerifyVerb(), {out, "--deep", "--json"});
    const std::string verdict = JsonValue(verified.output, "verdict");
    EXPECT_THAT(result.output, HasSubstr("verify says      " + verdict));
    return verdict;
  }
};

TEST_F(CorruptTest, LostPromisedBytesAreDamage) {
  const std::string path = WriteSampleJournal("corrupt_sealed");
  const std::string before = Cat(path);
  EXPECT_EQ(Verdict(path, {"--flip", "16480:3"}), "DAMAGED");
  EXPECT_EQ(Verdict(path, {"--zero", "16384..20479"}), "DAMAGED");
  EXPECT_EQ(Verdict(path, {"--swap-sectors", "4:5"}), "DAMAGED");
  EXPECT_EQ(Cat(path), before) << "the original is only read";
}

TEST_F(CorruptTest, AnUnacknowledgedTailIsTorn) {
  const std::string path = WriteSampleJournal(
      "corrupt_open", {.commands = SampleCommands(), .sealed = false, .synced = true});
  uint64_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(path)) {
    if (entry.path().extension() == ".tape") bytes = entry.file_size();
  }
  EXPECT_EQ(Verdict(path, {"--truncate", absl::StrCat(bytes - 2000)}), "TORN");
}

TEST_F(CorruptTest, AMissingSegmentIsDamage) {
  const std::string path = At("corrupt_segments");
  ASSERT_EQ(RunVerb(MakeRecordVerb(),
                    {"--from", "workload", "--commands", "20000", "--segment", "64K", "-o", path})
                .code,
            ExitCode::kOk);
  EXPECT_EQ(Verdict(path, {"--drop-segment", "1"}), "DAMAGED");
  EXPECT_EQ(Verdict(path, {"--flip", "5:0", "--segment", "0"}), "CLEAN") << "of two preambles";
}

TEST_F(CorruptTest, TheSameSeedIsTheSameDamage) {
  const std::string path = WriteBusy("corrupt_seed", 4000);
  for (int seed = 1; seed <= 20; ++seed) {
    const std::string text = absl::StrCat(seed);
    const VerbResult a =
        RunVerb(MakeCorruptVerb(), {path, "--seed", text, "-o", At("corrupt_a_" + text)});
    const VerbResult b =
        RunVerb(MakeCorruptVerb(), {path, "--seed", text, "-o", At("corrupt_b_" + text)});
    EXPECT_EQ(a.code, ExitCode::kOk) << a.error;
    EXPECT_EQ(a.output.substr(a.output.find('\n')), b.output.substr(b.output.find('\n')));
  }
}

TEST_F(CorruptTest, OnlyTheRequestedBytesAreDamaged) {
  const std::string path = WriteSampleJournal("corrupt_bytes");
  const std::string whole = ReadSegment(path);
  const auto damaged = [&](const std::string& option, const std::string& value) {
    const std::string copy = At(absl::StrCat("corrupt_bytes", option, value));
    EXPECT_EQ(RunVerb(MakeCorruptVerb(), {path, option, value, "-o", copy}).code, ExitCode::kOk);
    return ReadSegment(copy);
  };
  std::string flipped = whole;
  flipped[4100] ^= 1 << 5;
  EXPECT_EQ(damaged("--flip", "4100:5"), flipped);
  const size_t first = whole.find_first_not_of('\0');
  ASSERT_LT(first, 4096u);
  ASSERT_NE(whole[first + 1], '\0');
  std::string zeroed = whole;
  zeroed[first] = '\0';
  zeroed[first + 1] = '\0';
  EXPECT_EQ(damaged("--zero", absl::StrCat(first, "..", first + 1)), zeroed) << "both ends";
  EXPECT_EQ(damaged("--truncate", "5000"), whole.substr(0, 5000));
  EXPECT_EQ(damaged("--swap-sectors", "0:2"), whole.substr(8192, 4096) + whole.substr(4096, 4096) +
                                                  whole.substr(0, 4096) + whole.substr(12288));
  EXPECT_EQ(ReadSegment(path), whole);
}

TEST_F(CorruptTest, PlacesOutsideAreRefused) {
  const std::string path = WriteSampleJournal("corrupt_outside");
  const auto error = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {path, "-o", At("corrupt_never")});
    const VerbResult result = RunVerb(MakeCorruptVerb(), words);
    EXPECT_EQ(result.code, ExitCode::kUsage);
    EXPECT_FALSE(std::filesystem::exists(At("corrupt_never.partial")));
    return result.error;
  };
  EXPECT_THAT(error({"--flip", "99999999:1"}), HasSubstr("is outside: segment-000000.tape has"));
  EXPECT_THAT(error({"--flip", "12"}), HasSubstr("expected BYTE:BIT"));
  EXPECT_THAT(error({"--drop-segment", "4"}), HasSubstr("there is no segment 4; expected 0 to 0"));
  EXPECT_THAT(error({}), HasSubstr("what to damage?"));
}

}  // namespace
}  // namespace tools
