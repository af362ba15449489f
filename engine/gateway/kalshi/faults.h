// Faults that a client of Kalshi's API must survive, and that no live exchange offers on request.
//
//   "inject_delay", "ms=250&count=10" ─► ParseKalshiInjection ─► Begin
//                                        └─► what is asked at each request, reply and frame
//
// The gateway does what concerns sessions and the exchange itself, such as drop_connection.

#ifndef ENGINE_GATEWAY_KALSHI_FAULTS_H_
#define ENGINE_GATEWAY_KALSHI_FAULTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/steady_time.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/kalshi/reply.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine {

enum class KalshiFault : uint8_t {
  kInjectDelay,
  kSlowFrames,
  kDropConnection,
  kHalfOpen,
  kInjectSeqGap,
  kRateLimitBurst,
  kServerErrors,
  kStaleReads,
  kClockSkew,
  kPartialFillRate,
  kPauseExchange,
  kHaltExchange,
  kResumeExchange,
  kCloseMarket,
  kClear,
};

struct KalshiFaultInfo {
  KalshiFault fault = {};
  absl::string_view name;
  absl::string_view parameters;  // As they are written, with examples of their values.
  absl::string_view summary;
};

// In the order of the enumeration.
std::span<const KalshiFaultInfo> KalshiFaultList();

// Errors: NOT_FOUND, with all names.
absl::StatusOr<KalshiFaultInfo> FindKalshiFault(absl::string_view name);

// Whether it chooses by its parameter `seed`, if that is given.
bool TakesSeed(KalshiFault fault);

// A fault with its parameters, which fit it. Only the venue knows whether there is such a market,
// or an agent.
struct KalshiInjection {
  KalshiFault fault = {};
  kalshi::QueryString parameters = {};

  // A whole number. REQUIRES: the fault has such a parameter, and it is given if it is optional.
  int64_t Number(absl::string_view name) const;
};

// `parameters`: as in "ms=250&count=10". Errors: NOT_FOUND as FindKalshiFault(); INVALID_ARGUMENT
// (a parameter that is missing, out of range, unknown, given twice, or broken), with what was
// expected.
absl::StatusOr<KalshiInjection> ParseKalshiInjection(absl::string_view name,
                                                     absl::string_view parameters);

// Not thread-safe: owned by the gateway. No fault is active at first.
class KalshiFaults {
 public:
  // Of faults that concern sessions, or what they last at most.
  static constexpr int64_t kCountMax = 1'000'000;
  static constexpr int64_t kMillisMax = 3'600'000;
  static constexpr int64_t kSecondsMax = 86'400;
  static constexpr int64_t kSeedMax = int64_t{1} << 53;
  static constexpr size_t kParametersBytesMax = 1'000;
  // Stale replies that are kept.
  static constexpr size_t kStaleMax = 1'000;

  // Begins a fault of requests, replies or frames; others do nothing.
  void Begin(const KalshiInjection& injection, SteadyTime now);

  // Of a request: the answer that it gets instead of its own.
  std::optional<KalshiReply> TakeRefusal(SteadyTime now);
  // When the reply to a request may leave; each call counts as a reply.
  SteadyTime TakeReplyTime(SteadyTime now);
  // When a frame that is sent now may leave.
  SteadyTime FrameTime(SteadyTime now) const;

  enum class FrameAction : uint8_t { kSend, kDrop, kSendTwice, kSendAfterNext };
  // What to do with a numbered frame; each call counts as one.
  FrameAction TakeFrameAction();

  // The time of day as the venue believes it.
  Timestamp TimeOfDay(Timestamp time) const {
    return Timestamp::FromNanos(time.nanos() + skew_nanos_);
  }

  bool HasStaleReads(SteadyTime now) const { return now < stale_until_; }
  // The first reply to the same read since the fault began: `reply` if it is the first.
  // REQUIRES: HasStaleReads().
  KalshiReply FirstOf(const std::string& target, KalshiReply reply);

 private:
  int64_t delayed_ = 0;  // Replies that are still to be delayed.
  int64_t delay_nanos_ = 0;
  int64_t frame_delay_nanos_ = 0;
  SteadyTime slow_until_;
  int64_t refused_ = 0;  // Requests that are still to be refused with 429.
  int error_status_ = 0;
  SteadyTime errors_until_;
  int64_t frames_ = 0;  // Numbered frames that still have the next action.
  FrameAction frame_action_ = FrameAction::kSend;
  int64_t skew_nanos_ = 0;
  SteadyTime stale_until_;
  absl::flat_hash_map<std::string, KalshiReply> stale_;  // By target.
};

}  // namespace engine

#endif  // ENGINE_GATEWAY_KALSHI_FAULTS_H_
