#include "tools/strategy/testing/transcript.h"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "tools/strategy/desk_text.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/strategy_machine.h"
#include "tools/strategy/testing/transcript_files.h"
#include "tools/strategy/vocabulary.h"

namespace strategy {
namespace {

using engine::MarketDefinition;
using engine::MarketId;
using engine::Price;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;

constexpr absl::string_view kFirstTime = "2026-01-01T00:00:00Z";
constexpr absl::string_view kUsage =
    "expected market, at, connection, snapshot, level, change, stale, trade, accepted, refused, "
    "filled, amended, cancelled, request_refused, found, position, settled, parameter, time, "
    "wants, "
    "pull, send, cancel, cancel_all, stop, timer, orders or profit";

using Words = std::span<const absl::string_view>;

class Runner {
 public:
  Runner(absl::string_view file, std::unique_ptr<Strategy> strategy)
      : file_(file),
        scripted_(dynamic_cast<ScriptedStrategy*>(strategy.get())),
        machine_("transcript", std::move(strategy)) {
    now_ = *Timestamp::Parse(kFirstTime);
    if (scripted_ == nullptr) return;
    scripted_->run_line = [this](ScriptedStrategy&, size_t line) {
      script_status_ = RunScript(script_[line]);
    };
  }

  absl::StatusOr<std::string> Run(absl::string_view text) {
    return AnswerTranscript(file_, text, [this](absl::string_view line, std::string& answer) {
      answer_.clear();
      const absl::Status run = RunLine(line);
      answer += answer_;
      if (run.ok()) machine_.CheckInvariants();
      return run;
    });
  }

 private:
  static absl::Status Malformed(absl::string_view what) { return absl::InvalidArgumentError(what); }

  void Apply(Input input, engine::Bytes attachment = {}) {
    last_ = engine::SequenceNumber(last_.value() + 1);
    input.sequence = last_;
    input.time = now_;
    const journal::Row row = ToRow(input);
    const journal::Record record{.row = &row, .attachment = attachment};
    vocabulary_.Follow(record);
    for (const replay::Output& output : driver_.Apply(record)) {
      absl::StrAppend(&answer_, vocabulary_.Text(output), "\n");
    }
  }

  absl::Status RunLine(absl::string_view line) {
    const std::vector<absl::string_view> all = absl::StrSplit(line, ' ', absl::SkipEmpty());
    const absl::string_view verb = all[0];
    const Words words = Words(all).subspan(1);
    if (verb == "market") return RunMarket(words);
    if (verb == "at") return RunAt(words);
    if (verb == "time") return Plain({.kind = InputKind::kTime}, words, 0);
    if (verb == "connection") return RunConnection(words);
    if (verb == "parameter") return RunParameter(words);
    if (verb == "orders") return PrintOrders();
    if (verb == "profit") {
      absl::StrAppend(&answer_, "profit ", machine_.desk().profit().ToString(), "\n");
      return absl::OkStatus();
    }
    if (IsOfOrder(verb)) return RunOrder(verb, words);
    if (IsOfMarket(verb)) return RunOfMarket(verb, words);
    if (scripted_ == nullptr) return Malformed(kUsage);
    script_.emplace_back(line);
    script_status_ = absl::OkStatus();
    const absl::string_view name = "line";
    Apply({.amount = static_cast<int64_t>(script_.size() - 1), .kind = InputKind::kParameter},
          engine::AsBytes(name));
    return script_status_;
  }

  static bool IsOfOrder(absl::string_view verb) {
    for (const absl::string_view each :
         {"accepted", "refused", "filled", "amended", "cancelled", "request_refused", "found"}) {
      if (verb == each) return true;
    }
    return false;
  }
  static bool IsOfMarket(absl::string_view verb) {
    for (const absl::string_view each :
         {"snapshot", "level", "change", "stale", "trade", "position", "settled"}) {
      if (verb == each) return true;
    }
    return false;
  }

  absl::Status Plain(const Input& input, Words words, size_t count) {
    if (words.size() != count) return Malformed("other words than expected");
    Apply(input);
    return absl::OkStatus();
  }

  // `market ACME`, `market RAIN binary`.
  absl::Status RunMarket(Words words) {
    if (words.empty()) return Malformed("expected: market SYMBOL [binary]");
    const auto id = MarketId(static_cast<uint32_t>(markets_.all().size() + 1));
    const bool is_binary = words.size() > 1 && words[1] == "binary";
    MarketDefinition definition{.id = id, .symbol = std::string(words[0])};
    definition.price_decimals = is_binary ? 4 : 2;
    definition.quantity_decimals = is_binary ? 2 : 0;
    if (is_binary) {
      definition.tick = Price::FromUnits(100);
      definition.price_min = Price::FromUnits(100);
      definition.price_max = Price::FromUnits(9'900);
      definition.kind = engine::MarketKind::kBinary;
    }
    RETURN_IF_ERROR(Validate(definition));
    Apply({.market = id, .kind = InputKind::kMarket}, engine::EncodeMarketDefinition(definition));
    markets_.Add(std::move(definition));
    return absl::OkStatus();
  }

  // `at +2.5` seconds.
  absl::Status RunAt(Words words) {
    if (words.size() != 1) return Malformed("expected: at +SECONDS");
    absl::string_view text = words[0];
    absl::ConsumePrefix(&text, "+");
    ASSIGN_OR_RETURN(const Price seconds, engine::ParsePrice(text, 9));
    now_ = Timestamp::FromNanos(now_.nanos() + seconds.units());
    return absl::OkStatus();
  }

  absl::Status RunConnection(Words words) {
    for (uint8_t state = 0; state < kConnectionNames.size(); ++state) {
      if (words.size() != 1 || words[0] != kConnectionNames[state]) continue;
      return Plain({.kind = InputKind::kConnection, .detail = state}, words, 1);
    }
    return Malformed("expected: connection down, connecting or live");
  }

  absl::Status RunParameter(Words words) {
    if (words.size() != 1) return Malformed("expected: parameter NAME=VALUE");
    ASSIGN_OR_RETURN(const Parameters::Assignment set, machine_.parameters().Parse(words[0]));
    Apply({.amount = set.value, .kind = InputKind::kParameter}, engine::AsBytes(set.name));
    return absl::OkStatus();
  }

  absl::StatusOr<const MarketDefinition*> Market(Words words) const {
    const MarketDefinition* const market = words.empty() ? nullptr : markets_.FindSymbol(words[0]);
    if (market == nullptr) return Malformed("expected a market that is defined");
    return market;
  }

  absl::Status RunOfMarket(absl::string_view verb, Words words) {
    ASSIGN_OR_RETURN(const MarketDefinition* const market, Market(words));
    words = words.subspan(1);
    Input input{.market = market->id, .flags = Input::kLast};
    if (verb == "snapshot") return RunSnapshot(*market, words);
    if (verb == "stale") {
      return Plain({.market = market->id, .kind = InputKind::kBookStale}, words, 0);
    }
    if (verb == "position" || verb == "settled") {
      const int decimals = verb == "position" ? market->quantity_decimals : market->price_decimals;
      ASSIGN_OR_RETURN(const Price value,
                       engine::ParsePrice(words.empty() ? "" : words[0], decimals));
      input = {.market = market->id};
      input.kind = verb == "position" ? InputKind::kPosition : InputKind::kSettled;
      input.amount = verb == "position" ? value.units() : 0;
      input.price = verb == "settled" ? value : Price();
      return Plain(input, words, 1);
    }
    if (words.size() != 3 || !engine::ParseName(words[0], input.side)) {
      return Malformed("expected: SYMBOL SIDE PRICE QUANTITY");
    }
    ASSIGN_OR_RETURN(input.price, engine::ParsePrice(words[1], market->price_decimals));
    ASSIGN_OR_RETURN(const Price number, engine::ParsePrice(words[2], market->quantity_decimals));
    input.kind = verb == "trade"    ? InputKind::kTrade
                 : verb == "change" ? InputKind::kBookChange
                                    : InputKind::kBookLevel;
    if (verb == "change") {
      input.amount = number.units();
    } else {
      input.quantity = Quantity::FromUnits(static_cast<uint64_t>(number.units()));
    }
    if (verb == "trade") input.flags = 0;
    Apply(input);
    return absl::OkStatus();
  }

  // `snapshot ACME bid 20.00 5 bid 19.99 7 ask 20.03 5`.
  absl::Status RunSnapshot(const MarketDefinition& market, Words words) {
    if (words.size() % 3 != 0) return Malformed("expected: SIDE PRICE QUANTITY, again and again");
    const uint8_t last = words.empty() ? Input::kLast : uint8_t{0};
    Apply({.market = market.id, .kind = InputKind::kBookClear, .flags = last});
    for (; !words.empty(); words = words.subspan(3)) {
      Input input{.market = market.id, .kind = InputKind::kBookLevel};
      if (!engine::ParseName(words[0], input.side)) return Malformed("expected bid or ask");
      ASSIGN_OR_RETURN(input.price, engine::ParsePrice(words[1], market.price_decimals));
      ASSIGN_OR_RETURN(input.quantity, engine::ParseQuantity(words[2], market.quantity_decimals));
      input.flags = words.size() == 3 ? Input::kLast : uint8_t{0};
      Apply(input);
    }
    return absl::OkStatus();
  }

  // `filled 1 20.01 5`, `refused 1 no_money`, `found 7 ACME bid 20.01 5`.
  absl::Status RunOrder(absl::string_view verb, Words words) {
    uint64_t number = 0;
    if (words.empty() || !engine::ParseInteger(words[0], number)) {
      return Malformed("expected the number of an order");
    }
    words = words.subspan(1);
    Input input{.order = OrderNumber(number)};
    const Order* const order = machine_.desk().orders().Find(input.order);
    const MarketDefinition* market = order == nullptr ? nullptr : markets_.Find(order->market);
    if (verb == "found") {
      ASSIGN_OR_RETURN(market, Market(words));
      input.kind = InputKind::kOrderFound;
      if (words.size() != 4 || !engine::ParseName(words[1], input.side)) {
        return Malformed("expected: found ORDER SYMBOL SIDE PRICE QUANTITY");
      }
      words = words.subspan(2);
    } else if (verb == "filled") {
      input.kind = InputKind::kOrderFilled;
      if (words.size() == 3) {
        ASSIGN_OR_RETURN(const engine::Money fee, engine::Money::Parse(words[2]));
        input.amount = fee.micros();
        words = words.first(2);
      }
    } else if (verb == "amended") {
      input.kind = InputKind::kOrderAmended;
    } else if (verb == "accepted" || verb == "cancelled") {
      input.kind = verb == "accepted" ? InputKind::kOrderAccepted : InputKind::kOrderCancelled;
      if (market != nullptr) input.market = market->id;
      return Plain(input, words, 0);
    } else {
      input.kind = verb == "refused" ? InputKind::kOrderRefused : InputKind::kRequestRefused;
      input.detail = static_cast<uint8_t>(RefusalOf(words.empty() ? "" : words[0]));
      return Plain(input, words, 1);
    }
    if (market == nullptr) return Malformed("expected an order that is live");
    input.market = market->id;
    if (words.size() != 2) return Malformed("expected a price and a quantity");
    ASSIGN_OR_RETURN(input.price, engine::ParsePrice(words[0], market->price_decimals));
    ASSIGN_OR_RETURN(input.quantity, engine::ParseQuantity(words[1], market->quantity_decimals));
    Apply(input);
    return absl::OkStatus();
  }

  static Refusal RefusalOf(absl::string_view name) {
    for (uint8_t i = 0; i < kRefusalNames.size(); ++i) {
      if (kRefusalNames[i] == name) return static_cast<Refusal>(i);
    }
    return Refusal::kOther;
  }

  absl::Status PrintOrders() {
    for (const Order& order : machine_.desk().orders().all()) {
      if (!order.is_live()) continue;
      const MarketDefinition& market = *markets_.Find(order.market);
      absl::StrAppend(&answer_, "order ", order.number.value(), " ", market.symbol, " ",
                      engine::NameOf(order.side), " ",
                      engine::FormatPrice(order.price, market.price_decimals), " ",
                      engine::FormatQuantity(order.remaining, market.quantity_decimals), " ",
                      NameOf(order.state), "\n");
    }
    return absl::OkStatus();
  }

  // What the strategy does by itself.
  absl::Status RunScript(const std::string& line) {
    const std::vector<absl::string_view> all = absl::StrSplit(line, ' ', absl::SkipEmpty());
    const absl::string_view verb = all[0];
    const Words words = Words(all).subspan(1);
    if (verb == "wants" || verb == "send") return RunWants(verb == "send", words);
    if (verb == "cancel_all" && words.empty()) return Done([&] { scripted_->CancelAll(); });
    if (verb == "stop" && words.empty()) return Done([&] { scripted_->Stop(); });
    if (verb == "pull") {
      ASSIGN_OR_RETURN(const MarketDefinition* const market, Market(words));
      return Done([&] { scripted_->PullQuotes(market->id); });
    }
    uint64_t number = 0;
    if (words.empty() || !engine::ParseInteger(words[0], number)) return Malformed(kUsage);
    if (verb == "cancel") return Done([&] { scripted_->Cancel(OrderNumber(number)); });
    if (verb == "timer" && words.size() == 2) {
      absl::string_view text = words[1];
      absl::ConsumePrefix(&text, "+");
      ASSIGN_OR_RETURN(const Price seconds, engine::ParsePrice(text, 9));
      return Done([&] {
        scripted_->SetTimer(TimerId(static_cast<uint32_t>(number)),
                            Timestamp::FromNanos(now_.nanos() + seconds.units()));
      });
    }
    return Malformed(kUsage);
  }

  template <typename Action>
  static absl::Status Done(Action action) {
    action();
    return absl::OkStatus();
  }

  // `wants ACME bid 20.01 10 [LEVEL]`, `send ACME ask 20.01 10 ioc`.
  absl::Status RunWants(bool is_order, Words words) {
    ASSIGN_OR_RETURN(const MarketDefinition* const market, Market(words));
    NewOrder order{.market = market->id};
    if (words.size() < 4 || words.size() > 5 || !engine::ParseName(words[1], order.side)) {
      return Malformed("expected: SYMBOL SIDE PRICE QUANTITY [LEVEL or TIF]");
    }
    ASSIGN_OR_RETURN(order.price, engine::ParsePrice(words[2], market->price_decimals));
    ASSIGN_OR_RETURN(order.quantity, engine::ParseQuantity(words[3], market->quantity_decimals));
    if (!is_order) {
      size_t level = 0;
      if (words.size() == 5 && !engine::ParseInteger(words[4], level)) return Malformed("no level");
      scripted_->Quote(order.market, order.side, order.price, order.quantity, level);
      return absl::OkStatus();
    }
    if (words.size() == 5 && !engine::ParseName(words[4], order.tif)) return Malformed("no tif");
    if (scripted_->Send(order) == OrderNumber()) absl::StrAppend(&answer_, "may not leave\n");
    return absl::OkStatus();
  }

  const absl::string_view file_;
  ScriptedStrategy* const scripted_;
  StrategyMachine machine_;
  replay::Driver driver_{machine_};
  StrategyVocabulary vocabulary_;
  engine::MarketDirectory markets_;
  Timestamp now_;
  engine::SequenceNumber last_;
  std::vector<std::string> script_;
  absl::Status script_status_;
  std::string answer_;  // To the line that is run.
};

}  // namespace

void ScriptedStrategy::OnOrder(const OrderUpdate& update) {
  if (update.kind != InputKind::kOrderFilled) return;
  Metric("filled", static_cast<int64_t>(update.quantity.units()));
}

absl::StatusOr<std::string> RunTranscript(absl::string_view file, absl::string_view text,
                                          std::unique_ptr<Strategy> strategy) {
  if (strategy == nullptr) strategy = std::make_unique<ScriptedStrategy>();
  return Runner(file, std::move(strategy)).Run(text);
}

}  // namespace strategy
