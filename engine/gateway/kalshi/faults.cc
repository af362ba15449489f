#include "engine/gateway/kalshi/faults.h"

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/wire/kalshi/errors.h"

namespace engine {
namespace {

namespace errors = kalshi::errors;

constexpr int64_t kMilli = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;

constexpr auto kFaults = std::to_array<KalshiFaultInfo>({
    {KalshiFault::kInjectDelay, "inject_delay", "ms=250&count=10",
     "the next replies wait before they leave"},
    {KalshiFault::kSlowFrames, "slow_frames", "ms=500&seconds=10",
     "what WebSocket sessions are sent waits"},
    {KalshiFault::kDropConnection, "drop_connection", "count=1&kind=websocket&seed=1",
     "connections end silently; kind: websocket, http or all; without a seed the first"},
    {KalshiFault::kHalfOpen, "half_open", "count=1&kind=websocket",
     "connections stay open, and neither hear nor say anything"},
    {KalshiFault::kInjectSeqGap, "inject_seq_gap", "count=1&mode=skip",
     "numbered frames are left out, sent twice or after the next; mode: skip, repeat or reorder"},
    {KalshiFault::kRateLimitBurst, "rate_limit_burst", "count=20",
     "the next requests are answered with 429"},
    {KalshiFault::kServerErrors, "server_errors", "status=503&seconds=5",
     "all requests are answered with 500 or 503"},
    {KalshiFault::kStaleReads, "stale_reads", "seconds=5",
     "a read that is repeated has its first answer again, for a while"},
    {KalshiFault::kClockSkew, "clock_skew", "ms=-30000",
     "the venue's clock is wrong by so much, for signatures and reads"},
    {KalshiFault::kPartialFillRate, "partial_fill_rate", "percent=10",
     "the venue's agents show so much of their size; 100 ends it"},
    {KalshiFault::kPauseExchange, "pause_exchange", "",
     "trading pauses: orders can be cancelled, and no more"},
    {KalshiFault::kHaltExchange, "halt_exchange", "",
     "the exchange pauses: every change is answered with 503, reads go on"},
    {KalshiFault::kResumeExchange, "resume_exchange", "", "ends both pauses"},
    {KalshiFault::kCloseMarket, "close_market", "ticker=KXRAIN-26DEC31-NYC",
     "the market closes, also with orders on their way"},
    {KalshiFault::kClear, "clear", "", "ends all faults of requests, replies, frames and clocks"},
});

}  // namespace

std::span<const KalshiFaultInfo> KalshiFaultList() { return kFaults; }

absl::StatusOr<KalshiFaultInfo> FindKalshiFault(absl::string_view name) {
  const auto* const found = std::ranges::find(kFaults, name, &KalshiFaultInfo::name);
  if (found != kFaults.end()) return *found;
  return absl::NotFoundError(
      absl::StrCat("expected one of ",
                   absl::StrJoin(kFaults, ", ", [](std::string* out, const KalshiFaultInfo& info) {
                     absl::StrAppend(out, info.name);
                   })));
}

absl::StatusOr<int64_t> KalshiFaultNumber(const kalshi::QueryString& parameters,
                                          absl::string_view name, int64_t low, int64_t high) {
  int64_t value = 0;
  const absl::string_view text = parameters.First(name).value_or("");
  if (ParseInteger(text, value) && low <= value && value <= high) return value;
  return absl::InvalidArgumentError(
      absl::StrCat(name, ": expected a whole number from ", low, " to ", high));
}

absl::Status KalshiFaults::Begin(KalshiFault fault, const kalshi::QueryString& parameters,
                                 SteadyTime now) {
  const auto number = [&](absl::string_view name, int64_t low, int64_t high) {
    return KalshiFaultNumber(parameters, name, low, high);
  };
  switch (fault) {
    case KalshiFault::kInjectDelay: {
      ASSIGN_OR_RETURN(const int64_t millis, number("ms", 0, kMillisMax));
      ASSIGN_OR_RETURN(delayed_, number("count", 0, kCountMax));
      delay_nanos_ = millis * kMilli;
      break;
    }
    case KalshiFault::kSlowFrames: {
      ASSIGN_OR_RETURN(const int64_t millis, number("ms", 0, kMillisMax));
      ASSIGN_OR_RETURN(const int64_t seconds, number("seconds", 0, kSecondsMax));
      frame_delay_nanos_ = millis * kMilli;
      slow_until_ = now + seconds * kSecond;
      break;
    }
    case KalshiFault::kInjectSeqGap:
      return BeginGaps(parameters);
    case KalshiFault::kRateLimitBurst: {
      ASSIGN_OR_RETURN(refused_, number("count", 0, kCountMax));
      break;
    }
    case KalshiFault::kServerErrors:
      return BeginErrors(parameters, now);
    case KalshiFault::kStaleReads: {
      ASSIGN_OR_RETURN(const int64_t seconds, number("seconds", 0, kSecondsMax));
      stale_until_ = now + seconds * kSecond;
      stale_.clear();
      break;
    }
    case KalshiFault::kClockSkew: {
      ASSIGN_OR_RETURN(const int64_t millis, number("ms", -kMillisMax, kMillisMax));
      skew_nanos_ = millis * kMilli;
      break;
    }
    case KalshiFault::kClear:
      *this = KalshiFaults();
      break;
    default:
      break;  // Of sessions or the exchange.
  }
  return absl::OkStatus();
}

absl::Status KalshiFaults::BeginErrors(const kalshi::QueryString& parameters, SteadyTime now) {
  ASSIGN_OR_RETURN(const int64_t status, KalshiFaultNumber(parameters, "status", 500, 503));
  if (status != 500 && status != 503) {
    return absl::InvalidArgumentError("status: expected 500 or 503");
  }
  ASSIGN_OR_RETURN(const int64_t seconds, KalshiFaultNumber(parameters, "seconds", 0, kSecondsMax));
  error_status_ = static_cast<int>(status);
  errors_until_ = now + seconds * kSecond;
  return absl::OkStatus();
}

absl::Status KalshiFaults::BeginGaps(const kalshi::QueryString& parameters) {
  const absl::string_view mode = parameters.First("mode").value_or("skip");
  if (mode != "skip" && mode != "repeat" && mode != "reorder") {
    return absl::InvalidArgumentError("mode: expected skip, repeat or reorder");
  }
  ASSIGN_OR_RETURN(frames_, KalshiFaultNumber(parameters, "count", 0, kCountMax));
  const FrameAction other =
      mode == "repeat" ? FrameAction::kSendTwice : FrameAction::kSendAfterNext;
  frame_action_ = mode == "skip" ? FrameAction::kDrop : other;
  return absl::OkStatus();
}

std::optional<KalshiReply> KalshiFaults::TakeRefusal(SteadyTime now) {
  if (refused_ > 0) {
    --refused_;
    return ReplyOf(kalshi::Error{errors::kTooManyRequests, {}});
  }
  if (now >= errors_until_) return std::nullopt;
  return ReplyOf(
      kalshi::Error{error_status_ == 500 ? errors::kInternal : errors::kUnavailable, {}});
}

SteadyTime KalshiFaults::TakeReplyTime(SteadyTime now) {
  if (delayed_ == 0) return now;
  --delayed_;
  return now + delay_nanos_;
}

SteadyTime KalshiFaults::FrameTime(SteadyTime now) const {
  return now < slow_until_ ? now + frame_delay_nanos_ : now;
}

KalshiFaults::FrameAction KalshiFaults::TakeFrameAction() {
  if (frames_ == 0) return FrameAction::kSend;
  --frames_;
  return frame_action_;
}

KalshiReply KalshiFaults::FirstOf(const std::string& target, KalshiReply reply) {
  const auto found = stale_.find(target);
  if (found != stale_.end()) return found->second;
  if (stale_.size() < kStaleMax) stale_.emplace(target, reply);
  return reply;
}

}  // namespace engine
