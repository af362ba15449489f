// What a client calls its orders, in what was made of a pruned journal: the commands that made some
// of those that rest are deleted, and kept beside the segments.

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/testing/trading_day.h"
#include "tools/cli/record/text_conversation.h"
#include "tools/cli/slice/testing/journals.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A whole second, as what counts an account's orders by the second is not carried over.
constexpr char kSecond15[] = "@2020-01-30T09:30:15Z..";

// Traded, snapshotted at 8192 and 12288, and pruned.
const std::string& PrunedJournal() {
  static const std::string path = [] {
    const std::string made = At("pruned");
    TradingDay day({.path = made, .segment_bytes = 64 << 10, .block_records = 256});
    day.Open();
    day.Trade(25'000);
    day.Close();
    for (const char* position : {"@8192", "@12288"}) {
      CHECK(RunVerb(MakeSnapshotVerb(), {"make", made, position}).code == ExitCode::kOk);
    }
    CHECK(RunVerb(MakePruneVerb(), {made, "--apply"}).code == ExitCode::kOk);
    CHECK_GT(fs::file_size(made + "/kept.rows"), 40u + 10 * 64);
    return made;
  }();
  return path;
}

std::string CopyOfPruned(absl::string_view name) {
  fs::copy(PrunedJournal(), At(name), fs::copy_options::recursive);
  return At(name);
}

struct Result {
  std::string replies;
  std::string notes;
};

// A session that continues the journal and cancels every id that its client may have used.
absl::StatusOr<Result> CancelAll(const std::string& path) {
  Result result;
  Console console([](absl::string_view) {},
                  [&](absl::string_view text) { absl::StrAppend(&result.notes, text); },
                  Console::Options{});
  engine::ManualClock clock;
  clock.Set(*engine::Timestamp::Parse("2020-01-30T16:00:00Z"));
  auto conversation = TextConversation::Start({.recording = {.path = path,
                                                             .created_by = "a test",
                                                             .recorder = {},
                                                             .writer = {.reserve_bytes = 0},
                                                             .engine = {}},
                                               .resume = true,
                                               .account = engine::AccountId(1)},
                                              clock, console);
  RETURN_IF_ERROR(conversation.status());
  (*conversation)->ClearOutput();
  for (int id = 0; id < 3000; ++id) {
    CHECK_OK((*conversation)->Feed(engine::AsBytes(absl::StrCat("CANCEL ", id, "\n")), [] {}));
  }
  CHECK_OK((*conversation)->Settle());
  result.replies = std::string((*conversation)->output());
  CHECK_OK((*conversation)->Finish().status());
  return result;
}

// With all that the journal has.
const std::string& ExpectedReplies() {
  static const std::string replies = [] {
    const Result result = CancelAll(CopyOfPruned("expected")).value();
    EXPECT_THAT(result.notes, IsEmpty());
    EXPECT_THAT(result.replies, HasSubstr("CANCELLED"));
    return result.replies;
  }();
  return replies;
}

TEST(ClientIds, AreThoseOfTheWholeInWhatIsCut) {
  for (const std::string range : {kSecond15, "@2020-01-30T09:30:21Z.."}) {
    const std::string out = At("cut" + range);
    const VerbResult result = RunVerb(MakeCutVerb(), {PrunedJournal(), range, "-o", out});
    EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
    EXPECT_THAT(result.output, Not(HasSubstr("client ids")));
    EXPECT_TRUE(CancelAll(out)->replies == ExpectedReplies()) << range;
  }
}

TEST(ClientIds, ThatAreLostAreCounted) {
  const std::string path = CopyOfPruned("without_kept_rows");
  fs::remove(path + "/kept.rows");
  const VerbResult result = RunVerb(MakeCutVerb(), {path, kSecond15, "-o", At("nameless")});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.output, HasSubstr("not carried over the client ids of "));
  EXPECT_THAT(result.output, HasSubstr(" orders: the commands that made them are deleted"));
}

TEST(ClientIds, ThatAreDamagedAreLostWithAWarning) {
  const std::string path = CopyOfPruned("damaged");
  std::fstream(path + "/kept.rows", std::ios::in | std::ios::out | std::ios::binary).seekp(100)
      << "damage";
  const VerbResult result = RunVerb(MakeCutVerb(), {path, kSecond15, "-o", At("of_damaged")});
  EXPECT_EQ(result.code, ExitCode::kOk) << result.output << result.error;
  EXPECT_THAT(result.error, HasSubstr("kept.rows is damaged"));
  EXPECT_THAT(result.output, HasSubstr("not carried over the client ids of "));
}

// So it needs no kept rows either.
TEST(ClientIds, AreAskedForByNoSessionOfWhatIsSplitAndMergedAgain) {
  const std::string parts = At("parts");
  ASSERT_EQ(RunVerb(MakeSplitVerb(), {PrunedJournal(), "--every", "6000", "-o", parts}).code,
            ExitCode::kOk);
  std::vector<std::string> words;
  for (const auto& entry : fs::directory_iterator(parts)) words.push_back(entry.path());
  const std::string merged = At("merged");
  words.insert(words.end(), {"-o", merged});
  ASSERT_EQ(RunVerb(MakeMergeVerb(), words).code, ExitCode::kOk);
  fs::copy(PrunedJournal() + "/snapshots", merged + "/snapshots");
  const absl::StatusOr<Result> result = CancelAll(merged);
  EXPECT_TRUE(absl::IsFailedPrecondition(result.status())) << result.status();
  EXPECT_THAT(result.status().message(), HasSubstr("no writer can continue it"));
}

}  // namespace
}  // namespace tools
