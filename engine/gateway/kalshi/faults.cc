#include "engine/gateway/kalshi/faults.h"

#include <algorithm>
#include <array>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "engine/base/check.h"
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

// What a parameter's value is: one of `choices`, or any text, or a whole number.
struct Parameter {
  absl::string_view name;
  int64_t low = 0;
  int64_t high = 0;
  std::span<const absl::string_view> choices = {};
  absl::string_view text = {};  // What any text means.
  bool is_optional = false;
};

constexpr auto kKinds = std::to_array<absl::string_view>({"websocket", "http", "all"});
constexpr auto kModes = std::to_array<absl::string_view>({"skip", "repeat", "reorder"});
constexpr auto kStatuses = std::to_array<absl::string_view>({"500", "503"});

constexpr Parameter kMillis = {.name = "ms", .high = KalshiFaults::kMillisMax};
constexpr Parameter kCount = {.name = "count", .high = KalshiFaults::kCountMax};
constexpr Parameter kSeconds = {.name = "seconds", .high = KalshiFaults::kSecondsMax};

constexpr auto kOfDelay = std::to_array<Parameter>({kMillis, kCount});
constexpr auto kOfSlowFrames = std::to_array<Parameter>({kMillis, kSeconds});
constexpr auto kOfSessions = std::to_array<Parameter>(
    {kCount,
     {.name = "kind", .choices = kKinds, .is_optional = true},
     {.name = "seed", .high = KalshiFaults::kSeedMax, .is_optional = true}});
constexpr auto kOfGaps =
    std::to_array<Parameter>({kCount, {.name = "mode", .choices = kModes, .is_optional = true}});
constexpr auto kOfBurst = std::to_array<Parameter>({kCount});
constexpr auto kOfErrors =
    std::to_array<Parameter>({{.name = "status", .choices = kStatuses}, kSeconds});
constexpr auto kOfStaleReads = std::to_array<Parameter>({kSeconds});
constexpr auto kOfClock = std::to_array<Parameter>(
    {{.name = "ms", .low = -KalshiFaults::kMillisMax, .high = KalshiFaults::kMillisMax}});
constexpr auto kOfAgents = std::to_array<Parameter>({{.name = "percent", .low = 1, .high = 100}});
constexpr auto kOfMarket =
    std::to_array<Parameter>({{.name = "ticker", .text = "the ticker of a market"}});

std::span<const Parameter> ParametersOf(KalshiFault fault) {
  switch (fault) {
    case KalshiFault::kInjectDelay:
      return kOfDelay;
    case KalshiFault::kSlowFrames:
      return kOfSlowFrames;
    case KalshiFault::kDropConnection:
    case KalshiFault::kHalfOpen:
      return kOfSessions;
    case KalshiFault::kInjectSeqGap:
      return kOfGaps;
    case KalshiFault::kRateLimitBurst:
      return kOfBurst;
    case KalshiFault::kServerErrors:
      return kOfErrors;
    case KalshiFault::kStaleReads:
      return kOfStaleReads;
    case KalshiFault::kClockSkew:
      return kOfClock;
    case KalshiFault::kPartialFillRate:
      return kOfAgents;
    case KalshiFault::kCloseMarket:
      return kOfMarket;
    case KalshiFault::kPauseExchange:
    case KalshiFault::kHaltExchange:
    case KalshiFault::kResumeExchange:
    case KalshiFault::kClear:
      break;
  }
  return {};
}

// "a, b or c".
std::string AnyOf(std::span<const absl::string_view> words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    absl::StrAppend(&text, i == 0 ? "" : i + 1 == words.size() ? " or " : ", ", words[i]);
  }
  return text;
}

std::string Expected(const Parameter& parameter) {
  if (!parameter.text.empty()) return std::string(parameter.text);
  if (!parameter.choices.empty()) return AnyOf(parameter.choices);
  return absl::StrCat("a whole number from ", parameter.low, " to ", parameter.high);
}

bool Fits(const Parameter& parameter, absl::string_view value) {
  if (!parameter.text.empty()) return !value.empty();
  if (!parameter.choices.empty()) return std::ranges::count(parameter.choices, value) != 0;
  int64_t number = 0;
  return ParseInteger(value, number) && parameter.low <= number && number <= parameter.high;
}

// Each that is given is one of `known`, and is given once.
absl::Status CheckNames(std::span<const Parameter> known, const kalshi::QueryString& given) {
  for (const auto& [name, value] : given.parameters()) {
    if (std::ranges::find(known, name, &Parameter::name) == known.end()) {
      std::vector<absl::string_view> names;
      for (const Parameter& parameter : known) names.push_back(parameter.name);
      return absl::InvalidArgumentError(absl::StrCat("found the parameter '", name, "', expected ",
                                                     names.empty() ? "none" : AnyOf(names)));
    }
    if (given.First(name)->data() != value.data()) {
      return absl::InvalidArgumentError(absl::StrCat(name, ": expected once, found twice"));
    }
  }
  return absl::OkStatus();
}

// What QueryString leaves out, as Go does.
bool HasBroken(absl::string_view parameters, const kalshi::QueryString& given) {
  const std::vector<absl::string_view> all = absl::StrSplit(parameters, '&', absl::SkipEmpty());
  return all.size() != given.parameters().size();
}

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

bool TakesSeed(KalshiFault fault) {
  const std::span<const Parameter> known = ParametersOf(fault);
  return std::ranges::find(known, "seed", &Parameter::name) != known.end();
}

int64_t KalshiInjection::Number(absl::string_view name) const {
  int64_t value = 0;
  CHECK(ParseInteger(parameters.First(name).value_or(""), value)) << name;
  return value;
}

absl::StatusOr<KalshiInjection> ParseKalshiInjection(absl::string_view name,
                                                     absl::string_view parameters) {
  ASSIGN_OR_RETURN(const KalshiFaultInfo info, FindKalshiFault(name));
  if (parameters.size() > KalshiFaults::kParametersBytesMax) {
    return absl::InvalidArgumentError(absl::StrCat(
        "expected at most ", KalshiFaults::kParametersBytesMax, " bytes of parameters"));
  }
  KalshiInjection injection = {.fault = info.fault,
                               .parameters = kalshi::QueryString::Parse(parameters)};
  const kalshi::QueryString& given = injection.parameters;
  if (HasBroken(parameters, given)) {
    return absl::InvalidArgumentError(
        "expected parameters as NAME=VALUE, without semicolons and broken escapes");
  }
  const std::span<const Parameter> known = ParametersOf(info.fault);
  RETURN_IF_ERROR(CheckNames(known, given));
  for (const Parameter& parameter : known) {
    const std::optional<absl::string_view> value = given.First(parameter.name);
    if (!value.has_value() && parameter.is_optional) continue;
    if (!Fits(parameter, value.value_or(""))) {
      return absl::InvalidArgumentError(
          absl::StrCat(parameter.name, ": expected ", Expected(parameter)));
    }
  }
  return injection;
}

void KalshiFaults::Begin(const KalshiInjection& injection, SteadyTime now) {
  switch (injection.fault) {
    case KalshiFault::kInjectDelay:
      delayed_ = injection.Number("count");
      delay_nanos_ = injection.Number("ms") * kMilli;
      break;
    case KalshiFault::kSlowFrames:
      frame_delay_nanos_ = injection.Number("ms") * kMilli;
      slow_until_ = now + injection.Number("seconds") * kSecond;
      break;
    case KalshiFault::kInjectSeqGap: {
      const absl::string_view mode = injection.parameters.First("mode").value_or("skip");
      const FrameAction other =
          mode == "repeat" ? FrameAction::kSendTwice : FrameAction::kSendAfterNext;
      frame_action_ = mode == "skip" ? FrameAction::kDrop : other;
      frames_ = injection.Number("count");
      break;
    }
    case KalshiFault::kRateLimitBurst:
      refused_ = injection.Number("count");
      break;
    case KalshiFault::kServerErrors:
      error_status_ = static_cast<int>(injection.Number("status"));
      errors_until_ = now + injection.Number("seconds") * kSecond;
      break;
    case KalshiFault::kStaleReads:
      stale_until_ = now + injection.Number("seconds") * kSecond;
      stale_.clear();
      break;
    case KalshiFault::kClockSkew:
      skew_nanos_ = injection.Number("ms") * kMilli;
      break;
    case KalshiFault::kClear:
      *this = KalshiFaults();
      break;
    default:
      break;  // Of sessions or the exchange.
  }
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
