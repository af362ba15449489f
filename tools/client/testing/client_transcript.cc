#include "tools/client/testing/client_transcript.h"

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/bytes.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/messages/names.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/commands.h"
#include "engine/wire/kalshi/frames.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"
#include "tools/client/call.h"
#include "tools/client/client.h"
#include "tools/client/testing/order_transcript.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"
#include "tools/strategy/testing/transcript_files.h"

namespace client {
namespace {

using engine::Price;
using engine::Timestamp;
using engine::kalshi::Channel;
using engine::kalshi::Count;
using engine::kalshi::FrameType;
using strategy::Input;
using strategy::InputKind;

constexpr absl::string_view kFirstTime = "2026-01-01T00:00:00Z";
constexpr int64_t kBooksSid = 1;
constexpr int64_t kTradesSid = 2;
constexpr int64_t kLifecycleSid = 5;
constexpr absl::string_view kUsage =
    "expected begin, stop, open, closed, reply, failed, frame, subscribed, snapshot, delta, trade, "
    "determined, at, order, cancel or bad_book";

absl::Status Malformed(absl::string_view what) { return absl::InvalidArgumentError(what); }

absl::StatusOr<Price> PriceOf(absl::string_view word) {
  const std::optional<Price> price = engine::kalshi::ParsePrice(word);
  if (!price.has_value()) return Malformed("expected a price");
  return *price;
}

absl::StatusOr<Count> CountOf(absl::string_view word) {
  const bool is_less = absl::ConsumePrefix(&word, "-");
  const std::optional<Count> count = engine::kalshi::ParseCount(word);
  if (!count.has_value()) return Malformed("expected a count");
  return Count::FromHundredths(is_less ? -count->hundredths() : count->hundredths());
}

std::string PriceText(Price price) {
  std::string text;
  engine::kalshi::AppendPrice(price, text);
  return text;
}

std::string CountText(int64_t hundredths) {
  std::string text;
  engine::kalshi::AppendCount(Count::FromHundredths(hundredths), text);
  return text;
}

// Kalshi's markets in the replies of the transcripts.
std::string MarketJson(absl::string_view ticker, absl::string_view result) {
  return absl::StrCat(R"({"ticker":")", ticker, R"(","title":"","status":")",
                      result.empty() ? "active" : "determined", R"(","result":")", result,
                      result.empty() ? R"(")" : R"(","settlement_value_dollars":"1.0000")",
                      R"(,"price_ranges":[{"start":"0.0000","end":"1.0000","step":"0.0100"}]})");
}

class Runner final : private ClientHost {
 public:
  Runner() : client_({.run = "run", .tickers = {"RAIN", "SNOW"}, .seed = 1}, *this) {}

  absl::StatusOr<std::string> Run(absl::string_view file, absl::string_view text) {
    return strategy::AnswerTranscript(
        file, text,
        [this](absl::string_view line, std::string& answer) { return RunLine(line, answer); });
  }

 private:
  absl::Status RunLine(absl::string_view line, std::string& answer) {
    answer_.clear();
    const Phase before = client_.phase();
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    RETURN_IF_ERROR(RunStep(parts.first, parts.second));
    if (client_.phase() != before) Say("phase ", PhaseName(client_.phase()));
    if (client_.is_over() && !client_.status().ok()) Say("error ", client_.status().message());
    answer += answer_;
    return absl::OkStatus();
  }

  absl::Status RunStep(absl::string_view verb, absl::string_view rest) {
    const std::vector<absl::string_view> words = absl::StrSplit(rest, ' ', absl::SkipEmpty());
    if (verb == "begin") {
      client_.Begin(now_);
    } else if (verb == "stop") {
      client_.Stop(now_);
    } else if (verb == "open") {
      client_.OnFeedOpen(now_);
    } else if (verb == "closed") {
      client_.OnFeedClosed(rest, now_);
    } else if (verb == "reply") {
      return RunReply(rest);
    } else if (verb == "failed") {
      ASSIGN_OR_RETURN(const uint64_t id, TakeCall());
      client_.OnCallFailed(id, rest, /*may_have_arrived=*/true, now_);
    } else if (verb == "frame") {
      client_.OnFrame(rest, now_);
    } else if (verb == "subscribed") {
      RunSubscribed();
    } else if (verb == "snapshot") {
      return RunSnapshot(words);
    } else if (verb == "delta") {
      return RunDelta(words);
    } else if (verb == "trade") {
      return RunTrade(words);
    } else if (verb == "determined") {
      return RunDetermined(words);
    } else if (verb == "at") {
      return RunAt(rest);
    } else if (verb == "order" || verb == "cancel") {
      return RunAction(verb, words);
    } else if (verb == "bad_book") {
      bad_books_.insert(client_.tickers().Find(rest));
    } else {
      return Malformed(kUsage);
    }
    return absl::OkStatus();
  }

  // `reply 200 BODY`, the body as JSON or as a word for the usual one: limits, markets, nothing.
  absl::Status RunReply(absl::string_view rest) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(rest, absl::MaxSplits(' ', 1));
    int status = 0;
    if (!engine::ParseInteger(parts.first, status)) return Malformed("expected a status");
    std::string body(parts.second);
    if (body == "limits") {
      body = R"({"usage_tier":"basic","read":{"bucket_capacity":200,"refill_rate":200},)"
             R"("write":{"bucket_capacity":100,"refill_rate":100},"grants":[]})";
    } else if (body == "markets") {
      body = absl::StrCat(R"({"markets":[)", MarketJson("RAIN", ""), ",", MarketJson("SNOW", ""),
                          R"(],"cursor":""})");
    } else if (body == "rain_won") {
      body = absl::StrCat(R"({"markets":[)", MarketJson("RAIN", "yes"), ",", MarketJson("SNOW", ""),
                          R"(],"cursor":""})");
    } else if (body == "now") {
      body = absl::StrCat(R"({"as_of_time":")", now_.ToString(), R"("})");
    } else if (body == "none") {
      body = R"({"orders":[],"fills":[],"market_positions":[],"event_positions":[],"cursor":""})";
    }
    ASSIGN_OR_RETURN(const uint64_t id, TakeCall());
    client_.OnReply({.id = id, .status = status, .body = body}, now_);
    return absl::OkStatus();
  }

  absl::StatusOr<uint64_t> TakeCall() {
    if (calls_.empty()) return Malformed("nothing was asked");
    const uint64_t id = calls_.front();
    calls_.pop_front();
    return id;
  }

  void RunSubscribed() {
    constexpr std::array kChannels = {Channel::kOrderbookDelta, Channel::kTrade, Channel::kFill,
                                      Channel::kUserOrders, Channel::kMarketLifecycle};
    int64_t sid = 0;
    for (const Channel channel : kChannels) {
      std::string frame;
      engine::kalshi::AppendSubscribed(1, channel, ++sid, frame);
      client_.OnFrame(frame, now_);
    }
  }

  // `snapshot 1 RAIN bid 0.40 5 ask 0.45 7`.
  absl::Status RunSnapshot(const std::vector<absl::string_view>& words) {
    if (words.size() < 2 || words.size() % 3 != 2) return Malformed("expected SEQ TICKER LEVELS");
    std::vector<engine::kalshi::Level> bids;
    std::vector<engine::kalshi::Level> asks;
    for (size_t i = 2; i < words.size(); i += 3) {
      engine::Side side = {};
      if (!engine::ParseName(words[i], side)) return Malformed("expected bid or ask");
      ASSIGN_OR_RETURN(const Price price, PriceOf(words[i + 1]));
      ASSIGN_OR_RETURN(const Count count, CountOf(words[i + 2]));
      (side == engine::Side::kBid ? bids : asks).push_back({.price = price, .count = count});
    }
    bad_books_.erase(client_.tickers().Find(words[1]));
    std::string msg;
    engine::kalshi::JsonWriter json(msg);
    Write(engine::kalshi::OrderbookSnapshot{.market = {.ticker = words[1]},
                                            .book = {.bids = bids, .asks = asks}},
          {.use_yes_price = true}, json);
    return Frame(FrameType::kOrderbookSnapshot, kBooksSid, words[0], msg);
  }

  // `delta 2 RAIN bid 0.40 -5`.
  absl::Status RunDelta(const std::vector<absl::string_view>& words) {
    if (words.size() != 5) return Malformed("expected SEQ TICKER SIDE PRICE CHANGE");
    engine::kalshi::OrderbookDelta delta{.market = {.ticker = words[1]}, .time = now_};
    if (!engine::ParseName(words[2], delta.side)) return Malformed("expected bid or ask");
    ASSIGN_OR_RETURN(delta.price, PriceOf(words[3]));
    ASSIGN_OR_RETURN(delta.change, CountOf(words[4]));
    std::string msg;
    engine::kalshi::JsonWriter json(msg);
    Write(delta, {.use_yes_price = true}, json);
    return Frame(FrameType::kOrderbookDelta, kBooksSid, words[0], msg);
  }

  // `trade 1 RAIN bid 0.45 2`.
  absl::Status RunTrade(const std::vector<absl::string_view>& words) {
    if (words.size() != 5) return Malformed("expected SEQ TICKER SIDE PRICE COUNT");
    engine::kalshi::Trade trade{.ticker = words[1], .time = now_};
    if (!engine::ParseName(words[2], trade.taker_side)) return Malformed("expected bid or ask");
    ASSIGN_OR_RETURN(trade.price, PriceOf(words[3]));
    ASSIGN_OR_RETURN(trade.count, CountOf(words[4]));
    std::string msg;
    engine::kalshi::JsonWriter json(msg);
    WriteTradeMessage(trade, json);
    return Frame(FrameType::kTrade, kTradesSid, words[0], msg);
  }

  // `determined 1 RAIN 1.00`.
  absl::Status RunDetermined(const std::vector<absl::string_view>& words) {
    if (words.size() != 3) return Malformed("expected SEQ TICKER VALUE");
    ASSIGN_OR_RETURN(const Price value, PriceOf(words[2]));
    std::string msg;
    engine::kalshi::JsonWriter json(msg);
    WriteMarketDetermined(words[1], engine::kalshi::MarketResult::kYes, value, now_, json);
    return Frame(FrameType::kMarketLifecycle, kLifecycleSid, words[0], msg);
  }

  absl::Status Frame(FrameType type, int64_t sid, absl::string_view seq, absl::string_view msg) {
    engine::kalshi::FrameAddress address{.sid = sid};
    int64_t number = 0;
    if (!engine::ParseInteger(seq, number)) return Malformed("expected a sequence number");
    address.seq = number;
    std::string frame;
    AppendFrame(type, address, msg, frame);
    client_.OnFrame(frame, now_);
    return absl::OkStatus();
  }

  absl::Status RunAt(absl::string_view rest) {
    absl::ConsumePrefix(&rest, "+");
    const std::optional<Price> seconds = engine::kalshi::ParsePrice(rest);
    if (!seconds.has_value()) return Malformed("expected +SECONDS");
    now_ = Timestamp::FromNanos(now_.nanos() + seconds->units() * 100'000);
    client_.OnTime(now_);
    return absl::OkStatus();
  }

  // `order 1 RAIN bid 0.40 5`, `cancel 1 RAIN`.
  absl::Status RunAction(absl::string_view verb, const std::vector<absl::string_view>& words) {
    if (words.size() < 2) return Malformed("expected NUMBER TICKER");
    uint64_t number = 0;
    if (!engine::ParseInteger(words[0], number)) return Malformed("expected a number");
    strategy::Action action{.order = strategy::OrderNumber(number),
                            .market = client_.tickers().Find(words[1]),
                            .kind = strategy::ActionKind::kCancel};
    if (verb == "order") {
      if (words.size() != 5) return Malformed("expected NUMBER TICKER SIDE PRICE COUNT");
      action.kind = strategy::ActionKind::kNewOrder;
      action.tif = engine::TimeInForce::kGoodTillCancelled;
      if (!engine::ParseName(words[2], action.side)) return Malformed("expected bid or ask");
      ASSIGN_OR_RETURN(action.price, PriceOf(words[3]));
      ASSIGN_OR_RETURN(const Count count, CountOf(words[4]));
      action.quantity = count.ToQuantity();
    }
    client_.Act(action, now_);
    return absl::OkStatus();
  }

  // ---- What the client does.

  template <typename... What>
  void Say(const What&... what) {
    absl::StrAppend(&answer_, what..., "\n");
  }

  void Start(const Call& call) override {
    calls_.push_back(call.id);
    Say("ask ", call.method, " ", call.path, call.query.empty() ? "" : "?", call.query);
  }
  void OpenFeed() override { Say("open the feed"); }
  void CloseFeed() override { Say("close the feed"); }
  void SendFrame(absl::string_view json) override { Say("send ", json); }
  void OnOrderLive(absl::string_view /*order_id*/) override {}
  void OnOrderEnded(absl::string_view /*order_id*/) override {}
  bool IsBookGood(engine::MarketId market) const override { return !bad_books_.contains(market); }
  void Note(absl::string_view text) override { Say("note ", text); }

  void Hear(const Input& input, engine::Bytes /*attachment*/) override {
    Say("hear ", TextOf(input));
  }

  std::string TextOf(const Input& input) const {
    const absl::string_view ticker = client_.tickers().TickerOf(input.market);
    const std::string side(input.side == engine::Side() ? "none" : engine::NameOf(input.side));
    const std::string level = absl::StrCat(ticker, " ", side, " ", PriceText(input.price), " ");
    const std::string quantity = CountText(static_cast<int64_t>(input.quantity.units()));
    switch (input.kind) {
      case InputKind::kMarket:
        return absl::StrCat("market ", ticker);
      case InputKind::kConnection:
        return absl::StrCat("connection ", strategy::kConnectionNames[input.detail]);
      case InputKind::kBookClear:
        return absl::StrCat("book ", ticker);
      case InputKind::kBookLevel:
        return absl::StrCat("level ", level, quantity);
      case InputKind::kBookChange:
        return absl::StrCat("change ", level, CountText(input.amount));
      case InputKind::kBookStale:
        return absl::StrCat("stale ", ticker);
      case InputKind::kTrade:
        return absl::StrCat("trade ", level, quantity);
      case InputKind::kPosition:
        return absl::StrCat("position ", ticker, " ", CountText(input.amount));
      case InputKind::kSettled:
        return absl::StrCat("settled ", ticker, " ", PriceText(input.price));
      default: {
        const std::string heard = HeardText(input);
        return std::string(absl::StripPrefix(heard, "heard "));
      }
    }
  }

  Timestamp now_ = *Timestamp::Parse(kFirstTime);
  std::string answer_;
  std::deque<uint64_t> calls_;
  std::set<engine::MarketId> bad_books_;
  Client client_;
};

}  // namespace

absl::StatusOr<std::string> RunClientTranscript(absl::string_view file, absl::string_view text) {
  return Runner().Run(file, text);
}

}  // namespace client
