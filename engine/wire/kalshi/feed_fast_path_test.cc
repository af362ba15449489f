#include "engine/wire/kalshi/feed_fast_path.h"

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/channel_messages.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/frames.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace {
std::atomic<uint64_t> allocation_count = 0;
}  // namespace

void* operator new(size_t bytes) {
  ++allocation_count;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace engine::kalshi {
namespace {

constexpr MarketName kMarket = {.ticker = "KXBTCD-26NOV2017-T97249.99",
                                .id = "9df498fd-1ffe-833c-b2d6-14a55c96b914"};

std::string DeltaFrame(const OrderbookDelta& delta, const FrameAddress& address,
                       const BookForm& form) {
  std::string msg;
  JsonWriter json(msg);
  Write(delta, form, json);
  std::string out;
  AppendFrame(FrameType::kOrderbookDelta, address, msg, out);
  return out;
}

std::string TradeFrame(const Trade& trade, const FrameAddress& address) {
  std::string msg;
  JsonWriter json(msg);
  WriteTradeMessage(trade, json);
  std::string out;
  AppendFrame(FrameType::kTrade, address, msg, out);
  return out;
}

// What the fast path reads, if it does.
std::optional<FeedFrame> ReadFast(absl::string_view bytes, bool use_yes_price) {
  FeedFastPath fast_path({.use_yes_price = use_yes_price});
  FeedFrame frame;
  if (!fast_path.Read(bytes, frame)) return std::nullopt;
  return frame;
}

// Both paths agree about these bytes. Whether the fast path took them.
bool Agree(absl::string_view bytes, bool use_yes_price) {
  FeedDecoder decoder(use_yes_price);
  FeedDecoder general(use_yes_price);
  FeedFrame frame;
  FeedFrame other;
  const absl::Status status = decoder.Decode(bytes, frame);
  const absl::Status expected = general.DecodeAny(bytes, other);
  RC_ASSERT(status == expected);
  if (status.ok()) RC_ASSERT(frame == other);
  const std::optional<FeedFrame> fast = ReadFast(bytes, use_yes_price);
  if (!fast.has_value()) return false;
  RC_ASSERT(expected.ok());
  RC_ASSERT(*fast == other);
  return true;
}

constexpr absl::string_view kDelta =
    R"({"type":"orderbook_delta","sid":1,"seq":2,"msg":{"market_ticker":"X","market_id":"f5ed",)"
    R"("price_dollars":"0.4700","delta_fp":"-3.00","side":"yes",)"
    R"("ts":"2026-06-11T06:31:29.957081Z","ts_ms":1781159489957}})";
constexpr absl::string_view kTrade =
    R"({"type":"trade","sid":1,"seq":2,"msg":{"trade_id":"t","market_ticker":"X",)"
    R"("yes_price_dollars":"0.5200","no_price_dollars":"0.4800","count_fp":"1.00",)"
    R"("taker_side":"yes","taker_outcome_side":"yes","taker_book_side":"bid",)"
    R"("is_block_trade":false,"ts":1669149841,"ts_ms":1669149841000}})";

std::string Replaced(absl::string_view frame, absl::string_view old_text,
                     absl::string_view new_text) {
  std::string text(frame);
  const size_t at = text.find(std::string(old_text));
  EXPECT_NE(at, std::string::npos) << old_text;
  return text.replace(at, old_text.size(), std::string(new_text));
}

TEST(FeedFastPathTest, TakesTheDocumentedFrames) {
  const std::optional<FeedFrame> delta = ReadFast(kDelta, false);
  ASSERT_TRUE(delta.has_value());
  EXPECT_EQ(*delta, (FeedFrame{.type = FeedType::kDelta,
                               .sid = 1,
                               .seq = 2,
                               .ticker = "X",
                               .time = Timestamp::FromNanos(1'781'159'489'957'081'000),
                               .levels = {{.side = Side::kBid,
                                           .price = Price::FromUnits(4'700),
                                           .count = Count::FromHundredths(-300)}}}));
  const std::optional<FeedFrame> trade = ReadFast(kTrade, false);
  ASSERT_TRUE(trade.has_value());
  EXPECT_EQ(*trade, (FeedFrame{.type = FeedType::kTrade,
                               .sid = 1,
                               .seq = 2,
                               .ticker = "X",
                               .time = Timestamp::FromNanos(1'669'149'841'000'000'000),
                               .levels = {{.side = Side::kBid,
                                           .price = Price::FromUnits(5'200),
                                           .count = Count::FromHundredths(100)}}}));
}

TEST(FeedFastPathTest, TakesWhatADeltaMayHaveOrLack) {
  EXPECT_TRUE(ReadFast(Replaced(kDelta, R"(,"ts_ms":1781159489957)", ""), false).has_value());
  EXPECT_TRUE(ReadFast(Replaced(kDelta, "}}", R"(,"client_order_id":"c","subaccount":0}})"), false)
                  .has_value());
  EXPECT_TRUE(ReadFast(Replaced(kDelta, "}}", R"(,"subaccount":0}})"), false).has_value());
  EXPECT_TRUE(ReadFast(absl::StrCat(kDelta, "\n"), false).has_value());
  EXPECT_TRUE(ReadFast(Replaced(kTrade, "false", "true"), false).has_value());
}

TEST(FeedFastPathTest, LeavesAllElseToTheGeneralPath) {
  for (const auto& [old_text, new_text] : std::vector<std::pair<const char*, const char*>>{
           {"{\"type\"", "{ \"type\""},  // Blanks.
           {"\"X\"", "\"\\u0058\""},     // An escape.
           {"\"X\"", "\"\xC3\xA9\""},    // UTF-8.
           {"\"X\"", "\"\x01\""},        // A control character.
           {"\"sid\":1", "\"sid\":01"},  // No number of JSON.
           {"\"sid\":1", "\"sid\":-1"},
           {"\"sid\":1", "\"sid\":"},
           {"\"seq\":2", "\"seq\":2.0"},
           {"\"seq\":2", "\"seq\":2e0"},
           {"\"seq\":2", "\"seq\":1234567890123456789"},
           {"\"sid\":1,\"seq\":2", "\"seq\":2,\"sid\":1"},  // Another order.
           {"0.4700", "0.47"},
           {"0.4700", "0.47000"},
           {"0.4700", "1.0000"},
           {"0.4700", "0.0000"},
           {"0.4700", ".4700"},
           {"0.4700", "00.4700"},
           {"-3.00", "-3"},
           {"-3.00", "-3.0"},
           {"-3.00", "-3.000"},
           {"-3.00", "+3.00"},
           {"-3.00", "--3.00"},
           {"-3.00", "-.00"},
           {"-3.00", "10000000000000.01"},
           {"-3.00", "9999999999999999.00"},
           {"-3.00", "99999999999999999999.00"},
           {"\"yes\"", "\"YES\""},
           {"T06", " 06"},
           {"T06", "T24"},
           {":31", ":60"},
           {":29", ":60"},
           {".957081Z", ".957081+00:00"},
           {".957081Z", ".Z"},
           {".957081Z", ".1234567890Z"},
           {"06-11", "02-29"},  // Not in 2026.
           {"2026", "2263"},
           {"}}", "}"},
           {"}}", "}}}"},
           {"}}", ",\"more\":1}}"}}) {
    EXPECT_FALSE(ReadFast(Replaced(kDelta, old_text, new_text), false).has_value()) << new_text;
  }
  EXPECT_FALSE(ReadFast(Replaced(kTrade, "1669149841000", "9223372036855"), false).has_value());
  EXPECT_FALSE(ReadFast(Replaced(kTrade, "\"1.00\"", "\"-1.00\""), false).has_value());
}

TEST(FeedFastPathTest, EveryPrefixIsLeft) {
  for (const absl::string_view frame : {kDelta, kTrade}) {
    for (size_t size = 0; size < frame.size(); ++size) {
      // Bytes of their own, so that the sanitizer sees reads beyond them.
      const std::vector<char> bytes(frame.begin(), frame.begin() + static_cast<int64_t>(size));
      EXPECT_FALSE(ReadFast({bytes.data(), bytes.size()}, false).has_value()) << size;
    }
  }
}

TEST(FeedFastPathTest, TimesAtTheEndsOfWhatATimestampHolds) {
  for (const char* time :
       {"1677-09-21T00:12:43.145224193Z", "1677-09-22T00:00:00Z", "2262-04-11T23:47:16.854775807Z",
        "2262-04-11T23:47:16.854775808Z", "1969-12-31T23:59:59.999999999Z", "1970-01-01T00:00:00Z",
        "2024-02-29T12:00:00.5Z"}) {
    Agree(Replaced(kDelta, "2026-06-11T06:31:29.957081Z", time), false);
  }
}

TEST(FeedFastPathTest, ADateOfNoBytesIsNoDate) {
  EXPECT_FALSE(ReadFast(Replaced(kDelta, "2026-06-11T", std::string(11, '\0')), false).has_value());
}

// The midnight that is kept is that of the frame's own day.
TEST(FeedFastPathTest, DaysMayAlternate) {
  FeedFastPath fast_path({});
  for (const char* date : {"2026-06-11", "2026-06-12", "2026-06-11", "bad-06-11T", "2026-06-11"}) {
    const std::string bytes = Replaced(kDelta, "2026-06-11", date);
    FeedFrame frame;
    FeedFrame expected;
    const bool is_good = FeedDecoder(false).DecodeAny(bytes, expected).ok();
    EXPECT_EQ(fast_path.Read(bytes, frame), is_good) << date;
    EXPECT_EQ(frame.time, is_good ? expected.time : Timestamp()) << date;
  }
}

TEST(FeedFastPathTest, AWarmDecoderAllocatesNothing) {
  const std::string snapshot =
      R"({"type":"orderbook_snapshot","sid":1,"seq":1,"msg":{"market_ticker":"X","market_id":"i",)"
      R"("yes_dollars_fp":[["0.4600","3.00"],["0.4700","3.00"]],"no_dollars_fp":[["0.4800","2.00"]]}})";
  const std::string blanks = absl::StrCat(" ", kDelta);  // For the general path.
  const std::vector<absl::string_view> frames = {snapshot, kDelta, kTrade, blanks};
  FeedDecoder decoder(false);
  FeedFrame frame;
  for (const absl::string_view bytes : frames) ASSERT_TRUE(decoder.Decode(bytes, frame).ok());
  const uint64_t before = allocation_count;
  for (const absl::string_view bytes : frames) {
    if (!decoder.Decode(bytes, frame).ok()) std::abort();
  }
  EXPECT_EQ(allocation_count, before);
  FeedDecoder(false);
  EXPECT_GT(allocation_count, before) << "the count does not count";
}

// The members of a frame, as JSON texts, in the order in which the venue writes them.
using Fields = std::vector<std::pair<std::string, std::string>>;

// Mostly `usual`, so that most frames have at most one unusual member.
template <typename... Texts>
std::string Any(const char* usual, Texts... others) {
  if (*rc::gen::inRange(0, 10) < 8) return usual;
  return *rc::gen::element<std::string>(others...);
}

Fields AnyDelta() {
  Fields fields = {{"market_ticker", R"("KX-1")"}, {"market_id", R"("f5ed")"}};
  fields.emplace_back("price_dollars", Any("\"0.4700\"", "\"0.0001\"", "\"0.9999\"", "\"0.47\"",
                                           "\"1.0000\"", "\"0.0000\"", "0.47"));
  fields.emplace_back("delta_fp",
                      Any("\"3.00\"", "\"-3.00\"", "\"0.01\"", "\"-0.00\"", "\"007.00\"",
                          "\"9999999999999.99\"", "\"10000000000000.00\"", "\"5\""));
  fields.emplace_back("side", Any("\"yes\"", "\"no\"", "\"\"", "null"));
  fields.emplace_back("ts", Any("\"2026-06-11T06:31:29.957081Z\"", "\"2026-06-11T23:59:59Z\"",
                                "\"2026-06-11 06:31:29Z\"", "1781159489"));
  fields.emplace_back("ts_ms", Any("1781159489957", "0", "-1", "1e3", "null"));
  if (*rc::gen::arbitrary<bool>()) {
    fields.emplace_back("client_order_id", Any("\"c\"", "\"\\n\"", "null"));
    fields.emplace_back("subaccount", Any("0", "63"));
  }
  return fields;
}

Fields AnyTrade() {
  Fields fields = {{"trade_id", R"("t")"}, {"market_ticker", R"("KX-1")"}};
  fields.emplace_back("yes_price_dollars",
                      Any("\"0.5200\"", "\"0.0001\"", "\"0.52\"", "\"1.0000\""));
  fields.emplace_back("no_price_dollars", Any("\"0.4800\"", "\"bad\"", "7"));
  fields.emplace_back("count_fp", Any("\"1.00\"", "\"0.00\"", "\"-1.00\"", "\"1\""));
  fields.emplace_back("taker_side", Any("\"yes\"", "\"bad\"", "null"));
  fields.emplace_back("taker_outcome_side", Any("\"yes\"", "\"no\"", "\"bad\"", "null"));
  fields.emplace_back("taker_book_side", Any("\"bid\"", "\"ask\"", "7"));
  fields.emplace_back("is_block_trade", Any("false", "true", "0"));
  fields.emplace_back("ts", Any("1781159489", "\"2026-06-11T06:31:29Z\""));
  fields.emplace_back("ts_ms", Any("1781159489957", "9223372036854", "9223372036855", "-1"));
  return fields;
}

// In that order or another, whole or without some members, or with one twice.
void Shuffle(Fields& fields) {
  const auto one = *rc::gen::inRange<size_t>(0, fields.size());
  const auto other = *rc::gen::inRange<size_t>(0, fields.size());
  switch (*rc::gen::inRange(0, 12)) {
    case 0:
      std::swap(fields[one], fields[other]);
      break;
    case 1:
      fields.erase(fields.begin() + static_cast<int64_t>(one));
      break;
    case 2:
      fields.push_back(fields[one]);
      break;
    default:
      break;
  }
}

std::string FrameOf(absl::string_view type, const Fields& fields) {
  const auto blank = *rc::gen::weightedElement<std::string>({{19, ""}, {1, " "}});
  const auto address = *rc::gen::weightedElement<std::string>(
      {{18, R"("sid":3,"seq":77)"}, {1, R"("seq":77,"sid":3)"}, {1, R"("sid":3,"seq":null)"}});
  const std::string msg = absl::StrJoin(
      fields, ",", [](std::string* out, const std::pair<std::string, std::string>& field) {
        absl::StrAppend(out, "\"", field.first, "\":", field.second);
      });
  return absl::StrCat("{", blank, "\"type\":\"", type, "\",", address, ",\"msg\":{", msg, "}}");
}

RC_GTEST_PROP(FeedFastPathProperty, AgreesAboutMembersOfAllKindsInAnyOrder, ()) {
  for (int i = 0; i < 20; ++i) {
    const auto is_trade = *rc::gen::arbitrary<bool>();
    Fields fields = is_trade ? AnyTrade() : AnyDelta();
    Shuffle(fields);
    const std::string bytes = FrameOf(is_trade ? "trade" : "orderbook_delta", fields);
    Agree(bytes, *rc::gen::arbitrary<bool>());
  }
}

RC_GTEST_PROP(FeedFastPathProperty, TakesEveryDeltaThatTheVenueWrites, ()) {
  OrderbookDelta delta = {.market = kMarket, .client_order_id = "run-1"};
  delta.side = *rc::gen::element(Side::kBid, Side::kAsk);
  delta.price = Price::FromUnits(*rc::gen::inRange<int64_t>(1, 10'000));
  delta.change = Count::FromHundredths(*rc::gen::inRange<int64_t>(-10'000'000'000, 10'000'000'001));
  delta.time = Timestamp::FromNanos(*rc::gen::inRange<int64_t>(0, INT64_MAX));
  delta.is_own = *rc::gen::arbitrary<bool>();
  const auto use_yes_price = *rc::gen::arbitrary<bool>();
  FrameAddress address;
  address.sid = *rc::gen::inRange<int64_t>(1, 1'000'000);
  address.seq = *rc::gen::inRange<int64_t>(1, 1'000'000'000'000);
  RC_ASSERT(Agree(DeltaFrame(delta, address, {.use_yes_price = use_yes_price}), use_yes_price));
}

RC_GTEST_PROP(FeedFastPathProperty, TakesEveryTradeThatTheVenueWrites, ()) {
  Trade trade = {.trade_id = kMarket.id, .ticker = kMarket.ticker};
  trade.count = Count::FromHundredths(*rc::gen::inRange<int64_t>(1, 10'000'000'001));
  trade.price = Price::FromUnits(*rc::gen::inRange<int64_t>(1, 10'000));
  trade.taker_side = *rc::gen::element(Side::kBid, Side::kAsk);
  trade.time = Timestamp::FromNanos(*rc::gen::inRange<int64_t>(0, INT64_MAX));
  RC_ASSERT(Agree(TradeFrame(trade, {.sid = 1, .seq = 9}), *rc::gen::arbitrary<bool>()));
}

RC_GTEST_PROP(FeedFastPathProperty, AgreesAboutFramesWithChangedBytes, ()) {
  std::string bytes(*rc::gen::arbitrary<bool>() ? kDelta : kTrade);
  const auto changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    const auto at = *rc::gen::inRange<size_t>(0, bytes.size());
    const auto c =
        *rc::gen::oneOf(rc::gen::element('0', '9', '"', ',', ':', '.', '-', ' ', '}', '\\'),
                        rc::gen::arbitrary<char>());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        bytes[at] = c;
        break;
      case 1:
        bytes.insert(at, 1, c);
        break;
      default:
        bytes.erase(at, 1);
    }
  }
  Agree(bytes, *rc::gen::arbitrary<bool>());
}

}  // namespace
}  // namespace engine::kalshi
