#include "engine/gateway/kalshi/faults.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Action = KalshiFaults::FrameAction;

constexpr int64_t kSecond = 1'000'000'000;
constexpr SteadyTime kNow = SteadyTime::FromNanos(50 * kSecond);

absl::Status Begin(KalshiFaults& faults, absl::string_view name, absl::string_view parameters) {
  const auto injection = ParseKalshiInjection(name, parameters);
  if (injection.ok()) faults.Begin(*injection, kNow);
  return injection.status();
}

TEST(KalshiFaults, WithoutAFaultNothingIsOtherwise) {
  KalshiFaults faults;
  EXPECT_FALSE(faults.TakeRefusal(kNow).has_value());
  EXPECT_EQ(faults.TakeReplyTime(kNow), kNow);
  EXPECT_EQ(faults.FrameTime(kNow), kNow);
  EXPECT_EQ(faults.TakeFrameAction(), Action::kSend);
  EXPECT_EQ(faults.TimeOfDay(Timestamp::FromNanos(7)), Timestamp::FromNanos(7));
  EXPECT_FALSE(faults.HasStaleReads(kNow));
}

TEST(KalshiFaults, EveryExampleOfTheListBegins) {
  for (const KalshiFaultInfo& info : KalshiFaultList()) {
    KalshiFaults faults;
    EXPECT_TRUE(Begin(faults, info.name, info.parameters).ok()) << info.name;
  }
}

TEST(KalshiFaults, TheNextRepliesWait) {
  KalshiFaults faults;
  ASSERT_TRUE(Begin(faults, "inject_delay", "ms=250&count=2").ok());
  EXPECT_EQ(faults.TakeReplyTime(kNow), kNow + kSecond / 4);
  EXPECT_EQ(faults.TakeReplyTime(kNow), kNow + kSecond / 4);
  EXPECT_EQ(faults.TakeReplyTime(kNow), kNow);
}

TEST(KalshiFaults, FramesAreSlowForAWhile) {
  KalshiFaults faults;
  ASSERT_TRUE(Begin(faults, "slow_frames", "ms=500&seconds=10").ok());
  EXPECT_EQ(faults.FrameTime(kNow), kNow + kSecond / 2);
  EXPECT_EQ(faults.FrameTime(kNow + 10 * kSecond), kNow + 10 * kSecond);
}

TEST(KalshiFaults, ABurstOf429EndsByCount) {
  KalshiFaults faults;
  ASSERT_TRUE(Begin(faults, "rate_limit_burst", "count=2").ok());
  EXPECT_EQ(faults.TakeRefusal(kNow)->status, 429);
  EXPECT_EQ(faults.TakeRefusal(kNow)->status, 429);
  EXPECT_FALSE(faults.TakeRefusal(kNow).has_value());
}

TEST(KalshiFaults, ErrorsOfTheServerEndByTime) {
  for (const int status : {500, 503}) {
    KalshiFaults faults;
    ASSERT_TRUE(Begin(faults, "server_errors", "seconds=5&status=" + std::to_string(status)).ok());
    EXPECT_EQ(faults.TakeRefusal(kNow + 4 * kSecond)->status, status);
    EXPECT_FALSE(faults.TakeRefusal(kNow + 5 * kSecond).has_value());
  }
}

TEST(KalshiFaults, NumberedFramesAreDroppedRepeatedAndPutLater) {
  const auto actions = [](absl::string_view parameters) {
    KalshiFaults faults;
    EXPECT_TRUE(Begin(faults, "inject_seq_gap", parameters).ok());
    return std::vector<Action>{faults.TakeFrameAction(), faults.TakeFrameAction()};
  };
  EXPECT_EQ(actions("count=1"), (std::vector<Action>{Action::kDrop, Action::kSend}));
  EXPECT_EQ(actions("count=1&mode=skip"), (std::vector<Action>{Action::kDrop, Action::kSend}));
  EXPECT_EQ(actions("count=2&mode=repeat"),
            (std::vector<Action>{Action::kSendTwice, Action::kSendTwice}));
  EXPECT_EQ(actions("count=1&mode=reorder"),
            (std::vector<Action>{Action::kSendAfterNext, Action::kSend}));
}

TEST(KalshiFaults, AStaleReadIsTheFirstOfItsWindow) {
  KalshiFaults faults;
  ASSERT_TRUE(Begin(faults, "stale_reads", "seconds=5").ok());
  EXPECT_EQ(faults.FirstOf("a", {.body = "first"}).body, "first");
  EXPECT_EQ(faults.FirstOf("a", {.body = "second"}).body, "first");
  EXPECT_EQ(faults.FirstOf("b", {.body = "other"}).body, "other");
  EXPECT_TRUE(faults.HasStaleReads(kNow + 4 * kSecond));
  EXPECT_FALSE(faults.HasStaleReads(kNow + 5 * kSecond));
  // Its memory is bounded.
  for (size_t i = 0; i < KalshiFaults::kStaleMax; ++i) faults.FirstOf(std::to_string(i), {});
  const std::string last = std::to_string(KalshiFaults::kStaleMax - 1);
  EXPECT_EQ(faults.FirstOf(last, {.body = "new"}).body, "new");
}

TEST(KalshiFaults, TheClockMayBeWrong) {
  KalshiFaults faults;
  ASSERT_TRUE(Begin(faults, "clock_skew", "ms=-30000").ok());
  EXPECT_EQ(faults.TimeOfDay(Timestamp::FromNanos(31 * kSecond)), Timestamp::FromNanos(kSecond));
}

TEST(KalshiFaults, ClearEndsAll) {
  KalshiFaults faults;
  ASSERT_TRUE(Begin(faults, "rate_limit_burst", "count=2").ok());
  ASSERT_TRUE(Begin(faults, "clock_skew", "ms=5").ok());
  ASSERT_TRUE(Begin(faults, "clear", "").ok());
  EXPECT_FALSE(faults.TakeRefusal(kNow).has_value());
  EXPECT_EQ(faults.TimeOfDay(Timestamp()), Timestamp());
}

TEST(KalshiInjection, MistakesSayWhatIsExpected) {
  const auto error = [](absl::string_view name, absl::string_view parameters) {
    const absl::Status status = ParseKalshiInjection(name, parameters).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
    return std::string(status.message());
  };
  EXPECT_EQ(error("inject_delay", "count=1"), "ms: expected a whole number from 0 to 3600000");
  EXPECT_EQ(error("inject_delay", "ms=3600001&count=1"),
            "ms: expected a whole number from 0 to 3600000");
  EXPECT_EQ(error("inject_delay", "ms=1&count=-1"),
            "count: expected a whole number from 0 to 1000000");
  EXPECT_EQ(error("server_errors", "status=501&seconds=1"), "status: expected 500 or 503");
  EXPECT_EQ(error("inject_seq_gap", "mode=lose&count=1"), "mode: expected skip, repeat or reorder");
  EXPECT_EQ(error("clock_skew", "ms=99999999999999999999"),
            "ms: expected a whole number from -3600000 to 3600000");
  EXPECT_EQ(error("half_open", "count=1&kind=some"), "kind: expected websocket, http or all");
  EXPECT_EQ(error("drop_connection", "count=1&seed=9007199254740993"),
            "seed: expected a whole number from 0 to 9007199254740992");
  EXPECT_EQ(error("partial_fill_rate", "percent=0"),
            "percent: expected a whole number from 1 to 100");
  EXPECT_EQ(error("close_market", "ticker="), "ticker: expected the ticker of a market");
  EXPECT_EQ(error("close_market", ""), "ticker: expected the ticker of a market");
  EXPECT_TRUE(absl::IsNotFound(ParseKalshiInjection("nonsense", "").status()));
}

TEST(KalshiInjection, FaultsOfConnectionsTakeASeed) {
  EXPECT_TRUE(TakesSeed(KalshiFault::kDropConnection));
  EXPECT_TRUE(TakesSeed(KalshiFault::kHalfOpen));
  EXPECT_FALSE(TakesSeed(KalshiFault::kRateLimitBurst));
  EXPECT_FALSE(TakesSeed(KalshiFault::kClear));
}

TEST(KalshiInjection, EveryParameterIsKnownAndGivenOnce) {
  const auto error = [](absl::string_view name, absl::string_view parameters) {
    return std::string(ParseKalshiInjection(name, parameters).status().message());
  };
  EXPECT_EQ(error("inject_delay", "ms=1&count=1&millis=1"),
            "found the parameter 'millis', expected ms or count");
  EXPECT_EQ(error("half_open", "=1"), "found the parameter '', expected count, kind or seed");
  EXPECT_EQ(error("clear", "count=1"), "found the parameter 'count', expected none");
  EXPECT_EQ(error("rate_limit_burst", "count=1&count=1"), "count: expected once, found twice");
  for (const absl::string_view broken : {"count=1&kind=http;all", "count=1&kind=%4"}) {
    EXPECT_EQ(error("half_open", broken),
              "expected parameters as NAME=VALUE, without semicolons and broken escapes");
  }
  const std::string longest = "ticker=" + std::string(KalshiFaults::kParametersBytesMax - 7, 'X');
  EXPECT_EQ(error("close_market", longest), "");
  EXPECT_EQ(error("close_market", longest + "X"), "expected at most 1000 bytes of parameters");
}

}  // namespace
}  // namespace engine
