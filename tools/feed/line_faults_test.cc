#include "tools/feed/line_faults.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

constexpr uint32_t kAlways = 1'000'000;

std::vector<std::string> Sent(LineFaults& line, size_t count) {
  std::vector<std::string> sent;
  const auto send = [&](engine::Bytes packet) { sent.emplace_back(engine::AsText(packet)); };
  for (size_t i = 1; i <= count; ++i) line.Take(engine::AsBytes(absl::StrCat(i)), send);
  line.Flush(send);
  return sent;
}

TEST(LineFaults, NoneLeaveAllAsItIs) {
  LineFaults line({});
  EXPECT_EQ(Sent(line, 3), (std::vector<std::string>{"1", "2", "3"}));
  EXPECT_EQ(line.counters().packets, 3u);
}

TEST(LineFaults, ALostLineSendsNothing) {
  LineFaults line({.lost = kAlways});
  EXPECT_TRUE(Sent(line, 100).empty());
  EXPECT_EQ(line.counters().lost, 100u);
}

TEST(LineFaults, EachIsRepeated) {
  LineFaults line({.repeated = kAlways});
  EXPECT_EQ(Sent(line, 2), (std::vector<std::string>{"1", "1", "2", "2"}));
}

TEST(LineFaults, APacketIsOvertakenByAFewAndNeverLost) {
  LineFaults line({.overtaken = 100'000, .seed = 7});
  const std::vector<std::string> sent = Sent(line, 1'000);
  ASSERT_EQ(sent.size(), 1'000u);
  EXPECT_GT(line.counters().overtaken, 50u);
  for (size_t i = 0; i < sent.size(); ++i) {
    const uint64_t number = std::stoull(sent[i]) - 1;
    EXPECT_LE(number, i + 1);
    EXPECT_LE(i, number + LineFaults::kOvertakersMax);
  }
}

TEST(LineFaults, ThePacketThatWaitsAtTheEndIsFlushed) {
  LineFaults line({.overtaken = kAlways});
  EXPECT_EQ(Sent(line, 1), std::vector<std::string>{"1"});
}

TEST(LineFaults, ARateIsMet) {
  LineFaults line({.lost = 10'000, .repeated = 20'000});
  Sent(line, 100'000);
  EXPECT_NEAR(static_cast<double>(line.counters().lost), 1'000, 150);
  EXPECT_NEAR(static_cast<double>(line.counters().repeated), 2'000, 200);
}

TEST(LineFaults, TheSeedDecides) {
  const auto sent = [](uint64_t seed) {
    LineFaults line({.lost = 100'000, .repeated = 100'000, .overtaken = 100'000, .seed = seed});
    return Sent(line, 1'000);
  };
  EXPECT_EQ(sent(1), sent(1));
  EXPECT_NE(sent(1), sent(2));
}

}  // namespace
}  // namespace tools
