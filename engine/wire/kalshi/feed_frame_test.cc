#include "engine/wire/kalshi/feed_frame.h"

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/frames.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace engine::kalshi {
namespace {

constexpr MarketName kMarket = {.ticker = "KX-1", .id = "9df498fd-1ffe-833c-b2d6-14a55c96b914"};
constexpr FrameAddress kAddress = {.sid = 3, .seq = 7};

Timestamp At(int64_t seconds) { return Timestamp::FromNanos(seconds * 1'000'000'000); }

// A frame whose msg `write` writes.
std::string Frame(FrameType type, const FrameAddress& address,
                  absl::FunctionRef<void(JsonWriter&)> write) {
  std::string msg;
  JsonWriter json(msg);
  write(json);
  std::string out;
  AppendFrame(type, address, msg, out);
  return out;
}

template <typename T>
std::string FrameOf(FrameType type, const FrameAddress& address, const T& value) {
  return Frame(type, address, [&](JsonWriter& json) { Write(value, json); });
}

class FeedFrameTest : public testing::TestWithParam<bool> {
 protected:
  // As both paths read it.
  const FeedFrame& Read(absl::string_view bytes) {
    bytes_ = std::string(bytes);
    EXPECT_EQ(decoder_.Decode(bytes_, frame_), absl::OkStatus()) << bytes;
    FeedFrame other;
    EXPECT_EQ(general_.DecodeAny(bytes_, other), absl::OkStatus());
    EXPECT_EQ(frame_, other) << bytes;
    return frame_;
  }

  std::string ErrorOf(absl::string_view bytes) {
    const absl::Status status = decoder_.Decode(bytes, frame_);
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << bytes;
    return std::string(status.message());
  }

  BookForm form() const { return {.use_yes_price = GetParam()}; }

  FeedDecoder decoder_{GetParam()};
  FeedDecoder general_{GetParam()};
  std::string bytes_;  // What frame_ has views of.
  FeedFrame frame_;
};

INSTANTIATE_TEST_SUITE_P(UseYesPrice, FeedFrameTest, testing::Bool());

TEST_P(FeedFrameTest, ReadsASnapshot) {
  const std::array<Level, 1> bids = {{{Price::FromUnits(4'700), Count::FromHundredths(300)}}};
  const std::array<Level, 2> asks = {{{Price::FromUnits(5'200), Count::FromHundredths(200)},
                                      {Price::FromUnits(5'300), Count::FromHundredths(100)}}};
  const OrderbookSnapshot snapshot = {kMarket, {.bids = bids, .asks = asks}};
  const FeedFrame& frame = Read(Frame(FrameType::kOrderbookSnapshot, {.sid = 3, .seq = 7, .id = 9},
                                      [&](JsonWriter& json) { Write(snapshot, form(), json); }));
  EXPECT_EQ(frame.type, FeedType::kSnapshot);
  EXPECT_EQ(frame.id, 9);
  EXPECT_EQ(frame.sid, 3);
  EXPECT_EQ(frame.seq, 7);
  EXPECT_EQ(frame.ticker, "KX-1");
  std::vector<FeedLevel> levels = {
      {Side::kBid, Price::FromUnits(4'700), Count::FromHundredths(300)},
      {Side::kAsk, Price::FromUnits(5'300), Count::FromHundredths(100)},
      {Side::kAsk, Price::FromUnits(5'200), Count::FromHundredths(200)}};
  if (GetParam()) std::swap(levels[1], levels[2]);
  EXPECT_EQ(frame.levels, levels);
}

TEST_P(FeedFrameTest, ASideOfASnapshotMayBeMissing) {
  const OrderbookSnapshot snapshot = {kMarket, {}};
  for (const bool omits : {false, true}) {
    const BookForm form = {.use_yes_price = GetParam(), .omits_empty_sides = omits};
    const FeedFrame& frame = Read(Frame(FrameType::kOrderbookSnapshot, kAddress,
                                        [&](JsonWriter& json) { Write(snapshot, form, json); }));
    EXPECT_EQ(frame.type, FeedType::kSnapshot);
    EXPECT_EQ(frame.levels, std::vector<FeedLevel>{});
  }
}

TEST_P(FeedFrameTest, ReadsDeltasOfBothSides) {
  for (const Side side : {Side::kBid, Side::kAsk}) {
    for (const bool is_own : {false, true}) {
      const OrderbookDelta delta = {.market = kMarket,
                                    .side = side,
                                    .price = Price::FromUnits(4'701),
                                    .change = Count::FromHundredths(-305),
                                    .time = Timestamp::FromNanos(1'781'159'489'957'081'000),
                                    .is_own = is_own,
                                    .client_order_id = "run-1"};
      const FeedFrame& frame = Read(Frame(FrameType::kOrderbookDelta, kAddress,
                                          [&](JsonWriter& json) { Write(delta, form(), json); }));
      EXPECT_EQ(frame.type, FeedType::kDelta);
      EXPECT_EQ(frame.sid, 3);
      EXPECT_EQ(frame.seq, 7);
      EXPECT_EQ(frame.ticker, "KX-1");
      EXPECT_EQ(frame.time, delta.time);
      EXPECT_EQ(frame.levels, (std::vector<FeedLevel>{{side, delta.price, delta.change}}));
    }
  }
}

TEST_P(FeedFrameTest, ReadsTrades) {
  for (const Side side : {Side::kBid, Side::kAsk}) {
    const Trade trade = {.trade_id = "t",
                         .ticker = "KX-1",
                         .count = Count::FromHundredths(100),
                         .price = Price::FromUnits(5'200),
                         .taker_side = side,
                         .time = At(2)};
    const FeedFrame& frame = Read(Frame(FrameType::kTrade, kAddress,
                                        [&](JsonWriter& json) { WriteTradeMessage(trade, json); }));
    EXPECT_EQ(frame.type, FeedType::kTrade);
    EXPECT_EQ(frame.seq, 7);
    EXPECT_EQ(frame.ticker, "KX-1");
    EXPECT_EQ(frame.time, trade.time);
    EXPECT_EQ(frame.levels, (std::vector<FeedLevel>{{side, trade.price, trade.count}}));
  }
}

// Without taker_outcome_side, as recorded in summer 2026.
TEST_P(FeedFrameTest, AnOlderTradeHasATakerSide) {
  const FeedFrame& frame = Read(
      R"({"type":"trade","sid":3,"seq":1,"msg":{"market_ticker":"X","yes_price_dollars":"0.36",)"
      R"("no_price_dollars":"0.64","count_fp":"136.00","taker_side":"no","ts":1669149841}})");
  EXPECT_EQ(frame.levels, (std::vector<FeedLevel>{{Side::kAsk, Price::FromUnits(3'600),
                                                   Count::FromHundredths(13'600)}}));
  EXPECT_EQ(frame.time, Timestamp());
}

TEST_P(FeedFrameTest, ReadsFills) {
  const FillMessage message = {.fill = {.fill_id = "t",
                                        .order_id = "o",
                                        .ticker = "KX-1",
                                        .side = Side::kAsk,
                                        .count = Count::FromHundredths(116),
                                        .price = Price::FromUnits(1'600),
                                        .is_taker = true,
                                        .fee = Money::FromMicros(11'000),
                                        .time = At(1)},
                               .client_order_id = "run-\"1\"",
                               .post_position = Count::FromHundredths(436)};
  const FeedFrame& frame = Read(FrameOf(FrameType::kFill, {.sid = 3}, message));
  EXPECT_EQ(frame.type, FeedType::kFill);
  EXPECT_EQ(frame.sid, 3);
  EXPECT_EQ(frame.seq, 0);
  EXPECT_EQ(frame.ticker, "KX-1");
  EXPECT_EQ(frame.time, At(1));
  EXPECT_EQ(frame.fill, (FeedFill{.trade_id = "t",
                                  .order_id = "o",
                                  .client_order_id = "run-\"1\"",
                                  .side = Side::kAsk,
                                  .price = Price::FromUnits(1'600),
                                  .count = Count::FromHundredths(116),
                                  .fee = Money::FromMicros(11'000),
                                  .is_taker = true}));
}

TEST_P(FeedFrameTest, ReadsOwnOrders) {
  const Order order = {.order_id = "o",
                       .client_order_id = "c",
                       .ticker = "KX-1",
                       .side = Side::kAsk,
                       .status = OrderStatus::kCanceled,
                       .price = Price::FromUnits(5'200),
                       .fill_count = Count::FromHundredths(1),
                       .remaining_count = Count::FromHundredths(2),
                       .initial_count = Count::FromHundredths(3)};
  const FeedFrame& frame =
      Read(FrameOf(FrameType::kUserOrder, {.sid = 3},
                   UserOrderMessage{.order = order, .reason = OrderUpdate::kSelfTradeCancel}));
  EXPECT_EQ(frame.type, FeedType::kUserOrder);
  EXPECT_EQ(frame.ticker, "KX-1");
  EXPECT_EQ(frame.order, (FeedOrder{.order_id = "o",
                                    .client_order_id = "c",
                                    .side = Side::kAsk,
                                    .status = OrderStatus::kCanceled,
                                    .price = Price::FromUnits(5'200),
                                    .fill_count = Count::FromHundredths(1),
                                    .remaining_count = Count::FromHundredths(2),
                                    .initial_count = Count::FromHundredths(3),
                                    .reason = "SelfTradeCancel"}));
  EXPECT_EQ(Read(FrameOf(FrameType::kUserOrder, {.sid = 3}, UserOrderMessage{.order = order}))
                .order.reason,
            "");
}

TEST_P(FeedFrameTest, ReadsTheLifecycleOfAMarket) {
  const auto lifecycle = [this](absl::FunctionRef<void(JsonWriter&)> write) {
    const FeedFrame& frame = Read(Frame(FrameType::kMarketLifecycle, kAddress, write));
    EXPECT_EQ(frame.type, FeedType::kLifecycle);
    EXPECT_EQ(frame.ticker, "X");
    return frame.lifecycle;
  };
  EXPECT_EQ(lifecycle([](JsonWriter& json) { WriteMarketCreated({.ticker = "X"}, json); }),
            Lifecycle::kCreated);
  EXPECT_EQ(lifecycle([](JsonWriter& json) { WriteMarketActivated("X", false, json); }),
            Lifecycle::kActivated);
  EXPECT_EQ(lifecycle([](JsonWriter& json) { WriteMarketActivated("X", true, json); }),
            Lifecycle::kDeactivated);
  EXPECT_EQ(lifecycle([](JsonWriter& json) { WriteCloseDateUpdated("X", At(5), json); }),
            Lifecycle::kCloseDateUpdated);
  EXPECT_EQ(lifecycle([](JsonWriter& json) { WriteMarketSettled("X", At(7), json); }),
            Lifecycle::kSettled);
  EXPECT_EQ(frame_.settlement_value, std::nullopt);
  EXPECT_EQ(lifecycle([](JsonWriter& json) {
              WriteMarketDetermined("X", MarketResult::kScalar, Price::FromUnits(2'500), At(6),
                                    json);
            }),
            Lifecycle::kDetermined);
  EXPECT_EQ(frame_.settlement_value, Price::FromUnits(2'500));
  EXPECT_EQ(Read(R"({"type":"market_lifecycle_v2","sid":1,"seq":1,)"
                 R"("msg":{"market_ticker":"X","event_type":"metadata_updated"}})")
                .lifecycle,
            Lifecycle::kOther);
}

TEST_P(FeedFrameTest, ReadsRepliesToCommands) {
  std::string out;
  AppendSubscribed(5, Channel::kUserOrders, 4, out);
  EXPECT_EQ(Read(out).type, FeedType::kSubscribed);
  EXPECT_EQ(frame_.id, 5);
  EXPECT_EQ(frame_.sid, 4);
  EXPECT_EQ(frame_.name, "user_orders");

  out.clear();
  const std::array<absl::string_view, 2> tickers = {"A", "B"};
  AppendOk({.sid = 1, .seq = 8, .id = 6}, tickers, out);
  EXPECT_EQ(Read(out).type, FeedType::kOk);
  EXPECT_EQ(frame_.id, 6);
  EXPECT_EQ(frame_.sid, 1);
  EXPECT_EQ(frame_.seq, 8);

  out.clear();
  const std::array<ListedSubscription, 1> listed = {{{.channel = Channel::kTrade, .sid = 2}}};
  AppendSubscriptions(7, listed, out);
  EXPECT_EQ(Read(out).type, FeedType::kOk);
  EXPECT_EQ(frame_.id, 7);

  out.clear();
  AppendUnsubscribed({.sid = 1, .seq = 7, .id = 2}, out);
  EXPECT_EQ(Read(out).type, FeedType::kUnsubscribed);
  EXPECT_EQ(frame_.seq, 7);

  out.clear();
  AppendError({.sid = 1, .seq = 9, .id = 2}, SocketErrorCode::kBufferOverflow, {}, out);
  EXPECT_EQ(Read(out).type, FeedType::kError);
  EXPECT_EQ(frame_.id, 2);
  EXPECT_EQ(frame_.sid, 1);
  EXPECT_EQ(frame_.seq, 9);
  EXPECT_EQ(frame_.code, 25);
  EXPECT_EQ(frame_.name, "Subscription buffer overflow");
}

TEST_P(FeedFrameTest, OtherFramesHaveTheirType) {
  EXPECT_EQ(Read(FrameOf(FrameType::kTicker, {.sid = 2}, Ticker{.market = kMarket})).type,
            FeedType::kOther);
  EXPECT_EQ(frame_.name, "ticker");
  EXPECT_EQ(frame_.sid, 2);
  Read(FrameOf(FrameType::kMarketPosition, {.sid = 2}, MarketPositionMessage{}));
  EXPECT_EQ(frame_.name, "market_position");
  Read(FrameOf(FrameType::kOrderGroupUpdates, kAddress, OrderGroupUpdateMessage{}));
  EXPECT_EQ(frame_.name, "order_group_updates");
  EXPECT_EQ(frame_.seq, 7);
}

// Go's encoder ends each with a line feed.
TEST_P(FeedFrameTest, BlanksAroundAFrameAreIgnored) {
  EXPECT_EQ(Read("{\"type\":\"ok\",\"id\":1}\n").id, 1);
  EXPECT_EQ(Read(" \r\n{ \"type\" : \"ok\" , \"id\" : 2 } \n").id, 2);
}

TEST_P(FeedFrameTest, AnErrorNamesTheMemberAndWhatWasExpected) {
  EXPECT_EQ(ErrorOf(""), "frame: EOF");
  EXPECT_EQ(ErrorOf("{"), "frame: invalid JSON");
  EXPECT_EQ(ErrorOf("[]"), "frame: expected a JSON object");
  EXPECT_EQ(ErrorOf("{}"), "type: missing, expected a text");
  EXPECT_EQ(ErrorOf(R"({"type":"trade"})"), "msg: missing, expected an object");
  EXPECT_EQ(ErrorOf(R"({"type":"fill","msg":[]})"), "msg: expected an object");
  EXPECT_EQ(ErrorOf(R"({"type":"ok","seq":"1"})"), "seq: expected a whole number");
  EXPECT_EQ(ErrorOf(R"({"type":"ok","sid":1.5})"), "sid: expected a whole number");
  EXPECT_EQ(ErrorOf(R"({"type":"subscribed","msg":{"channel":"trade"}})"),
            "sid: missing, expected a whole number");
  EXPECT_EQ(ErrorOf(R"({"type":"error","msg":{}})"), "code: missing, expected a whole number");
}

// The frame of a delta, with another text in place of the first.
std::string Altered(absl::string_view old_text, absl::string_view new_text) {
  std::string frame =
      R"({"type":"orderbook_delta","sid":1,"seq":2,"msg":{"market_ticker":"X","market_id":"f5ed",)"
      R"("price_dollars":"0.4700","delta_fp":"-3.00","side":"yes",)"
      R"("ts":"2026-06-11T06:31:29.957081Z","ts_ms":1781159489957}})";
  const size_t at = frame.find(std::string(old_text));
  EXPECT_NE(at, std::string::npos) << old_text;
  return frame.replace(at, old_text.size(), std::string(new_text));
}

TEST_P(FeedFrameTest, WrongMembersOfADeltaAreErrors) {
  const std::string price = "expected a price above 0 and below 1 dollar with at most 4 decimals";
  const std::string count = "expected a count of at most 10000000000000 with at most 2 decimals";
  EXPECT_EQ(ErrorOf(Altered("0.4700", "1.0000")), absl::StrCat("price_dollars: '1.0000', ", price));
  EXPECT_EQ(ErrorOf(Altered("0.4700", "0.0000")), absl::StrCat("price_dollars: '0.0000', ", price));
  EXPECT_EQ(ErrorOf(Altered("0.4700", "0.47001")),
            absl::StrCat("price_dollars: '0.47001', ", price));
  EXPECT_EQ(ErrorOf(Altered("-3.00", "--3.00")), absl::StrCat("delta_fp: '--3.00', ", count));
  EXPECT_EQ(ErrorOf(Altered("-3.00", "10000000000000.01")),
            absl::StrCat("delta_fp: '10000000000000.01', ", count));
  EXPECT_EQ(ErrorOf(Altered("\"-3.00\"", "-3")), "delta_fp: expected a text");
  EXPECT_EQ(ErrorOf(Altered("\"yes\"", "\"bid\"")), "side: 'bid', expected yes or no");
  EXPECT_EQ(ErrorOf(Altered("T06", "T24")),
            "ts: '2026-06-11T24:31:29.957081Z', expected a time as 2026-06-11T05:39:31.28563Z");
  EXPECT_EQ(ErrorOf(Altered("market_ticker", "market")), "market_ticker: missing, expected a text");
  EXPECT_EQ(ErrorOf(Altered("\"seq\":2", "\"seq\":02")), "frame: invalid JSON");
  EXPECT_EQ(ErrorOf(Altered("f5ed", "\xFF")), "frame: invalid UTF-8");
  EXPECT_EQ(ErrorOf(Altered("957}}", "957}}}")), "frame: invalid JSON");
  EXPECT_EQ(ErrorOf(Altered("957}}", "957}")), "frame: invalid JSON");
}

TEST_P(FeedFrameTest, OneLevelThatIsWrongIsAnErrorOfTheSnapshot) {
  const auto error = [this](absl::string_view levels) {
    return ErrorOf(
        absl::StrCat(R"({"type":"orderbook_snapshot","msg":{"market_ticker":"X","yes_dollars_fp":)",
                     levels, "}}"));
  };
  EXPECT_EQ(error("7"), "yes_dollars_fp: expected a list");
  const char* const entry =
      "yes_dollars_fp: 'an entry', expected lists of two texts: a price and a count";
  EXPECT_EQ(error("[7]"), entry);
  EXPECT_EQ(error(R"([["0.47"]])"), entry);
  EXPECT_EQ(error(R"([["0.47","1.00","2"]])"), entry);
  EXPECT_EQ(error(R"([["0.47",1]])"), entry);
  EXPECT_EQ(error(R"([["0.47","1.00"],["0.48","-1.00"]])"),
            "yes_dollars_fp: '-1.00', expected a count of at most 10000000000000 with at most 2 "
            "decimals");
}

TEST_P(FeedFrameTest, AFrameThatIsTooLongIsRefused) {
  EXPECT_EQ(ErrorOf(std::string(FeedDecoder::kFrameBytesMax + 1, ' ')),
            "frame: 4194305 bytes, expected at most 4194304");
}

TEST_P(FeedFrameTest, DeepNestingIsRefused) {
  const std::string list = std::string(1'000, '[') + std::string(1'000, ']');
  EXPECT_EQ(ErrorOf(absl::StrCat(R"({"type":"ok","msg":)", list, "}")),
            "frame: exceeded max depth");
}

TEST_P(FeedFrameTest, AFrameHasNothingOfTheOneBefore) {
  Read(FrameOf(FrameType::kFill, {.sid = 3}, FillMessage{.fill = {.fill_id = "t", .ticker = "X"}}));
  Read(Altered("sid", "sid"));
  EXPECT_EQ(frame_.fill, FeedFill());
  Read(R"({"type":"ok"})");
  EXPECT_EQ(frame_, FeedFrame{.type = FeedType::kOk});
}

}  // namespace
}  // namespace engine::kalshi
