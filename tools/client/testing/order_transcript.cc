#include "tools/client/testing/order_transcript.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/order_replies.h"
#include "engine/wire/kalshi/portfolio_objects.h"
#include "engine/wire/kalshi/queries.h"
#include "tools/client/call.h"
#include "tools/client/order_calls.h"
#include "tools/client/order_link.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/action.h"
#include "tools/strategy/testing/transcript_files.h"

namespace client {
namespace {

using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;
using engine::kalshi::Count;
using engine::kalshi::OrderStatus;
using strategy::Action;
using strategy::ActionKind;
using strategy::Input;
using strategy::InputKind;
using strategy::OrderNumber;

constexpr absl::string_view kRun = "run";
constexpr absl::string_view kFirstTime = "2026-01-01T00:00:00Z";
constexpr absl::string_view kUsage =
    "expected order, amend, cancel, created, amended, cancelled, error, lost, not_sent, fill, "
    "user_order, at, reconcile, listed, listed_fill, reconciled, state or bodies";

absl::Status Malformed(absl::string_view what) { return absl::InvalidArgumentError(what); }

// The words of a line: those with a '=' are options.
class Words {
 public:
  explicit Words(absl::string_view line) {
    for (const absl::string_view word : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(word, absl::MaxSplits('=', 1));
      if (parts.first.size() < word.size()) {
        options_[parts.first] = parts.second;
      } else {
        words_.push_back(word);
      }
    }
  }

  // Empty if there is none.
  absl::string_view At(size_t place) const {
    return place < words_.size() ? words_[place] : absl::string_view();
  }
  bool Has(absl::string_view word) const {
    for (const absl::string_view each : words_) {
      if (each == word) return true;
    }
    return false;
  }
  absl::StatusOr<uint64_t> NumberAt(size_t place) const {
    uint64_t number = 0;
    if (!engine::ParseInteger(At(place), number)) return Malformed("expected a number");
    return number;
  }
  absl::StatusOr<Price> PriceAt(size_t place) const {
    const std::optional<Price> price = engine::kalshi::ParsePrice(At(place));
    if (!price.has_value()) return Malformed("expected a price");
    return *price;
  }
  absl::StatusOr<Count> CountAt(size_t place) const { return CountOf(At(place)); }
  absl::StatusOr<Count> CountOption(absl::string_view name) const {
    return CountOf(Option(name, "0"));
  }
  absl::string_view Option(absl::string_view name, absl::string_view otherwise = "") const {
    const auto found = options_.find(name);
    return found == options_.end() ? otherwise : found->second;
  }

 private:
  static absl::StatusOr<Count> CountOf(absl::string_view text) {
    const std::optional<Count> count = engine::kalshi::ParseCount(text);
    if (!count.has_value()) return Malformed("expected a count");
    return *count;
  }

  std::vector<absl::string_view> words_;
  std::map<absl::string_view, absl::string_view> options_;
};

absl::StatusOr<Timestamp> After(Timestamp time, absl::string_view seconds) {
  absl::ConsumePrefix(&seconds, "+");
  const std::optional<Price> parsed = engine::kalshi::ParsePrice(seconds);
  if (!parsed.has_value()) return Malformed("expected +SECONDS");
  return Timestamp::FromNanos(time.nanos() + parsed->units() * 100'000);
}

absl::StatusOr<OrderStatus> StatusOf(absl::string_view word) {
  for (const OrderStatus status :
       {OrderStatus::kResting, OrderStatus::kCanceled, OrderStatus::kExecuted}) {
    if (engine::kalshi::ToText(status) == word) return status;
  }
  return Malformed("expected resting, canceled or executed");
}

class Runner final : private LinkHost {
 public:
  Runner() { now_ = *Timestamp::Parse(kFirstTime); }

  absl::StatusOr<std::string> Run(absl::string_view file, absl::string_view text) {
    return strategy::AnswerTranscript(file, text,
                                      [this](absl::string_view line, std::string& answer) {
                                        answer_.clear();
                                        const absl::Status run = RunLine(Words(line));
                                        answer += answer_;
                                        return run;
                                      });
  }

 private:
  void Start(const Call& call) override {
    constexpr absl::string_view kNames[] = {"create", "amend", "cancel"};
    absl::StrAppend(&answer_, "sent ", kNames[static_cast<size_t>(call.kind)], " ", last_order_,
                    "\n");
    if (shows_bodies_) absl::StrAppend(&answer_, call.method, " ", call.path, "\n");
    if (shows_bodies_ && !call.body.empty()) absl::StrAppend(&answer_, call.body, "\n");
    calls_[{last_order_, call.kind}] = call.id;
  }
  void Hear(const Input& input) override { absl::StrAppend(&answer_, HeardText(input), "\n"); }

  absl::Status RunLine(const Words& words) {
    using Step = absl::Status (Runner::*)(const Words&);
    static constexpr std::pair<absl::string_view, Step> kSteps[] = {
        {"order", &Runner::RunOrder},
        {"amend", &Runner::RunAmend},
        {"cancel", &Runner::RunCancel},
        {"created", &Runner::RunCreated},
        {"amended", &Runner::RunAmended},
        {"cancelled", &Runner::RunCancelled},
        {"error", &Runner::RunError},
        {"lost", &Runner::RunLost},
        {"not_sent", &Runner::RunNotSent},
        {"fill", &Runner::RunFill},
        {"user_order", &Runner::RunUserOrder},
        {"at", &Runner::RunAt},
        {"reconcile", &Runner::RunReconcile},
        {"listed", &Runner::RunListed},
        {"listed_fill", &Runner::RunListedFill},
        {"reconciled", &Runner::RunReconciled},
        {"state", &Runner::RunState},
        {"bodies", &Runner::RunBodies},
    };
    for (const auto& [verb, step] : kSteps) {
      if (words.At(0) == verb) return (this->*step)(words);
    }
    return Malformed(kUsage);
  }

  // ---- What the strategy does.

  // `order 1 RAIN bid 0.56 10 ioc post_only expires=+5`.
  absl::Status RunOrder(const Words& words) {
    Action action{.tif = engine::TimeInForce::kGoodTillCancelled, .kind = ActionKind::kNewOrder};
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    action.order = OrderNumber(number);
    action.market = tickers_.Find(words.At(2));
    if (!engine::ParseName(words.At(3), action.side)) return Malformed("expected bid or ask");
    ASSIGN_OR_RETURN(action.price, words.PriceAt(4));
    ASSIGN_OR_RETURN(const Count count, words.CountAt(5));
    action.quantity = count.ToQuantity();
    if (!words.At(6).empty() && words.At(6) != "post_only" &&
        !engine::ParseName(words.At(6), action.tif)) {
      return Malformed("expected a time in force");
    }
    if (words.Has("post_only")) action.flags = action.flags.WithPostOnly();
    if (const absl::string_view expires = words.Option("expires"); !expires.empty()) {
      ASSIGN_OR_RETURN(const Timestamp at, After(now_, expires));
      action.expires = at.nanos();
    }
    orders_[number] = action;
    return Act(action);
  }

  absl::Status RunAmend(const Words& words) {
    ASSIGN_OR_RETURN(Action action, ActionOn(words, ActionKind::kAmend));
    ASSIGN_OR_RETURN(action.price, words.PriceAt(2));
    ASSIGN_OR_RETURN(const Count total, words.CountAt(3));
    action.quantity = total.ToQuantity();
    return Act(action);
  }

  absl::Status RunCancel(const Words& words) {
    ASSIGN_OR_RETURN(const Action action, ActionOn(words, ActionKind::kCancel));
    return Act(action);
  }

  absl::StatusOr<Action> ActionOn(const Words& words, ActionKind kind) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    const Action& order = orders_[number];
    return Action{
        .order = OrderNumber(number), .market = order.market, .side = order.side, .kind = kind};
  }

  absl::Status Act(const Action& action) {
    last_order_ = action.order.value();
    link_.Act(action, now_);
    return absl::OkStatus();
  }

  // ---- What the venue replies.

  absl::Status RunCreated(const Words& words) { return ReplyOrder(words, CallKind::kCreate, 201); }
  absl::Status RunAmended(const Words& words) { return ReplyOrder(words, CallKind::kAmend, 200); }

  // `created 1 filled=2 remaining=8`.
  absl::Status ReplyOrder(const Words& words, CallKind kind, int status) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    const std::string id = VenueIdOf(number);
    engine::kalshi::CreateReply reply = {.order_id = id};
    ASSIGN_OR_RETURN(reply.fills.count, words.CountOption("filled"));
    ASSIGN_OR_RETURN(reply.remaining_count, words.CountOption("remaining"));
    return Reply(number, kind, status, reply);
  }

  absl::Status RunCancelled(const Words& words) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    const std::string id = VenueIdOf(number);
    engine::kalshi::CancelReply reply = {.order_id = id};
    ASSIGN_OR_RETURN(reply.reduced_by, words.CountOption("reduced_by"));
    return Reply(number, CallKind::kCancel, 200, reply);
  }

  template <typename Value>
  absl::Status Reply(uint64_t number, CallKind kind, int status, const Value& value) {
    std::string body;
    engine::kalshi::JsonWriter json(body);
    Write(value, json);
    return ReplyWith(number, kind, status, body);
  }

  absl::Status ReplyWith(uint64_t number, CallKind kind, int status, absl::string_view body) {
    ASSIGN_OR_RETURN(const uint64_t id, TakeCall(number, kind));
    last_order_ = number;
    link_.OnReply({.id = id, .status = status, .body = body}, now_);
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> TakeCall(uint64_t number, CallKind kind) {
    const auto found = calls_.find({number, kind});
    if (found == calls_.end()) return Malformed("no such call is in flight");
    return calls_.extract(found).mapped();
  }

  static absl::StatusOr<CallKind> KindOf(absl::string_view word) {
    if (word == "create") return CallKind::kCreate;
    if (word == "amend") return CallKind::kAmend;
    if (word == "cancel") return CallKind::kCancel;
    return Malformed("expected create, amend or cancel");
  }

  // `error cancel 1 404 not_found`, `error create 1 400 invalid_order post only cross`.
  absl::Status RunError(const Words& words) {
    ASSIGN_OR_RETURN(const CallKind kind, KindOf(words.At(1)));
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(2));
    ASSIGN_OR_RETURN(const uint64_t status, words.NumberAt(3));
    std::string details;
    for (size_t at = 5; !words.At(at).empty(); ++at) {
      absl::StrAppend(&details, details.empty() ? "" : " ", words.At(at));
    }
    engine::kalshi::Error error = {engine::kalshi::errors::kTooManyRequests, details};
    if (status != 429) {
      error.kind = {.status = static_cast<int>(status),
                    .code = words.At(4),
                    .message = words.At(4),
                    .service = "exchange"};
    }
    std::string body;
    AppendErrorBody(error, body);
    return ReplyWith(number, kind, static_cast<int>(status), body);
  }

  absl::Status RunLost(const Words& words) { return Fail(words, /*may_have_arrived=*/true); }
  absl::Status RunNotSent(const Words& words) { return Fail(words, /*may_have_arrived=*/false); }

  // `lost create 1`.
  absl::Status Fail(const Words& words, bool may_have_arrived) {
    ASSIGN_OR_RETURN(const CallKind kind, KindOf(words.At(1)));
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(2));
    ASSIGN_OR_RETURN(const uint64_t id, TakeCall(number, kind));
    link_.OnCallFailed(id, may_have_arrived, now_);
    return absl::OkStatus();
  }

  // ---- What the feed says.

  // `fill 1 trade=7 0.56 4 fee=0.01`.
  absl::Status RunFill(const Words& words) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    ASSIGN_OR_RETURN(const std::string trade, TradeOf(words));
    const std::string id = VenueIdOf(number);
    const std::string client_id = ClientOrderId(kRun, OrderNumber(number));
    engine::kalshi::FeedFill fill = {
        .trade_id = trade, .order_id = id, .client_order_id = client_id};
    fill.side = orders_[number].side;
    ASSIGN_OR_RETURN(fill.price, words.PriceAt(2));
    ASSIGN_OR_RETURN(fill.count, words.CountAt(3));
    ASSIGN_OR_RETURN(fill.fee, engine::Money::Parse(words.Option("fee", "0")));
    last_order_ = number;
    link_.OnFill(tickers_.TickerOf(orders_[number].market), fill, now_, now_);
    return absl::OkStatus();
  }

  static absl::StatusOr<std::string> TradeOf(const Words& words) {
    uint64_t trade = 0;
    if (!engine::ParseInteger(words.Option("trade"), trade)) return Malformed("expected trade=");
    return VenueIdOf(1'000'000 + trade);
  }

  // `user_order 1 resting filled=4 remaining=6`.
  absl::Status RunUserOrder(const Words& words) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    const std::string id = VenueIdOf(number);
    const std::string client_id = ClientOrderId(kRun, OrderNumber(number));
    engine::kalshi::FeedOrder order = {.order_id = id, .client_order_id = client_id};
    ASSIGN_OR_RETURN(order.status, StatusOf(words.At(2)));
    order.side = orders_[number].side;
    order.price = orders_[number].price;
    ASSIGN_OR_RETURN(order.fill_count, words.CountOption("filled"));
    ASSIGN_OR_RETURN(order.remaining_count, words.CountOption("remaining"));
    last_order_ = number;
    link_.OnUserOrder(tickers_.TickerOf(orders_[number].market), order, now_);
    return absl::OkStatus();
  }

  absl::Status RunAt(const Words& words) {
    ASSIGN_OR_RETURN(now_, After(now_, words.At(1)));
    link_.OnTime(now_);
    return absl::OkStatus();
  }

  // ---- Reconciliation.

  absl::Status RunReconcile(const Words& /*words*/) {
    calls_.clear();
    link_.BeginReconciling();
    return absl::OkStatus();
  }

  // `listed 1 resting RAIN bid 0.56 filled=4 remaining=6`; `client=` is another client_order_id.
  absl::Status RunListed(const Words& words) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    const std::string id = VenueIdOf(number);
    const std::string own = ClientOrderId(kRun, OrderNumber(number));
    engine::kalshi::Order order = {
        .order_id = id, .client_order_id = words.Option("client", own), .ticker = words.At(3)};
    ASSIGN_OR_RETURN(order.status, StatusOf(words.At(2)));
    if (!engine::ParseName(words.At(4), order.side)) return Malformed("expected bid or ask");
    ASSIGN_OR_RETURN(order.price, words.PriceAt(5));
    ASSIGN_OR_RETURN(order.fill_count, words.CountOption("filled"));
    ASSIGN_OR_RETURN(order.remaining_count, words.CountOption("remaining"));
    orders_[number].market = tickers_.Find(order.ticker);
    orders_[number].side = order.side;
    link_.OnOrder(order);
    return absl::OkStatus();
  }

  // `listed_fill 1 trade=7 0.56 4 fee=0.01`.
  absl::Status RunListedFill(const Words& words) {
    ASSIGN_OR_RETURN(const uint64_t number, words.NumberAt(1));
    ASSIGN_OR_RETURN(const std::string trade, TradeOf(words));
    const std::string id = VenueIdOf(number);
    engine::kalshi::Fill fill = {.fill_id = trade, .order_id = id, .time = now_};
    ASSIGN_OR_RETURN(fill.price, words.PriceAt(2));
    ASSIGN_OR_RETURN(fill.count, words.CountAt(3));
    ASSIGN_OR_RETURN(fill.fee, engine::Money::Parse(words.Option("fee", "0")));
    link_.OnListedFill(fill);
    return absl::OkStatus();
  }

  absl::Status RunReconciled(const Words& /*words*/) {
    if (!link_.EndReconciling(now_)) absl::StrAppend(&answer_, "fetch again\n");
    return absl::OkStatus();
  }

  absl::Status RunState(const Words& /*words*/) {
    absl::StrAppend(&answer_, link_.is_unclear() ? "unclear" : "clear", ", ", link_.live_count(),
                    " live, ", link_.foreign_count(), " of others\n");
    return absl::OkStatus();
  }

  absl::Status RunBodies(const Words& /*words*/) {
    shows_bodies_ = true;
    return absl::OkStatus();
  }

  const std::vector<std::string> names_ = {"RAIN", "SNOW"};
  TickerTable tickers_{names_};
  OrderLink link_{std::string(kRun), tickers_, *this};
  Timestamp now_;
  std::map<uint64_t, Action> orders_;
  // In flight, by order and kind.
  std::map<std::pair<uint64_t, CallKind>, uint64_t> calls_;
  uint64_t last_order_ = 0;  // Which a call is about.
  bool shows_bodies_ = false;
  std::string answer_;  // To the line that is run.
};

}  // namespace

std::string VenueIdOf(uint64_t number) {
  return absl::StrFormat("00000000-0000-4000-8000-%012d", number);
}

std::string HeardText(const Input& input) {
  std::string text = "heard ";
  const auto append = [&text](absl::string_view verb, uint64_t number) {
    absl::StrAppend(&text, verb, " ", number);
  };
  const auto append_terms = [&] {
    text += " ";
    engine::kalshi::AppendPrice(input.price, text);
    text += " ";
    engine::kalshi::AppendCount(Count::Of(input.quantity), text);
  };
  const uint64_t number = input.order.value();
  switch (input.kind) {
    case InputKind::kOrderAccepted:
      append("accepted", number);
      break;
    case InputKind::kOrderRefused:
    case InputKind::kRequestRefused:
      append(input.kind == InputKind::kOrderRefused ? "refused" : "request_refused", number);
      absl::StrAppend(&text, " ", strategy::kRefusalNames[input.detail]);
      break;
    case InputKind::kOrderFilled:
      append("filled", number);
      append_terms();
      absl::StrAppend(&text, " fee ", engine::Money::FromMicros(input.amount).ToString());
      break;
    case InputKind::kOrderAmended:
      append("amended", number);
      append_terms();
      break;
    case InputKind::kOrderCancelled:
      append("cancelled", number);
      break;
    case InputKind::kOrderFound:
      append("found", number);
      absl::StrAppend(&text, " ", engine::NameOf(input.side));
      append_terms();
      text += " filled ";
      engine::kalshi::AppendCount(Count::FromHundredths(input.amount), text);
      break;
    default:
      absl::StrAppend(&text, "kind ", static_cast<int>(input.kind));
  }
  return text;
}

absl::StatusOr<std::string> RunOrderTranscript(absl::string_view file, absl::string_view text) {
  return Runner().Run(file, text);
}

}  // namespace client
