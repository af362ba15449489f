#include "tools/backtest/latency.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "replay/retime/latency_histogram.h"

namespace tools {
namespace {

using engine::Timestamp;

absl::StatusOr<std::string> NoFile(const std::string& path) { return absl::NotFoundError(path); }

int64_t Arrival(LatencyLine& line, int64_t sent) {
  return line.ArrivalOf(Timestamp::FromNanos(sent)).nanos();
}

TEST(Latency, IsAddedAndKeepsTheOrder) {
  LatencyLine line(*ParseLatency("250us", NoFile), 1);
  EXPECT_EQ(Arrival(line, 0), 250'000);
  EXPECT_EQ(Arrival(line, 1'000), 251'000);
}

TEST(Latency, IsDrawnFromTheSeedWithinItsRange) {
  LatencyLine a(*ParseLatency("1us+9us", NoFile), 7);
  LatencyLine b(*ParseLatency("1us+9us", NoFile), 7);
  int64_t last = 0;
  bool has_varied = false;
  for (int64_t sent = 0; sent < 100'000'000; sent += 100'000) {
    const int64_t arrived = Arrival(a, sent);
    EXPECT_EQ(Arrival(b, sent), arrived);
    EXPECT_GE(arrived, sent + 1'000);
    EXPECT_LE(arrived, sent + 10'000);
    EXPECT_GE(arrived, last);
    has_varied |= arrived - sent != 1'000;
    last = arrived;
  }
  EXPECT_TRUE(has_varied);
}

TEST(Latency, LaterMessagesDoNotOvertake) {
  LatencyLine line(*ParseLatency("1us,burst=5ms/1ms/1s", NoFile), 1);
  EXPECT_EQ(Arrival(line, 999'999), 5'000'000 + 999'999 + 1'000);
  // After the burst: it would arrive sooner by itself.
  EXPECT_EQ(Arrival(line, 1'000'000), 5'000'000 + 999'999 + 1'000);
  EXPECT_EQ(Arrival(line, 900'000'000), 900'001'000);
  EXPECT_EQ(Arrival(line, 1'000'000'000), 1'005'001'000);
}

TEST(Latency, IsDrawnFromAHistogram) {
  replay::LatencyHistogram histogram;
  for (int i = 0; i < 99; ++i) histogram.Record(100);
  histogram.Record(200);
  const std::string text = replay::EncodeHistogram(histogram) + "\n";
  const auto terms = ParseLatency("measured.hdr", [&](const std::string& path) {
    EXPECT_EQ(path, "measured.hdr");
    return absl::StatusOr<std::string>(text);
  });
  ASSERT_TRUE(terms.ok()) << terms.status();
  LatencyLine line(*terms, 3);
  int slow = 0;
  for (int64_t i = 0; i < 10'000; ++i) {
    const int64_t taken = Arrival(line, i * 1'000) - i * 1'000;
    ASSERT_TRUE(taken == 100 || taken == 200) << taken;
    slow += taken == 200 ? 1 : 0;
  }
  EXPECT_GT(slow, 20);
  EXPECT_LT(slow, 500);
}

TEST(Latency, MistakesSayWhatIsExpected) {
  const auto error = [](absl::string_view text) {
    return std::string(ParseLatency(text, NoFile).status().message());
  };
  EXPECT_EQ(error("no-such-file"), "no-such-file");
  for (const absl::string_view text :
       {"-1us", "2h", "1us+2h", "1us+x", "1us,burst=1ms", "1us,burst=1ms/2ms/x",
        "1us,burst=1ms/2s/1s", "1us,burst=1ms/0s/0s"}) {
    EXPECT_NE(error(text).find("'"), std::string::npos) << text << ": " << error(text);
  }
  const auto not_a_histogram =
      ParseLatency("file", [](const std::string&) { return absl::StatusOr<std::string>("?"); });
  EXPECT_TRUE(absl::IsInvalidArgument(not_a_histogram.status())) << not_a_histogram.status();
}

}  // namespace
}  // namespace tools
