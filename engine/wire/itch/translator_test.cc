#include "engine/wire/itch/translator.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/prng.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/itch/stream_reader.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Stands for the sequencer: stamps and keeps the commands.
class VectorSink final : public CommandSink {
 public:
  explicit VectorSink(ManualClock& clock) : clock_(clock) {}

  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    if (commands.size() == capacity) return absl::UnavailableError("the disk is gone");
    commands.push_back(command);
    commands.back().sequence = SequenceNumber(commands.size());
    commands.back().timestamp = clock_.Now();
    attachments.emplace_back(attachment.begin(), attachment.end());
    return commands.back().sequence;
  }

  std::vector<Command> commands;
  std::vector<std::vector<std::byte>> attachments;
  size_t capacity = SIZE_MAX;

 private:
  ManualClock& clock_;
};

ItchStock Stock(const std::string& symbol) {
  ItchStock stock;
  stock.fill(' ');
  std::copy(symbol.begin(), symbol.end(), stock.begin());
  return stock;
}

class ItchTranslatorTest : public ::testing::Test {
 protected:
  static constexpr int64_t kMidnight = 1'580'342'400'000'000'000;
  static constexpr uint16_t kLocate = 13;

  ItchHeader HeaderNow(uint16_t locate = kLocate) {
    return {.stock_locate = locate, .tracking_number = 0, .timestamp_ns = ++time_ns_};
  }
  void Translate(const ItchMessage& message) {
    const absl::Status status = translator_.Translate(message);
    EXPECT_TRUE(status.ok()) << status;
  }

  void Directory(const std::string& symbol, uint16_t locate = kLocate) {
    Translate(ItchStockDirectory{.header = HeaderNow(locate), .stock = Stock(symbol)});
  }
  void Add(uint64_t reference, Side side, uint32_t shares, uint32_t price,
           uint16_t locate = kLocate) {
    Translate(ItchAddOrder{.header = HeaderNow(locate),
                           .order_reference = reference,
                           .side = side,
                           .shares = shares,
                           .stock = Stock("AAPL"),
                           .price = price});
  }
  void Execute(uint64_t reference, uint32_t shares, uint64_t match) {
    Translate(ItchOrderExecuted{.header = HeaderNow(),
                                .order_reference = reference,
                                .executed_shares = shares,
                                .match_number = match});
  }
  void ExecuteAt(uint64_t reference, uint32_t shares, uint32_t price) {
    Translate(ItchOrderExecutedWithPrice{.header = HeaderNow(),
                                         .order_reference = reference,
                                         .executed_shares = shares,
                                         .execution_price = price});
  }
  void Cancel(uint64_t reference, uint32_t shares) {
    Translate(ItchOrderCancel{
        .header = HeaderNow(), .order_reference = reference, .cancelled_shares = shares});
  }
  void Delete(uint64_t reference) {
    Translate(ItchOrderDelete{.header = HeaderNow(), .order_reference = reference});
  }
  void Replace(uint64_t original, uint64_t replacement, uint32_t shares, uint32_t price) {
    Translate(ItchOrderReplace{.header = HeaderNow(),
                               .original_order_reference = original,
                               .new_order_reference = replacement,
                               .shares = shares,
                               .price = price});
  }

  const Command& Last() { return sink_.commands.back(); }
  size_t CommandCount() { return sink_.commands.size(); }
  const ItchCounters& Counters() { return translator_.counters(); }
  template <typename T>
  uint64_t UnknownReferences() {
    return Counters().unknown_references[kItchIndexOf<T>];
  }

  uint64_t time_ns_ = 0;
  ManualClock clock_;
  VectorSink sink_{clock_};
  ItchExecutionCheck check_;
  ItchTranslator translator_{sink_,
                             clock_,
                             {.midnight = Timestamp::FromNanos(kMidnight), .account = AccountId(4)},
                             &check_};
};

TEST_F(ItchTranslatorTest, ADirectoryMessageDefinesAMarket) {
  Directory("AAPL");
  ASSERT_EQ(CommandCount(), 1u);
  EXPECT_EQ(Last().kind, CommandKind::kDefineMarket);
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId(4));
  const auto definition = DecodeMarketDefinition(sink_.attachments[0]);
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(definition->id, MarketId(13));
  EXPECT_EQ(definition->symbol, "AAPL") << "trimmed";
  EXPECT_EQ(definition->price_decimals, 4);
  EXPECT_EQ(definition->quantity_decimals, 0);
  EXPECT_EQ(definition->tick, Price::FromUnits(1));
  EXPECT_EQ(definition->price_min, Price::FromUnits(1));
  EXPECT_EQ(definition->price_max, Price::FromUnits(0xffffffff));
  EXPECT_EQ(translator_.markets().FindSymbol("AAPL")->id, MarketId(13));
}

TEST_F(ItchTranslatorTest, AnAddedOrderIsALimitOrderThatRests) {
  Directory("AAPL");
  Add(1001, Side::kAsk, 300, 3'200'100);
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId(4));
  EXPECT_EQ(Last().side, Side::kAsk);
  EXPECT_EQ(Last().type, OrderType::kLimit);
  EXPECT_EQ(Last().tif, TimeInForce::kGoodTillCancelled);
  EXPECT_EQ(Last().price, Price::FromUnits(3'200'100));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(300));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(1001));
  EXPECT_EQ(Counters().live_orders, 1u);
}

TEST_F(ItchTranslatorTest, AnAttributedOrderIsTheSame) {
  Directory("AAPL");
  Translate(ItchAddOrderWithParticipant{.header = HeaderNow(),
                                        .order_reference = 7,
                                        .side = Side::kBid,
                                        .shares = 1,
                                        .stock = Stock("AAPL"),
                                        .price = 2,
                                        .attribution = {'N', 'S', 'D', 'Q'}});
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Last().client_order_id, ClientOrderId(7));
  EXPECT_EQ(Last().side, Side::kBid);
}

TEST_F(ItchTranslatorTest, AnOrderOfAStockWithoutDirectoryDefinesItsMarketFirst) {
  Add(1, Side::kBid, 100, 10'000, 14);
  ASSERT_EQ(CommandCount(), 2u);
  EXPECT_EQ(sink_.commands[0].kind, CommandKind::kDefineMarket);
  EXPECT_EQ(sink_.commands[0].market, MarketId(14));
  EXPECT_EQ(sink_.commands[1].market, MarketId(14));
  EXPECT_EQ(Counters().markets_defined_by_orders, 1u);
  EXPECT_EQ(Counters().markets_defined, 1u);
}

TEST_F(ItchTranslatorTest, ARepeatedDirectoryMessageIsCounted) {
  Directory("AAPL");
  Directory("AAPL");
  Directory("MSFT");
  EXPECT_EQ(CommandCount(), 1u);
  EXPECT_EQ(Counters().markets_repeated, 2u);
}

TEST_F(ItchTranslatorTest, UnsoundMarketsAndTheirOrdersAreCounted) {
  Directory("AAPL");
  Directory("AAPL", 14);  // The symbol is taken.
  Directory("", 15);
  Directory("A B", 16);
  Directory("ZERO", 0);
  EXPECT_EQ(Counters().markets_refused, 4u);
  Add(1, Side::kBid, 100, 10'000, 14);  // Tries AAPL again.
  EXPECT_EQ(Counters().orders_without_market, 1u);
  EXPECT_EQ(CommandCount(), 1u);
  Delete(1);
  EXPECT_EQ(UnknownReferences<ItchOrderDelete>(), 1u);
}

TEST_F(ItchTranslatorTest, AnExecutionIsTheOppositeImmediateOrder) {
  Directory("AAPL");
  Add(1001, Side::kAsk, 300, 3'200'100);
  Execute(1001, 120, 55);
  EXPECT_EQ(Last().kind, CommandKind::kNewOrder);
  EXPECT_EQ(Last().side, Side::kBid);
  EXPECT_EQ(Last().type, OrderType::kLimit);
  EXPECT_EQ(Last().tif, TimeInForce::kImmediateOrCancel);
  EXPECT_EQ(Last().price, Price::FromUnits(3'200'100));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(120));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(55));
  EXPECT_EQ(Counters().executions, 1u);
  EXPECT_EQ(Counters().live_orders, 1u);
  Execute(1001, 180, 56);
  EXPECT_EQ(Counters().live_orders, 0u);
  EXPECT_EQ(check_.pending(), 2u);
}

TEST_F(ItchTranslatorTest, TheCheckKnowsMakerAndQuantityOfAnExecution) {
  Add(1, Side::kBid, 10, 100);
  Add(2, Side::kBid, 10, 100);
  Execute(2, 10, 77);
  Event accepted;
  accepted.kind = EventKind::kAccepted;
  Event trade;
  trade.kind = EventKind::kTrade;
  trade.order_id = OrderIdOf(sink_.commands[2].sequence);
  trade.quantity = Quantity::FromUnits(10);
  check_.OnEvents(Last(), std::array{accepted, trade});
  EXPECT_EQ(check_.matched(), 1u) << check_.Summary();
}

TEST_F(ItchTranslatorTest, AnExecutionAtAnotherPriceReduces) {
  Add(1, Side::kAsk, 300, 100);
  ExecuteAt(1, 100, 90);
  EXPECT_EQ(Last().kind, CommandKind::kReduce);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().market, MarketId(13));
  EXPECT_EQ(Last().account, AccountId(4));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(100));
  ExecuteAt(1, 200, 90);
  EXPECT_EQ(Counters().reduces, 2u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

TEST_F(ItchTranslatorTest, APartialCancelReduces) {
  Add(1, Side::kAsk, 300, 100);
  Cancel(1, 100);
  EXPECT_EQ(Last().kind, CommandKind::kReduce);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(100));
  EXPECT_EQ(Counters().live_orders, 1u);
}

TEST_F(ItchTranslatorTest, ADeleteCancels) {
  Add(1, Side::kAsk, 300, 100);
  Delete(1);
  EXPECT_EQ(Last().kind, CommandKind::kCancel);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().quantity, Quantity());
  EXPECT_EQ(Counters().cancels, 1u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

TEST_F(ItchTranslatorTest, AReplacedOrderLivesUnderItsNewReference) {
  Add(1, Side::kAsk, 300, 100);
  Replace(1, 2, 50, 90);
  EXPECT_EQ(Last().kind, CommandKind::kReplace);
  EXPECT_EQ(Last().order_id, OrderId(2));
  EXPECT_EQ(Last().price, Price::FromUnits(90));
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(50));
  EXPECT_EQ(Last().client_order_id, ClientOrderId(2));
  Delete(1);
  EXPECT_EQ(UnknownReferences<ItchOrderDelete>(), 1u);
  Execute(2, 50, 9);
  EXPECT_EQ(Last().side, Side::kBid) << "the side is that of the original";
  EXPECT_EQ(Last().price, Price::FromUnits(90));
  Add(3, Side::kAsk, 10, 5);
  Replace(3, 3, 20, 6);
  Cancel(3, 1);
  EXPECT_EQ(Last().order_id, OrderId(6)) << "the same reference may stay";
}

TEST_F(ItchTranslatorTest, ReferencesFromBeforeACutAreCountedPerType) {
  Directory("AAPL");
  Execute(9, 1, 1);
  ExecuteAt(9, 1, 1);
  Cancel(9, 1);
  Delete(9);
  Delete(9);
  Replace(9, 10, 1, 1);
  Delete(10);
  EXPECT_EQ(CommandCount(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderExecuted>(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderExecutedWithPrice>(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderCancel>(), 1u);
  EXPECT_EQ(UnknownReferences<ItchOrderDelete>(), 3u);
  EXPECT_EQ(UnknownReferences<ItchOrderReplace>(), 1u);
  EXPECT_EQ(Counters().TotalUnknownReferences(), 7u);
  EXPECT_EQ(check_.not_applicable(), 1u);
  EXPECT_EQ(check_.pending(), 0u);
}

TEST_F(ItchTranslatorTest, ALiveReferenceIsNotGivenTwice) {
  Add(1, Side::kAsk, 300, 100);
  Add(1, Side::kBid, 10, 50);
  Add(2, Side::kAsk, 300, 100);
  const size_t count = CommandCount();
  Replace(2, 1, 1, 1);
  EXPECT_EQ(CommandCount(), count);
  EXPECT_EQ(Counters().references_repeated, 2u);
  Delete(1);
  EXPECT_EQ(Last().order_id, OrderId(2)) << "the first stands";
}

TEST_F(ItchTranslatorTest, MoreThanAnOrderHasIsCountedAndSubmittedAsItIs) {
  Add(1, Side::kAsk, 300, 100);
  Cancel(1, 301);
  EXPECT_EQ(Last().quantity, Quantity::FromUnits(301));
  EXPECT_EQ(Counters().quantities_exceeded, 1u);
  EXPECT_EQ(Counters().live_orders, 0u);
}

TEST_F(ItchTranslatorTest, OtherTypesAreCounted) {
  Translate(ItchSystemEvent{.header = HeaderNow(0), .event_code = 'Q'});
  Translate(ItchNonCrossTrade{.header = HeaderNow()});
  Translate(ItchNonCrossTrade{.header = HeaderNow()});
  EXPECT_EQ(CommandCount(), 0u);
  EXPECT_EQ(Counters().messages[kItchIndexOf<ItchSystemEvent>], 1u);
  EXPECT_EQ(Counters().messages[kItchIndexOf<ItchNonCrossTrade>], 2u);
  EXPECT_EQ(Counters().TotalMessages(), 3u);
}

TEST_F(ItchTranslatorTest, EachCommandHasTheTimeOfItsMessage) {
  time_ns_ = 28'800'000'000'000;
  Directory("AAPL");
  EXPECT_EQ(Last().timestamp, Timestamp::FromNanos(kMidnight + 28'800'000'000'001));
  time_ns_ = ~uint64_t{0} - 1;  // Longer than the wire allows.
  Add(1, Side::kBid, 1, 1);
  EXPECT_EQ(Last().timestamp, Timestamp::FromNanos(kMidnight + (int64_t{1} << 48) - 1));
}

TEST_F(ItchTranslatorTest, AFailingSinkIsReportedAndNothingIsRemembered) {
  Directory("AAPL");
  sink_.capacity = 1;
  const absl::Status status = translator_.Translate(ItchAddOrder{.header = HeaderNow(),
                                                                 .order_reference = 1,
                                                                 .side = Side::kBid,
                                                                 .shares = 1,
                                                                 .stock = Stock("AAPL"),
                                                                 .price = 1});
  EXPECT_EQ(status.code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Counters().live_orders, 0u);
  EXPECT_EQ(Counters().new_orders, 0u);
}

TEST_F(ItchTranslatorTest, RowsNameWhatIsNotZero) {
  Add(1, Side::kAsk, 300, 100);
  Delete(7);
  const std::vector<std::pair<std::string, uint64_t>> expected = {
      {"messages", 2},
      {"messages.A.add_order", 1},
      {"messages.D.order_delete", 1},
      {"commands", 2},
      {"commands.define_market", 1},
      {"commands.new_order", 1},
      {"unknown_references", 1},
      {"unknown_references.D.order_delete", 1},
      {"markets_defined_by_orders", 1},
      {"live_orders", 1},
  };
  EXPECT_EQ(Counters().Rows(), expected);
}

// The numbers are those of an independent parser and book: testdata/itch/README.md.
TEST_F(ItchTranslatorTest, TheOpenOfARealSessionComesToTheKnownNumbers) {
  std::ifstream file("testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz",
                     std::ios::binary);
  const std::string stream(std::istreambuf_iterator<char>(file), {});
  ItchStreamReader reader;
  reader.Feed(AsBytes(stream));
  ItchMessage message;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next(message);
    ASSERT_TRUE(more.ok()) << more.status();
    if (!*more) break;
    ASSERT_TRUE(translator_.Translate(message).ok());
  }
  ASSERT_TRUE(reader.Finish().ok());
  EXPECT_EQ(Counters().TotalMessages(), 291'913u);
  EXPECT_EQ(Counters().TotalUnknownReferences(), 13'138u);
  EXPECT_EQ(Counters().live_orders, 31'729u);
  EXPECT_EQ(Counters().markets_defined, 8'849u);
  EXPECT_EQ(Counters().markets_defined_by_orders, 0u);
  EXPECT_EQ(Counters().markets_refused, 0u);
  EXPECT_EQ(Counters().new_orders, 18'173u + 18'096u);
  EXPECT_EQ(Counters().quantities_exceeded, 0u);
  EXPECT_EQ(Counters().references_repeated, 0u);
  EXPECT_EQ(CommandCount(), Counters().TotalCommands());
  const bool is_in_order =
      std::is_sorted(sink_.commands.begin(), sink_.commands.end(),
                     [](const Command& a, const Command& b) { return a.timestamp < b.timestamp; });
  EXPECT_TRUE(is_in_order);
}

TEST_F(ItchTranslatorTest, AnySequenceOfMessagesIsTranslated) {
  Prng prng(7);
  for (int i = 0; i < 50'000; ++i) {
    const uint64_t reference = prng.Below(40);
    const auto shares = static_cast<uint32_t>(prng.Below(50));
    const auto price = static_cast<uint32_t>(prng.Next());
    const auto locate = static_cast<uint16_t>(prng.Below(3));
    switch (prng.Below(7)) {
      case 0:
        Directory(prng.Chance(50) ? "AAPL" : "B", locate);
        break;
      case 1:
        Add(reference, prng.Chance(50) ? Side::kBid : Side::kAsk, shares, price, locate);
        break;
      case 2:
        Execute(reference, shares, prng.Next());
        break;
      case 3:
        ExecuteAt(reference, shares, price);
        break;
      case 4:
        Cancel(reference, shares);
        break;
      case 5:
        Delete(reference);
        break;
      case 6:
        Replace(reference, prng.Below(40), shares, price);
        break;
    }
    ASSERT_LE(Counters().live_orders, 40u);
  }
  EXPECT_EQ(CommandCount(), Counters().TotalCommands());
  EXPECT_EQ(Counters().TotalMessages(), 50'000u);
}

}  // namespace
}  // namespace engine
