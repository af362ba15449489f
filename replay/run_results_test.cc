#include "replay/run_results.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "gtest/gtest.h"

namespace replay {
namespace {

journal::Checkpoint At(uint64_t sequence) {
  return {.sequence = engine::SequenceNumber(sequence),
          .log = engine::Digest{.low = 1, .high = 2},
          .trace = engine::Digest{.low = 3, .high = 4},
          .state = engine::Digest{.low = 5, .high = 6}};
}

TEST(RunResultsText, ACheckpointIsReadBack) {
  std::vector<journal::Checkpoint> checkpoints;
  EXPECT_TRUE(ParseCheckpointText(CheckpointText(At(4096)), checkpoints));
  EXPECT_TRUE(ParseCheckpointText(CheckpointText(At(5000)), checkpoints));
  EXPECT_EQ(checkpoints, (std::vector{At(4096), At(5000)}));
}

TEST(RunResultsText, AMissingDigestIsZero) {
  journal::Checkpoint without_state = At(7);
  without_state.state.reset();
  std::vector<journal::Checkpoint> checkpoints;
  EXPECT_TRUE(ParseCheckpointText(CheckpointText(without_state), checkpoints));
  EXPECT_EQ(checkpoints.front().state, engine::Digest());
}

TEST(RunResultsText, MalformedAndEarlierCheckpointsAreRefused) {
  std::vector<journal::Checkpoint> checkpoints = {At(4096)};
  const std::string good = CheckpointText(At(4097));
  for (const std::string& text :
       {std::string(), CheckpointText(At(4096)), good.substr(0, good.size() - 1), "x" + good,
        good + " ", absl::StrCat("4097 ", std::string(32, 'g'), good.substr(37))}) {
    EXPECT_FALSE(ParseCheckpointText(text, checkpoints)) << text;
  }
  EXPECT_EQ(checkpoints.size(), 1u);
}

TEST(RunResultsText, MarksAreLinesOf64AndReadBack) {
  const std::vector<uint16_t> marks(65, 0x12ab);
  std::string text;
  AppendMarks(text, marks, [](size_t first) { return absl::StrCat("from ", first, " "); });
  std::string line;
  for (int i = 0; i < 64; ++i) line += "12ab";
  EXPECT_EQ(text, absl::StrCat("from 0 ", line, "\nfrom 64 12ab\n"));
  std::vector<uint16_t> read;
  EXPECT_TRUE(ParseMarks(line, read));
  EXPECT_TRUE(ParseMarks("12ab", read));
  EXPECT_EQ(read, marks);
}

TEST(RunResultsText, MalformedMarksAreRefused) {
  std::vector<uint16_t> marks;
  EXPECT_FALSE(ParseMarks("12a", marks));
  EXPECT_FALSE(ParseMarks("12ag", marks));
}

}  // namespace
}  // namespace replay
