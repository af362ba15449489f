#include "tools/client/client.h"

#include <algorithm>
#include <array>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/wire/kalshi/numbers.h"
#include "tools/client/order_calls.h"

namespace client {
namespace {

using engine::Timestamp;
using strategy::ActionKind;
using strategy::ConnectionState;
using strategy::Input;
using strategy::InputKind;
using strategy::Refusal;

constexpr int64_t kMilli = 1'000'000;
constexpr int64_t kSecond = 1'000'000'000;

// Costs of requests, in tokens of Kalshi's: what is not listed there costs the default.
constexpr uint32_t kWriteCost = 10;
constexpr uint32_t kCancelCost = 2;
// What new orders leave for cancels.
constexpr uint32_t kCancelReserve = 10 * kCancelCost;

constexpr size_t kTickersOfOneQuestion = 50;
// Of a question that gets no sound answer; of lists that disagree; of reports of positions that
// fills cross.
constexpr int kAttemptsMax = 3;
constexpr int kListingsMax = 100;
constexpr int kCrossedReportsMax = 10;
constexpr int64_t kLongEnough = 5 * kSecond;  // A connection that lived so long was a good one.

struct QuestionInfo {
  CallKind kind;
  absl::string_view method;
  absl::string_view path;
};
constexpr std::array kQuestions = {
    QuestionInfo{CallKind::kLimits, "GET", "/trade-api/v2/account/limits"},
    QuestionInfo{CallKind::kMarkets, "GET", "/trade-api/v2/markets"},
    QuestionInfo{CallKind::kCancelAll, "DELETE", kOrdersPath},
    QuestionInfo{CallKind::kDataTime, "GET", "/trade-api/v2/exchange/user_data_timestamp"},
    QuestionInfo{CallKind::kOrders, "GET", "/trade-api/v2/portfolio/orders"},
    QuestionInfo{CallKind::kFills, "GET", "/trade-api/v2/portfolio/fills"},
    QuestionInfo{CallKind::kPositions, "GET", "/trade-api/v2/portfolio/positions"},
};

const QuestionInfo& InfoOf(CallKind kind) {
  return *std::ranges::find(kQuestions, kind, &QuestionInfo::kind);
}

Timestamp After(Timestamp time, int64_t nanos) {
  return Timestamp::FromNanos(time.nanos() + nanos);
}

// Kalshi's markets are binary, with prices of 10^-4 dollar and hundredths of a contract.
absl::StatusOr<engine::MarketDefinition> DefinitionOf(const engine::kalshi::ReadMarket& market,
                                                      engine::MarketId id) {
  engine::MarketDefinition definition{
      .id = id,
      .symbol = std::string(market.ticker),
      .price_decimals = 4,
      .quantity_decimals = 2,
      .kind = engine::MarketKind::kBinary,
      .fok_becomes_ioc = true,
      .post_only_change_cancels = true,
  };
  if (market.price_ranges.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("market ", market.ticker, " has no price_ranges"));
  }
  for (const auto& range : market.price_ranges) {
    definition.bands.push_back({.from = range.start, .tick = range.step});
  }
  definition.tick = definition.bands.front().tick;
  definition.price_min = definition.tick;
  const engine::Price last_step = definition.bands.back().tick;
  definition.price_max =
      engine::Price::FromUnits(engine::kalshi::kOneDollar.units() - last_step.units());
  if (definition.bands.size() == 1) definition.bands.clear();
  RETURN_IF_ERROR(Validate(definition));
  return definition;
}

}  // namespace

absl::string_view PhaseName(Phase phase) {
  static constexpr std::array<absl::string_view, 8> kNames = {
      "starting", "opening", "subscribing", "listing", "live", "waiting", "stopping", "over"};
  return kNames[static_cast<size_t>(phase)];
}

Client::Client(ClientTerms terms, ClientHost& host)
    : terms_(std::move(terms)),
      host_(host),
      tickers_(terms_.tickers),
      feed_(tickers_, *this),
      link_(terms_.run, tickers_, *this),
      positions_(tickers_.size()),
      backoff_(terms_.seed),
      is_defined_(tickers_.size(), false),
      is_settled_(tickers_.size(), false) {}

void Client::Begin(Timestamp now) {
  now_ = now;
  AskNext(CallKind::kLimits);
}

void Client::Stop(Timestamp now) {
  if (phase_ == Phase::kStopping || is_over()) return;
  now_ = now;
  if (live_since_ == Timestamp::Max()) {  // It has sent no order.
    phase_ = Phase::kOver;
    SetConnection(ConnectionState::kDown);
    host_.CloseFeed();
    return;
  }
  phase_ = Phase::kStopping;
  give_up_ = After(now, kStopNanos);
  needs_cancel_ = true;
  question_id_ = 0;
  wake_ = Timestamp::Max();
  SetConnection(ConnectionState::kDown);
  Advance();
}

void Client::OnReply(const CallReply& reply, Timestamp now) {
  if (is_over()) return;
  now_ = now;
  if ((reply.id & OrderLink::kCallBit) == 0) {
    if (reply.id == question_id_) OnAnswer(reply);
    return Advance();
  }
  const auto found = in_flight_.find(reply.id);
  if (found == in_flight_.end()) return;
  Call call = std::move(found->second);
  in_flight_.erase(found);
  if (reply.status == 429) {
    writes_.Drain(now);
    if (call.kind == CallKind::kCancel) {
      waiting_.push_front(std::move(call));
      return Advance();
    }
  }
  link_.OnReply(reply, now);
  Advance();
}

void Client::OnCallFailed(uint64_t id, absl::string_view why, bool may_have_arrived,
                          Timestamp now) {
  if (is_over()) return;
  now_ = now;
  ++counts_.calls_failed;
  if ((id & OrderLink::kCallBit) == 0) {
    if (id == question_id_) {
      const std::string text = absl::StrCat(InfoOf(question_).path, ": ", why);
      // A venue that was never reached has no orders of the run.
      if (phase_ == Phase::kStarting && ++attempts_ >= kAttemptsMax) {
        return Fail(absl::UnavailableError(text));
      }
      host_.Note(text);
      Pause(backoff_.NextNanos());
    }
    return Advance();
  }
  if (in_flight_.erase(id) != 0) link_.OnCallFailed(id, may_have_arrived, now);
  Advance();
}

void Client::OnFeedOpen(Timestamp now) {
  if (is_over()) return;
  now_ = now;
  if (phase_ != Phase::kOpening) return;
  phase_ = Phase::kSubscribing;
  feed_.Begin(now);
}

void Client::OnFrame(absl::string_view bytes, Timestamp now) {
  if (is_over()) return;
  now_ = now;
  if (const absl::Status status = feed_.OnFrame(bytes, now); !status.ok()) {
    return Disconnect(status.message());
  }
  Advance();
}

void Client::OnFeedClosed(absl::string_view why, Timestamp now) {
  if (is_over()) return;
  now_ = now;
  if (phase_ != Phase::kStarting && phase_ != Phase::kWaiting && !is_over()) Disconnect(why);
}

void Client::OnTime(Timestamp now) {
  if (is_over()) return;
  now_ = now;
  if (now >= give_up_ && phase_ == Phase::kStopping) {
    return Fail(absl::DeadlineExceededError(
        absl::StrCat("after ", kStopNanos / kSecond, " s ", link_.live_count(),
                     " orders may be left at the venue: 'ticktape cancel-orders' cancels all")));
  }
  link_.OnTime(now);
  if (const absl::Status status = feed_.OnTime(now); !status.ok()) Disconnect(status.message());
  if (now >= wake_) {
    wake_ = Timestamp::Max();
    if (phase_ == Phase::kWaiting) {
      question_id_ = 0;
      phase_ = Phase::kOpening;
      host_.OpenFeed();
    } else {
      Ask(question_);
    }
  }
  if (phase_ == Phase::kLive && now >= next_check_) {
    next_check_ = After(now, kSecond);
    for (size_t i = 0; i < tickers_.size(); ++i) {
      const engine::MarketId market = TickerTable::IdOf(i);
      if (feed_.has_book(market) && !host_.IsBookGood(market)) feed_.AskForBook(market, now);
    }
  }
  Advance();
}

Timestamp Client::next_time() const {
  if (is_over()) return Timestamp::Max();
  Timestamp next = std::min({feed_.next_time(), link_.next_time(), wake_, give_up_});
  if (!waiting_.empty()) next = std::min(next, After(now_, 10 * kMilli));
  if (phase_ == Phase::kLive) next = std::min(next, next_check_);
  return next;
}

void Client::SetConnection(ConnectionState state) {
  if (connection_ == state) return;
  connection_ = state;
  Hear({.kind = InputKind::kConnection, .detail = static_cast<uint8_t>(state)});
}

void Client::Disconnect(absl::string_view why) {
  ++counts_.disconnects;
  host_.Note(absl::StrCat("disconnected: ", why));
  feed_.End();
  host_.CloseFeed();
  if (phase_ == Phase::kStopping) return;  // It needs no feed.
  SetConnection(ConnectionState::kDown);
  question_id_ = 0;
  if (terms_.cancels_on_disconnect && live_since_ != Timestamp::Max()) {
    needs_cancel_ = true;
    Ask(CallKind::kCancelAll);  // And again before it is live: what is in flight may arrive later.
  }
  if (phase_ == Phase::kLive && now_.nanos() - live_since_.nanos() > kLongEnough) backoff_.Reset();
  phase_ = Phase::kWaiting;
  wake_ = After(now_, backoff_.NextNanos());
}

void Client::Fail(absl::Status status) {
  status_ = std::move(status);
  SetConnection(ConnectionState::kDown);
  phase_ = Phase::kOver;
  host_.CloseFeed();
}

// ---- Questions ----

void Client::AskNext(CallKind kind) {
  cursor_.clear();
  first_ticker_ = 0;
  attempts_ = 0;
  Ask(kind);
}

void Client::Ask(CallKind kind) {
  question_ = kind;
  question_id_ = ++last_question_;
  const QuestionInfo& info = InfoOf(kind);
  Call call{.id = question_id_,
            .kind = kind,
            .method = info.method,
            .path = std::string(info.path),
            .query = {},
            .body = {}};
  switch (kind) {
    case CallKind::kMarkets: {
      const size_t last = std::min(tickers_.size(), first_ticker_ + kTickersOfOneQuestion);
      const auto begin = tickers_.all().begin();
      call.query = absl::StrCat("limit=1000&tickers=",
                                absl::StrJoin(begin + static_cast<ptrdiff_t>(first_ticker_),
                                              begin + static_cast<ptrdiff_t>(last), ","));
      break;
    }
    case CallKind::kOrders:
    case CallKind::kFills:
      call.query = absl::StrCat("limit=1000&min_ts=", *since_);
      break;
    case CallKind::kPositions:
      call.query = "limit=1000";
      break;
    default:
      break;
  }
  if (!cursor_.empty()) absl::StrAppend(&call.query, "&cursor=", cursor_);
  ++counts_.calls;
  host_.Start(call);
}

void Client::Pause(int64_t nanos) {
  question_id_ = 0;
  if (phase_ != Phase::kWaiting) wake_ = After(now_, nanos);
}

void Client::OnAnswer(const CallReply& reply) {
  question_id_ = 0;
  if (reply.status < 200 || reply.status > 299) return OnRefusedQuestion(reply);
  absl::Status taken = TakeAnswer(reply.body);
  if (taken.ok()) return;
  // The text of an error names what was expected. A body that is none may be of a proxy.
  taken = absl::Status(taken.code(), absl::StrCat(InfoOf(question_).path, ": ", taken.message()));
  if (!absl::IsInvalidArgument(taken) || ++attempts_ >= kAttemptsMax) return Fail(taken);
  host_.Note(taken.message());
  Pause(backoff_.NextNanos());
}

void Client::OnRefusedQuestion(const CallReply& reply) {
  const engine::kalshi::ReadError error = replies_.Error(reply.body);
  const std::string text = absl::StrCat(InfoOf(question_).path, ": the venue replied ",
                                        reply.status, error.code.empty() ? "" : " ", error.code,
                                        error.details.empty() ? "" : ": ", error.details);
  const bool passes = reply.status == 429 || reply.status >= 500 ||
                      question_ == CallKind::kCancelAll ||
                      (reply.status == 401 && ++attempts_ < kAttemptsMax);
  if (!passes) {
    return Fail(reply.status == 401 || reply.status == 403 ? absl::PermissionDeniedError(text)
                                                           : absl::InvalidArgumentError(text));
  }
  host_.Note(text);
  Pause(reply.status == 429 ? kSecond : backoff_.NextNanos());
}

absl::Status Client::TakeAnswer(absl::string_view body) {
  switch (question_) {
    case CallKind::kLimits: {
      ASSIGN_OR_RETURN(const engine::kalshi::ReadLimits limits, replies_.Limits(body));
      writes_ = engine::TokenBucket(
          {.capacity = limits.write_capacity, .refill_rate = limits.write_refill});
      AskNext(CallKind::kMarkets);
      return absl::OkStatus();
    }
    case CallKind::kMarkets:
      return TakeMarkets(body);
    case CallKind::kCancelAll:
      if (phase_ == Phase::kWaiting) return absl::OkStatus();
      needs_cancel_ = false;
      AskNext(CallKind::kDataTime);
      return absl::OkStatus();
    case CallKind::kDataTime:
      return TakeDataTime(body);
    case CallKind::kOrders:
      return TakeOrders(body);
    case CallKind::kFills:
      return TakeFills(body);
    default:
      return TakePositions(body);
  }
}

absl::Status Client::TakeMarkets(absl::string_view body) {
  ASSIGN_OR_RETURN(const auto page, replies_.Markets(body));
  for (const engine::kalshi::ReadMarket& market : page.items) {
    const engine::MarketId id = tickers_.Find(market.ticker);
    if (id == engine::MarketId()) continue;
    const size_t index = TickerTable::IndexOf(id);
    if (!is_defined_[index]) {
      ASSIGN_OR_RETURN(const engine::MarketDefinition definition, DefinitionOf(market, id));
      is_defined_[index] = true;
      host_.Hear({.market = id, .kind = InputKind::kMarket},
                 engine::EncodeMarketDefinition(definition));
    }
    if (market.settlement_value.has_value() && !market.result.empty()) {
      Hear({.price = *market.settlement_value, .market = id, .kind = InputKind::kSettled});
    }
  }
  first_ticker_ += kTickersOfOneQuestion;
  if (first_ticker_ < tickers_.size()) {
    Ask(CallKind::kMarkets);
    return absl::OkStatus();
  }
  const auto missing = std::ranges::find(is_defined_, false);
  if (missing != is_defined_.end()) {
    const auto index = static_cast<size_t>(missing - is_defined_.begin());
    return absl::NotFoundError(
        absl::StrCat("the venue has no market ", tickers_.TickerOf(TickerTable::IdOf(index))));
  }
  if (phase_ == Phase::kStarting) {
    phase_ = Phase::kOpening;
    host_.OpenFeed();
    return absl::OkStatus();
  }
  AskNext(CallKind::kOrders);
  return absl::OkStatus();
}

absl::Status Client::TakeDataTime(absl::string_view body) {
  ASSIGN_OR_RETURN(const Timestamp as_of, replies_.DataTime(body));
  if (as_of < newest_ && ++attempts_ < kListingsMax) {  // Its reads are older than what was heard.
    Pause(20 * kMilli);
    return absl::OkStatus();
  }
  // By the venue's clock: that of this machine may be wrong.
  if (!since_.has_value()) since_ = engine::kalshi::ToSeconds(as_of);
  AskNext(CallKind::kMarkets);
  return absl::OkStatus();
}

absl::Status Client::TakeOrders(absl::string_view body) {
  ASSIGN_OR_RETURN(const auto page, replies_.Orders(body));
  for (const engine::kalshi::Order& order : page.items) link_.OnOrder(order);
  cursor_ = std::string(page.cursor);
  cursor_.empty() ? AskNext(CallKind::kFills) : Ask(CallKind::kOrders);
  return absl::OkStatus();
}

absl::Status Client::TakeFills(absl::string_view body) {
  ASSIGN_OR_RETURN(const auto page, replies_.Fills(body));
  fills_listed_ += page.items.size();
  if (!has_report_) {
    for (const engine::kalshi::Fill& fill : page.items) link_.OnListedFill(fill);
  }
  cursor_ = std::string(page.cursor);
  if (!cursor_.empty()) {
    Ask(CallKind::kFills);
  } else if (has_report_) {
    OnListedToEnd();
  } else {
    positions_.BeginReport(fills_listed_);
    AskNext(CallKind::kPositions);
  }
  return absl::OkStatus();
}

absl::Status Client::TakePositions(absl::string_view body) {
  ASSIGN_OR_RETURN(const auto page, replies_.Positions(body));
  for (const engine::kalshi::MarketPosition& position : page.items) {
    const engine::MarketId id = tickers_.Find(position.ticker);
    if (id == engine::MarketId()) continue;
    positions_.Report(TickerTable::IndexOf(id), position.position.hundredths());
  }
  cursor_ = std::string(page.cursor);
  if (!cursor_.empty()) {
    Ask(CallKind::kPositions);
    return absl::OkStatus();
  }
  has_report_ = true;
  fills_listed_ = 0;
  AskNext(CallKind::kFills);  // Again: see positions.h.
  return absl::OkStatus();
}

// ---- Listing ----

void Client::Advance() {
  SendWaiting();
  const bool is_quiet = in_flight_.empty() && waiting_.empty();
  switch (phase_) {
    case Phase::kSubscribing:
      if (feed_.is_complete() && is_quiet) BeginListing();
      return;
    case Phase::kLive:
      if (!link_.is_unclear() && !results_missed_) return;
      // What is in flight is answered first.
      SetConnection(ConnectionState::kDown);
      phase_ = Phase::kSubscribing;
      return Advance();
    case Phase::kStopping:
      if (is_quiet && !is_asking()) BeginListing();
      return;
    default:
      return;
  }
}

void Client::BeginListing() {
  ++counts_.listings;
  if (phase_ != Phase::kStopping) {
    phase_ = Phase::kListing;
    SetConnection(ConnectionState::kConnecting);
  }
  results_missed_ = false;
  ClearLists();
  AskNext(needs_cancel_ ? CallKind::kCancelAll : CallKind::kDataTime);
}

void Client::ClearLists() {
  link_.BeginReconciling();
  fills_listed_ = 0;
  has_report_ = false;
}

void Client::ListAgain(CallKind first, int64_t nanos) {
  ClearLists();
  question_ = first;
  attempts_ = 0;
  Pause(nanos);
}

void Client::OnListedToEnd() {
  const bool is_report_good = positions_.EndReport(fills_listed_);
  // What EndReconciling() lets the strategy hear is in the lists, and so in the report.
  const bool agrees = link_.EndReconciling(now_);
  // Where fills cross every report, the positions of before and these fills have to do.
  const bool is_enough =
      is_report_good || (has_positions_ && listings_unequal_ >= kCrossedReportsMax);
  if (!agrees || !is_enough) {  // Something happened between the lists.
    if (++listings_unequal_ > kListingsMax) {
      return Fail(absl::UnavailableError("the venue's lists of orders and fills do not agree"));
    }
    return ListAgain(CallKind::kDataTime, 20 * kMilli);
  }
  listings_unequal_ = 0;
  if (is_report_good) TakePositionsOver();
  if (phase_ == Phase::kStopping) {
    if (link_.live_count() == 0) {
      phase_ = Phase::kOver;
      host_.CloseFeed();
      return;
    }
    needs_cancel_ = true;
    return ListAgain(CallKind::kCancelAll, 200 * kMilli);
  }
  phase_ = Phase::kLive;
  live_since_ = now_;
  next_check_ = After(now_, kSecond);
  SetConnection(ConnectionState::kLive);
}

// Also where nothing seems to have changed: the strategy does not count a fill of an order whose
// end it has heard.
void Client::TakePositionsOver() {
  has_positions_ = true;
  for (size_t i = 0; i < tickers_.size(); ++i) {
    Hear({.amount = positions_.reported(i),
          .market = TickerTable::IdOf(i),
          .kind = InputKind::kPosition});
  }
}

// ---- Orders ----

void Client::Act(const strategy::Action& action, Timestamp now) {
  now_ = now;
  if (action.kind == ActionKind::kNewOrder || action.kind == ActionKind::kAmend) {
    if (phase_ != Phase::kLive) return Refuse(action, Refusal::kNotSent);
    if (!writes_.Has(kWriteCost + std::min(kCancelReserve, writes_.size().capacity / 5), now)) {
      return Refuse(action, Refusal::kTooManyRequests);
    }
    writes_.Take(kWriteCost, now);
  } else if (action.kind != ActionKind::kCancel) {
    return;
  } else if (phase_ != Phase::kLive) {
    return Refuse(action, Refusal::kNotSent);
  }
  link_.Act(action, now);
  Advance();
}

void Client::Refuse(const strategy::Action& action, Refusal refusal) {
  ++counts_.refused_here;
  Hear({.order = action.order,
        .market = action.market,
        .kind = action.kind == ActionKind::kNewOrder ? InputKind::kOrderRefused
                                                     : InputKind::kRequestRefused,
        .side = action.side,
        .detail = static_cast<uint8_t>(refusal)});
}

void Client::Start(const Call& call) {
  if (call.kind == CallKind::kCancel && (!waiting_.empty() || !writes_.Take(kCancelCost, now_))) {
    waiting_.push_back(call);
    return;
  }
  SendNow(call);
}

void Client::SendWaiting() {
  while (!waiting_.empty() && writes_.Take(kCancelCost, now_)) {
    const Call call = std::move(waiting_.front());
    waiting_.pop_front();
    SendNow(call);
  }
}

void Client::SendNow(const Call& call) {
  ++counts_.calls;
  host_.Start(call);
  in_flight_.emplace(call.id, call);
}

void Client::Hear(const Input& input) {
  if (input.kind == InputKind::kOrderFilled) {
    positions_.OnFill();
  } else if (input.kind == InputKind::kSettled) {
    const size_t index = TickerTable::IndexOf(input.market);
    if (is_settled_[index]) return;
    is_settled_[index] = true;
  }
  host_.Hear(input, {});
}

void Client::OnOwnFill(const engine::kalshi::FeedFrame& frame) {
  newest_ = std::max(newest_, frame.time);
  link_.OnFill(frame.ticker, frame.fill, frame.time, now_);
}

void Client::OnOwnOrder(const engine::kalshi::FeedFrame& frame) {
  newest_ = std::max(newest_, frame.time);
  link_.OnUserOrder(frame.ticker, frame.order, now_);
}

}  // namespace client
