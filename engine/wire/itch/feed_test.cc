#include "engine/wire/itch/feed.h"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/lifecycle.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/wire/big_endian.h"
#include "engine/wire/itch/encoder.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/parser.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Lines = std::vector<std::string>;

constexpr int64_t kHour = int64_t{3600} * 1'000'000'000;
constexpr Timestamp kMidnight = Timestamp::FromNanos(1'564'459'200'000'000'000);

std::string Word(absl::string_view text) { return std::string(text); }
std::string Word(char code) { return std::string(1, code); }
std::string Word(const ItchSide& side) { return Word(side.letter()); }
std::string Word(const ItchStock& stock) { return std::string(stock.data(), stock.size()); }
template <std::unsigned_integral T, size_t kSize>
std::string Word(const BigEndianInteger<T, kSize>& value) {
  return absl::StrCat(T{value});
}

template <typename... T>
std::string Words(const T&... words) {
  return absl::StrJoin({Word(words)...}, " ");
}

std::string Fields(const ItchSystemEvent& m) { return Words(m.event_code); }
std::string Fields(const ItchStockDirectory& m) {
  return Words(m.stock, "lot", m.round_lot_size, m.round_lots_only, m.issue_classification);
}
std::string Fields(const ItchStockTradingAction& m) { return Words(m.stock, m.trading_state); }
std::string Fields(const ItchAddOrder& m) {
  return Words(m.order_reference, m.side, m.shares, "@", m.price, m.stock);
}
std::string Fields(const ItchOrderExecuted& m) {
  return Words(m.order_reference, m.executed_shares, "match", m.match_number);
}
std::string Fields(const ItchOrderExecutedWithPrice& m) {
  return Words(m.order_reference, m.executed_shares, "@", m.execution_price, m.printable, "match",
               m.match_number);
}
std::string Fields(const ItchOrderCancel& m) {
  return Words(m.order_reference, m.cancelled_shares);
}
std::string Fields(const ItchOrderDelete& m) { return Words(m.order_reference); }
std::string Fields(const ItchOrderReplace& m) {
  return Words(m.original_order_reference, "by", m.new_order_reference, m.shares, "@", m.price);
}
std::string Fields(const ItchNonCrossTrade& m) {
  return Words(m.order_reference, m.buy_sell_indicator, m.shares, "@", m.price, m.stock, "match",
               m.match_number);
}
template <typename T>
std::string Fields(const T&) {
  ADD_FAILURE() << T::kName << " is never sent";
  return "";
}

// "<type> <locate>: <fields>".
std::string Line(const ItchMessage& message) {
  return std::visit(
      []<typename T>(const T& m) {
        return absl::StrCat(Words(T::kType, m.header.stock_locate), ": ", Fields(m));
      },
      message);
}

MarketDefinition Definition(uint32_t id, const std::string& symbol, int price_decimals = 4) {
  MarketDefinition definition;
  definition.id = MarketId(id);
  definition.symbol = symbol;
  definition.price_decimals = price_decimals;
  definition.price_min = Price::FromUnits(-kPriceUnitsMax);
  return definition;
}

// Emits the events of an exchange; each call is one command, and returns its messages.
class ItchFeedTest : public testing::Test {
 protected:
  ItchFeedTest() { Define(Definition(900, "ACME")); }

  Event Say(EventKind kind, uint64_t order, Side side = {}, int64_t price = 0,
            uint64_t quantity = 0, uint64_t remaining = 0) const {
    Event event;
    event.kind = kind;
    event.order_id = OrderId(order);
    event.market = market_;
    event.side = side;
    event.price = Price::FromUnits(price);
    event.quantity = Quantity::FromUnits(quantity);
    event.quantity_remaining = Quantity::FromUnits(remaining);
    return event;
  }
  Event Accepted(uint64_t order, Side side, int64_t price, uint64_t quantity) const {
    return Say(EventKind::kAccepted, order, side, price, quantity, quantity);
  }
  Event Trade(uint64_t maker, uint64_t taker, Side side, int64_t price, uint64_t quantity,
              uint64_t maker_remaining) const {
    Event event = Say(EventKind::kTrade, maker, side, price, quantity, maker_remaining);
    event.counter_order_id = OrderId(taker);
    return event;
  }
  Event Replaced(uint64_t old, uint64_t order, Side side, int64_t price, uint64_t quantity) const {
    Event event = Say(EventKind::kReplaced, order, side, price, quantity, quantity);
    event.counter_order_id = OrderId(old);
    return event;
  }
  Event Amended(uint64_t order, Side side, int64_t price, uint64_t remaining,
                PriorityOutcome outcome) const {
    Event event = Say(EventKind::kAmended, order, side, price, remaining, remaining);
    event.detail = static_cast<uint8_t>(outcome);
    return event;
  }
  Event Cancelled(uint64_t order, uint64_t quantity, uint64_t remaining = 0) const {
    return Say(EventKind::kCancelled, order, Side::kBid, 0, quantity, remaining);
  }
  Event State(MarketState state) const {
    Event event = Say(EventKind::kMarketState, 0);
    event.detail = static_cast<uint8_t>(state);
    return event;
  }
  Event State(ExchangeState state) const {
    Event event = Say(EventKind::kExchangeState, 0);
    event.market = MarketId();
    event.detail = static_cast<uint8_t>(state);
    return event;
  }

  Lines Hear(const std::vector<Event>& events, Bytes attachment = {}) {
    Command command;
    command.sequence = SequenceNumber(++sequence_);
    command.timestamp = time_;
    Lines lines;
    const auto send = [&](Bytes frame) { lines.push_back(Line(Parsed(frame))); };
    feed_.Take(command, attachment, events, send);
    feed_.CompleteCommand(send);
    return lines;
  }
  Lines Define(const MarketDefinition& definition) {
    market_ = definition.id;
    return Hear({Say(EventKind::kMarketDefined, 0)}, EncodeMarketDefinition(definition));
  }
  ItchMessage Parsed(Bytes frame) {
    ItchFrameReader reader;
    reader.Feed(frame);
    ItchFrame found;
    const auto has_frame = reader.Next(found);
    EXPECT_TRUE(has_frame.ok() && *has_frame) << has_frame.status();
    const auto message = ParseItchMessage(found);
    EXPECT_TRUE(message.ok()) << message.status();
    last_time_ns_ =
        std::visit([](const auto& m) -> uint64_t { return m.header.timestamp_ns; }, *message);
    return *message;
  }

  // The order of the next command.
  uint64_t Next() const { return sequence_ + 1; }
  uint64_t Rest(Side side, int64_t price, uint64_t quantity) {
    Hear({Accepted(Next(), side, price, quantity)});
    return sequence_;
  }

  ItchFeed feed_{kMidnight};
  uint64_t sequence_ = 0;
  MarketId market_;
  Timestamp time_ = kMidnight;
  uint64_t last_time_ns_ = 0;
};

TEST_F(ItchFeedTest, BeginsAndEndsWithTheHoursOfTheDay) {
  ItchFeed feed(kMidnight);
  Lines lines;
  const auto send = [&](Bytes frame) { lines.push_back(Line(Parsed(frame))); };
  Command command;
  command.sequence = SequenceNumber(1);
  feed.Take(command, {}, {}, send);
  feed.End(send);
  EXPECT_EQ(lines, Lines({"S 0: O", "S 0: S", "S 0: Q", "S 0: M", "S 0: E", "S 0: C"}));
  EXPECT_EQ(feed.counters().messages, 6u);
}

TEST_F(ItchFeedTest, TimesCountFromMidnight) {
  for (const auto& [hours, expected] :
       {std::pair(0, 0), std::pair(9, 9), std::pair(24, 0), std::pair(-1, 23), std::pair(75, 3)}) {
    time_ = Timestamp::FromNanos(kMidnight.nanos() + hours * kHour + 5);
    Rest(Side::kBid, 100, 1);
    EXPECT_EQ(last_time_ns_, static_cast<uint64_t>(expected * kHour + 5));
  }
  time_ = Timestamp::Min();
  Rest(Side::kBid, 100, 1);
  EXPECT_LT(last_time_ns_, static_cast<uint64_t>(24 * kHour));
}

TEST_F(ItchFeedTest, ShowsTheTradingStateOfEachMarket) {
  MarketDefinition unopened = Definition(7, "LATER");
  unopened.starts_unopened = true;
  unopened.lot = Quantity::FromUnits(100);
  unopened.kind = MarketKind::kBinary;
  unopened.price_min = Price::FromUnits(1);
  unopened.price_max = Price::FromUnits(9'999);
  EXPECT_EQ(Define(unopened), Lines({"R 2: LATER    lot 100 Y O", "H 2: LATER    H"}));
  EXPECT_EQ(Hear({State(MarketState::kOpen)}), Lines({"H 2: LATER    T"}));
  EXPECT_EQ(Hear({State(MarketState::kPaused)}), Lines({"H 2: LATER    P"}));
  // A halt of the exchange halts all markets; they then are as they were.
  EXPECT_EQ(Hear({State(ExchangeState::kHalted)}), Lines({"H 1: ACME     H", "H 2: LATER    H"}));
  EXPECT_EQ(Hear({State(ExchangeState::kPaused)}), Lines({"H 1: ACME     P", "H 2: LATER    P"}));
  EXPECT_EQ(Hear({State(ExchangeState::kActive)}), Lines({"H 1: ACME     T"}));
  EXPECT_EQ(Hear({State(MarketState::kClosed)}), Lines({"H 2: LATER    H"}));
  EXPECT_EQ(Hear({State(MarketState::kDetermined), Say(EventKind::kDetermined, 0)}), Lines());
  EXPECT_EQ(Hear({State(MarketState::kSettled)}), Lines());
}

TEST_F(ItchFeedTest, OrdersComeAndGo) {
  EXPECT_EQ(Hear({Accepted(Next(), Side::kBid, 320'0100, 5)}),
            Lines({"A 1: 2 B 5 @ 3200100 ACME    "}));
  EXPECT_EQ(Hear({Say(EventKind::kReduced, 2, Side::kBid, 320'0100, 2, 3)}), Lines({"X 1: 2 2"}));
  EXPECT_EQ(Hear({Cancelled(2, 3)}), Lines({"D 1: 2"}));
  EXPECT_EQ(Hear({Say(EventKind::kRejected, 2)}), Lines());
}

TEST_F(ItchFeedTest, AnOrderThatTradesOnArrivalIsAddedWithWhatRests) {
  const uint64_t first = Rest(Side::kAsk, 100, 5);
  const uint64_t second = Rest(Side::kAsk, 101, 9);
  EXPECT_EQ(Hear({Accepted(4, Side::kBid, 101, 20), Trade(first, 4, Side::kAsk, 100, 5, 0),
                  Trade(second, 4, Side::kAsk, 101, 9, 0)}),
            Lines({"E 1: 2 5 match 1", "E 1: 3 9 match 2", "A 1: 4 B 6 @ 101 ACME    "}));
  EXPECT_EQ(Hear({Accepted(5, Side::kAsk, 101, 2), Trade(4, 5, Side::kBid, 101, 2, 4)}),
            Lines({"E 1: 4 2 match 3"}));
  // Immediate or cancel: what does not trade was never shown.
  EXPECT_EQ(
      Hear({Accepted(6, Side::kAsk, 101, 9), Trade(4, 6, Side::kBid, 101, 4, 0), Cancelled(6, 5)}),
      Lines({"E 1: 4 4 match 4"}));
}

TEST_F(ItchFeedTest, EventsMayComeInParts) {
  const uint64_t maker = Rest(Side::kAsk, 100, 5);
  Command command;
  command.sequence = SequenceNumber(Next());
  Lines lines;
  const auto send = [&](Bytes frame) { lines.push_back(Line(Parsed(frame))); };
  const std::vector<Event> events = {Accepted(3, Side::kBid, 101, 20),
                                     Trade(maker, 3, Side::kAsk, 100, 5, 0)};
  for (const Event& event : events) feed_.Take(command, {}, {&event, 1}, send);
  EXPECT_EQ(lines, Lines({"E 1: 2 5 match 1"}));
  command.sequence = command.sequence.Next();
  feed_.Take(command, {}, {}, send);
  EXPECT_EQ(lines, Lines({"E 1: 2 5 match 1", "A 1: 3 B 15 @ 101 ACME    "}));
}

TEST_F(ItchFeedTest, AReplacementIsAReplace) {
  const uint64_t old = Rest(Side::kBid, 100, 5);
  EXPECT_EQ(Hear({Replaced(old, 3, Side::kBid, 99, 7)}), Lines({"U 1: 2 by 3 7 @ 99"}));
  EXPECT_EQ(Hear({Cancelled(3, 7)}), Lines({"D 1: 3"}));
}

TEST_F(ItchFeedTest, AReplacementThatTradesIsADeleteAndAnAdd) {
  const uint64_t maker = Rest(Side::kAsk, 101, 5);
  const uint64_t old = Rest(Side::kBid, 100, 5);
  EXPECT_EQ(Hear({Replaced(old, 4, Side::kBid, 101, 7), Trade(maker, 4, Side::kAsk, 101, 5, 0)}),
            Lines({"D 1: 3", "E 1: 2 5 match 1", "A 1: 4 B 2 @ 101 ACME    "}));
  // Post-only in a market that cancels what would trade.
  EXPECT_EQ(Hear({Replaced(4, 5, Side::kBid, 99, 7), Cancelled(5, 7)}), Lines({"D 1: 4"}));
}

TEST_F(ItchFeedTest, AnAmendedOrderHasTheReferenceOfItsPlaceInTheQueue) {
  const uint64_t order = Rest(Side::kBid, 100, 5);
  EXPECT_EQ(Hear({Amended(order, Side::kBid, 100, 3, PriorityOutcome::kKept)}),
            Lines({"X 1: 2 2"}));
  EXPECT_EQ(Hear({Amended(order, Side::kBid, 100, 3, PriorityOutcome::kKept)}), Lines());
  EXPECT_EQ(Hear({Amended(order, Side::kBid, 100, 8, PriorityOutcome::kLost)}),
            Lines({"U 1: 2 by 5 8 @ 100"}));
  EXPECT_EQ(Hear({Amended(order, Side::kBid, 101, 8, PriorityOutcome::kLost)}),
            Lines({"U 1: 5 by 6 8 @ 101"}));
  EXPECT_EQ(Hear({Accepted(7, Side::kAsk, 101, 8), Trade(order, 7, Side::kBid, 101, 8, 0)}),
            Lines({"E 1: 6 8 match 1"}));
}

TEST_F(ItchFeedTest, AnExecutionOfAMirroredMarketMayHaveAnotherPriceOrNoOrder) {
  const uint64_t order = Rest(Side::kBid, 100, 9);
  EXPECT_EQ(Hear({Trade(order, Next(), Side::kBid, 100, 2, 7)}), Lines({"E 1: 2 2 match 1"}));
  EXPECT_EQ(Hear({Trade(order, Next(), Side::kBid, 98, 2, 5)}), Lines({"C 1: 2 2 @ 98 Y match 2"}));
  EXPECT_EQ(Hear({Trade(0, Next(), {}, 99, 1000, 0)}),
            Lines({"P 1: 0 B 1000 @ 99 ACME     match 3"}));
  EXPECT_EQ(Hear({Trade(0, Next(), Side::kAsk, 99, 1000, 0)}),
            Lines({"P 1: 0 S 1000 @ 99 ACME     match 4"}));
  EXPECT_EQ(Hear({Trade(order, Next(), Side::kBid, -1, 1, 4)}), Lines({"X 1: 2 1"}));
  EXPECT_EQ(Hear({Trade(order, Next(), Side::kBid, -1, 4, 0)}), Lines({"D 1: 2"}));
  EXPECT_EQ(Hear({Trade(0, Next(), {}, 99, 5'000'000'000, 0)}), Lines());
  EXPECT_EQ(feed_.counters().trades_left_out, 3u);
  EXPECT_EQ(Hear({Trade(0, Next(), {}, 99, 4'294'967'295, 0)}),
            Lines({"P 1: 0 B 4294967295 @ 99 ACME     match 8"}));
}

TEST_F(ItchFeedTest, AnOrderThatItchCannotExpressIsNotShown) {
  for (const int64_t price : {int64_t{0}, int64_t{-1}, int64_t{4'294'967'296}, INT64_MAX}) {
    EXPECT_EQ(Hear({Accepted(Next(), Side::kAsk, price, 1)}), Lines()) << price;
  }
  EXPECT_EQ(Hear({Accepted(Next(), Side::kAsk, 4'294'967'295, 4'294'967'295)}),
            Lines({"A 1: 6 S 4294967295 @ 4294967295 ACME    "}));
  EXPECT_EQ(Hear({Accepted(7, Side::kBid, 100, 4'294'967'296)}), Lines());
  EXPECT_EQ(feed_.counters().orders_not_shown, 5u);
  // It stays so until it is given a new place; its trades are those of a hidden order.
  EXPECT_EQ(Hear({Say(EventKind::kReduced, 7, Side::kBid, 100, 4'294'967'290, 6)}), Lines());
  EXPECT_EQ(Hear({Accepted(9, Side::kAsk, 100, 1), Trade(7, 9, Side::kBid, 100, 1, 5)}),
            Lines({"P 1: 0 B 1 @ 100 ACME     match 1"}));
  EXPECT_EQ(Hear({Amended(7, Side::kBid, 101, 5, PriorityOutcome::kLost)}),
            Lines({"A 1: 10 B 5 @ 101 ACME    "}));
  EXPECT_EQ(Hear({Amended(7, Side::kBid, -5, 5, PriorityOutcome::kLost)}), Lines({"D 1: 10"}));
  EXPECT_EQ(Hear({Replaced(7, 12, Side::kBid, -6, 5)}), Lines());
  EXPECT_EQ(Hear({Accepted(13, Side::kAsk, -6, 5), Trade(12, 13, Side::kBid, -6, 5, 0)}), Lines());
  EXPECT_EQ(feed_.counters().trades_left_out, 1u);
}

TEST_F(ItchFeedTest, PricesHaveFourDecimals) {
  Define(Definition(2, "WHOLE", 0));
  EXPECT_EQ(Hear({Accepted(3, Side::kBid, 320, 1)}), Lines({"A 2: 3 B 1 @ 3200000 WHOLE   "}));
  EXPECT_EQ(Hear({Accepted(4, Side::kBid, 429'497, 1)}), Lines());
  EXPECT_EQ(Hear({Accepted(5, Side::kBid, INT64_MAX, 1)}), Lines());
  Define(Definition(3, "FINE", 6));
  EXPECT_EQ(Hear({Accepted(7, Side::kBid, 320'010'000, 1)}),
            Lines({"A 3: 7 B 1 @ 3200100 FINE    "}));
  EXPECT_EQ(Hear({Accepted(8, Side::kBid, 320'010'001, 1)}), Lines());
  Define(Definition(4, "FINEST", 9));
  EXPECT_EQ(Hear({Accepted(10, Side::kBid, 100'000, 1)}), Lines({"A 4: 10 B 1 @ 1 FINEST  "}));
  EXPECT_EQ(feed_.counters().orders_not_shown, 3u);
}

TEST_F(ItchFeedTest, AMarketWithALongSymbolIsNamedByItsStockLocate) {
  EXPECT_EQ(Define(Definition(7, "KXBTC-25")),
            Lines({"R 2: KXBTC-25 lot 1 N C", "H 2: KXBTC-25 T"}));
  EXPECT_EQ(Define(Definition(8, "KXBTC-25D")),
            Lines({"R 3: #3       lot 1 N C", "H 3: #3       T"}));
}

TEST_F(ItchFeedTest, MarketsBeyondTheStockLocatesAreLeftOut) {
  MarketDefinition definition = Definition(0, "");
  for (uint32_t id = 1001; id < 1000 + ItchFeed::kMarketsMax; ++id) {
    definition.id = MarketId(id);
    definition.symbol = absl::StrCat("M", id);
    ASSERT_EQ(Define(definition).size(), 2u);
  }
  EXPECT_EQ(feed_.counters().markets_left_out, 0u);
  EXPECT_EQ(Define(Definition(5, "LAST")), Lines());
  EXPECT_EQ(Hear({Accepted(Next(), Side::kBid, 100, 1)}), Lines());
  EXPECT_EQ(
      Hear({Accepted(Next(), Side::kAsk, 100, 1), Trade(sequence_, Next(), Side::kBid, 100, 1, 0)}),
      Lines());
  EXPECT_EQ(feed_.counters().markets_left_out, 1u);
}

TEST_F(ItchFeedTest, ASnapshotHasWhatALateReceiverNeeds) {
  const auto snapshot = [this](const ItchFeed& feed) {
    Lines lines;
    feed.Snapshot([&](Bytes frame) {
      const bool is_end = AsText(frame)[kItchLengthBytes] == ItchSnapshotEnd::kType;
      lines.push_back(is_end ? std::string(AsText(frame)) : Line(Parsed(frame)));
    });
    return lines;
  };
  const std::string end_of_none("\0\x15G1                   ", 23);
  EXPECT_EQ(snapshot(ItchFeed(kMidnight)), Lines({end_of_none}));
  const uint64_t amended = Rest(Side::kBid, 100, 5);
  Rest(Side::kBid, 100, 6);
  const uint64_t gone = Rest(Side::kAsk, 105, 7);
  Rest(Side::kAsk, -105, 7);  // Not shown.
  Hear({Amended(amended, Side::kBid, 100, 8, PriorityOutcome::kLost)});
  Hear({Cancelled(gone, 7)});
  Hear({Accepted(Next(), Side::kAsk, 100, 2), Trade(3, Next(), Side::kBid, 100, 2, 4)});
  Hear({State(MarketState::kPaused)});
  const uint64_t messages = feed_.counters().messages;
  EXPECT_EQ(messages, 12u);
  EXPECT_EQ(snapshot(feed_),
            Lines({"S 0: O", "S 0: S", "S 0: Q", "R 1: ACME     lot 1 N C", "H 1: ACME     P",
                   "A 1: 3 B 4 @ 100 ACME    ", "A 1: 6 B 8 @ 100 ACME    ",
                   std::string("\0\x15G13                  ", 23)}));
  EXPECT_EQ(feed_.counters().messages, messages);
}

TEST_F(ItchFeedTest, MoneyAndTheRestIsNotShown) {
  const uint64_t order = Rest(Side::kBid, 10, 5);
  for (const EventKind kind :
       {EventKind::kBalance, EventKind::kPosition, EventKind::kTimeAdvanced, EventKind::kNoted,
        EventKind::kExpirySet, EventKind::kMassCancelled, EventKind::kGroupTripped}) {
    EXPECT_EQ(Hear({Say(kind, order, Side::kBid, -5, 2, 1)}), Lines());
  }
}

}  // namespace
}  // namespace engine
