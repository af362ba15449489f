#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/core/exchange.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/workload/orders.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/recorder.h"

namespace bench {
namespace {

using engine::Command;
using engine::MarketId;
using engine::OrderId;
using engine::Side;

constexpr MarketId kMarket = MarketId(1);

engine::MarketDefinition BinaryMarket(uint32_t id) {
  engine::MarketDefinition market = DefaultMarket(id);
  market.kind = engine::MarketKind::kBinary;
  market.price_decimals = 4;
  market.quantity_decimals = 2;
  market.price_max = engine::Price::FromUnits(9'999);
  return market;
}

// Bytes in use now, as the allocator counts them.
int64_t BytesInUse() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<int64_t>(info.uordblks + info.hblkhd);
}

// An exchange, and its memory.
class Weighed {
 public:
  Weighed() : begin_bytes_(BytesInUse()), exchange_(std::make_unique<engine::Exchange>()) {}

  OrderId Send(Command command, engine::Bytes attachment = {}) {
    command.sequence = engine::SequenceNumber(++sequence_);
    exchange_->Apply(command, attachment, events_);
    EXPECT_NE(events_.events().front().kind, engine::EventKind::kRejected);
    return OrderId(sequence_);
  }
  void Define(const engine::MarketDefinition& definition) {
    Command command;
    command.kind = engine::CommandKind::kDefineMarket;
    command.market = definition.id;
    Send(command, engine::EncodeMarketDefinition(definition));
  }
  OrderId Rest(Side side, int64_t price, MarketId market = kMarket) {
    return Send(LimitOrder(market, side, price, 1));
  }
  void Cancel(OrderId order) { Send(bench::Cancel(kMarket, order)); }

  std::span<const engine::Event> events() const { return events_.events(); }
  int64_t bytes() const { return BytesInUse() - begin_bytes_; }

 private:
  const int64_t begin_bytes_;
  const std::unique_ptr<engine::Exchange> exchange_;
  engine::EventBuffer events_;
  uint64_t sequence_ = 0;
};

// Memory grows in steps to the next power of two; the promise holds where the step is nearly used.
constexpr int64_t kOrders = 130'000;

int64_t BytesOf(int64_t orders, int64_t levels) {
  Weighed weighed;
  weighed.Define(DefaultMarket(1));
  for (int64_t i = 0; i < orders; ++i) weighed.Rest(Side::kBid, 30'000 + i % levels);
  return weighed.bytes();
}

// And four for its place in the index, which allocates whole blocks of pages.
TEST(Memory, IsCounted) {
  const int64_t before = BytesInUse();
  auto memory = std::make_unique<std::vector<char>>(1'000'000);
  EXPECT_GE(BytesInUse(), before + 1'000'000);
  memory.reset();
  EXPECT_LT(BytesInUse(), before + 1'000);
}

TEST(Memory, RestingOrderTakes64BytesAndFourForItsId) {
  const int64_t bytes = BytesOf(kOrders, 64) - BytesOf(kOrders / 2, 64);
  EXPECT_LE(bytes, (64 + 4) * kOrders / 2 + 64 * 4096)
      << static_cast<double>(bytes) / (kOrders / 2) << " bytes an order";
}

// And its place in the window, which is up to twice as long as the range of prices, twice.
TEST(Memory, OccupiedLevelTakes32BytesAndItsPlaceInTheWindow) {
  constexpr int64_t kLevels = 32'000;
  const int64_t bytes = BytesOf(kOrders, kLevels) - BytesOf(kOrders, kLevels / 2);
  EXPECT_LE(bytes, (32 + 4 * 4 + 2) * kLevels / 2)
      << static_cast<double>(bytes) / (kLevels / 2) << " bytes a level";
}

using Definer = engine::MarketDefinition (*)(uint32_t id);

// All definitions and symbols included. Tables double, so a sixteenth as many markets use as large
// a part of them.
TEST(Memory, MillionIdleMarketsTakeLessThanAGibibyte) {
  constexpr int64_t kScale = 16;
  for (const Definer define : {DefaultMarket, BinaryMarket}) {
    Weighed weighed;
    for (uint32_t id = 1; id <= 1'000'000 / kScale; ++id) weighed.Define(define(id));
    EXPECT_LT(weighed.bytes() * kScale, int64_t{1} << 30)
        << static_cast<double>(weighed.bytes() * kScale) / 1e6 << " bytes a market";
  }
}

// Of `count` markets with `levels` levels a side, each of one order, without the directory of the
// definitions and symbols.
double BytesPerMarket(Definer define, uint32_t count, int64_t levels) {
  const int64_t before = BytesInUse();
  engine::MarketDirectory directory;
  for (uint32_t id = 1; id <= count; ++id) EXPECT_TRUE(directory.Add(define(id)));
  const int64_t directory_bytes = BytesInUse() - before;
  Weighed weighed;
  for (uint32_t id = 1; id <= count; ++id) weighed.Define(define(id));
  for (uint32_t id = 1; id <= count; ++id) {
    for (int64_t i = 0; i < levels; ++i) {
      weighed.Rest(Side::kBid, 5'000 - 100 * i, MarketId(id));
      weighed.Rest(Side::kAsk, 5'100 + 100 * i, MarketId(id));
    }
  }
  return static_cast<double>(weighed.bytes() - directory_bytes) / count;
}

// With its place in the table, which is at most half empty.
TEST(Memory, IdleMarketTakes256Bytes) {
  for (const Definer define : {DefaultMarket, BinaryMarket}) {
    EXPECT_LE(BytesPerMarket(define, 33'000, 0), 256);
    EXPECT_LE(BytesPerMarket(define, 60'000, 0), 256);
  }
}

// With its eight orders, their levels and their places in the index. So many that the block of the
// orders, which doubles, is nearly used.
TEST(Memory, MarketWithFourLevelsASideTakes1KiB) {
  EXPECT_LE(BytesPerMarket(DefaultMarket, 21'800, 4), 1'024);
}

TEST(Memory, OrdersABillionTicksApartCostOnlyThemselves) {
  const auto bytes_of = [](int64_t step) {
    Weighed weighed;
    engine::MarketDefinition market = DefaultMarket(1);
    market.price_max = engine::Price::FromUnits(3'000'000'000);
    weighed.Define(market);
    for (int64_t i = 0; i < 1'000; ++i) {
      weighed.Rest(Side::kBid, 1'000'000'000 - i * step);
      weighed.Rest(Side::kAsk, 1'000'000'001 + i * step);
    }
    // And they still trade in their order, the farthest last.
    Command taker = LimitOrder(kMarket, Side::kBid, 3'000'000'000, 1'000);
    weighed.Send(taker);
    int64_t expected = 1'000'000'001;
    for (const engine::Event& event : weighed.events()) {
      if (event.kind != engine::EventKind::kTrade) continue;
      EXPECT_EQ(event.price.units(), expected);
      expected += step;
    }
    EXPECT_EQ(expected, 1'000'000'001 + 1'000 * step);
    return weighed.bytes();
  };
  const int64_t near = bytes_of(1);
  const int64_t far = bytes_of(999'999);
  EXPECT_LE(far, near + 2'000 * 128) << near << " bytes near each other";
}

// A day of 10^9 commands with 10^5 live orders must fit in 2 GiB: about two bytes a command, with
// an order in ten thousand that always stays.
TEST(Memory, IdentityOfOrdersGrowsByTwoBytesACommandAtMost) {
  Weighed weighed;
  weighed.Define(DefaultMarket(1));
  std::vector<OrderId> young(500);
  uint64_t commands = 0;
  const auto trade_until = [&](uint64_t end) {
    while (commands < end) {
      OrderId& oldest = young[commands / 2 % young.size()];
      if (oldest != OrderId() && commands % 10'000 != 0) weighed.Cancel(oldest);
      oldest = weighed.Rest(Side::kBid, 30'000 + static_cast<int64_t>(commands % 64));
      commands += 2;
    }
    return weighed.bytes();
  };
  const int64_t before = trade_until(500'000);
  const int64_t after = trade_until(2'500'000);
  EXPECT_LE(after - before, int64_t{2 * 2'000'000}) << before << " bytes before";
}

// Also when one command ends all orders: its events leave in parts.
TEST(Memory, ReplayKeepsNoEventsOfManyOrders) {
  const auto bytes_of = [](uint64_t orders) {
    std::vector<Command> commands;
    const auto add = [&commands](Command command) {
      command.sequence = engine::SequenceNumber(commands.size() + 1);
      commands.push_back(command);
    };
    const std::vector<std::byte> definition = engine::EncodeMarketDefinition(DefaultMarket(1));
    Command define;
    define.kind = engine::CommandKind::kDefineMarket;
    define.market = kMarket;
    add(define);
    for (uint64_t i = 0; i < orders; ++i) add(LimitOrder(kMarket, Side::kBid, 30'000, 1));
    Command end;
    end.kind = engine::CommandKind::kMassCancel;
    end.market = kMarket;
    add(end);
    const journal::AttachmentView attachment{.sequence = engine::SequenceNumber(1),
                                             .bytes = definition};
    const journal::Batch batch{.rows = replay::AsRows(commands), .attachments = {&attachment, 1}};

    replay::ExchangeMachine machine;
    replay::Driver driver(machine);
    driver.ApplyBatch(batch, engine::SequenceNumber(orders + 1));
    const int64_t before = BytesInUse();
    driver.ApplyBatch(batch.Part(orders + 1, 1), engine::SequenceNumber(orders + 2));
    EXPECT_EQ(machine.live_order_count(), 0u);
    EXPECT_EQ(driver.output_count(), 2 * orders + 2);
    return BytesInUse() - before;
  };
  // The exchange itself keeps a few bytes an order for its digest; its event would be 64.
  constexpr int64_t kRoom = 8'192 * sizeof(engine::Event);
  EXPECT_LE(bytes_of(kOrders), kRoom + 16 * kOrders);
}

// Notes the memory in use when the events of a command leave.
class ReleaseWeigher final : public engine::EventListener {
 public:
  void OnEvents(const Command&, std::span<const engine::Event> events) override {
    event_count = events.size();
    bytes = BytesInUse();
  }

  size_t event_count = 0;
  int64_t bytes = 0;
};

// No event may leave before its record is acknowledged. They are 64 bytes, in memory that doubles,
// and the exchange itself keeps a few bytes an order for its digest.
TEST(Memory, RecorderKeepsTheEventsOfACommandOnceAndNotForEver) {
  journal::MemoryDirectory directory;
  const auto writer = journal::Writer::Create(directory, journal::JournalMetadata(),
                                              journal::Uuid::FromWords(1, 2), {}, {})
                          .value();
  const auto sidecar = journal::SidecarWriter::Create(directory, writer->journal_uuid()).value();
  engine::ManualClock clock;
  replay::ExchangeMachine machine;
  replay::Driver driver(machine);
  ReleaseWeigher weigher;
  replay::Recorder recorder(*writer, clock, *sidecar, driver, weigher, {});
  Command define;
  define.kind = engine::CommandKind::kDefineMarket;
  define.market = kMarket;
  ASSERT_TRUE(recorder.Submit(define, engine::EncodeMarketDefinition(DefaultMarket(1))).ok());
  for (int64_t i = 0; i < kOrders; ++i) {
    ASSERT_TRUE(recorder.Submit(LimitOrder(kMarket, Side::kBid, 30'000, 1), {}).ok());
  }
  ASSERT_TRUE(recorder.Commit().ok());
  Command end;
  end.kind = engine::CommandKind::kMassCancel;
  end.market = kMarket;
  const int64_t before = BytesInUse();
  ASSERT_TRUE(recorder.Submit(end, {}).ok());
  ASSERT_TRUE(recorder.Commit().ok());
  EXPECT_EQ(weigher.event_count, size_t{kOrders + 1});
  EXPECT_LE(weigher.bytes - before, (64 + 16) * kOrders)
      << static_cast<double>(weigher.bytes - before) / kOrders << " bytes an event";
  EXPECT_LE(BytesInUse() - before, 16 * kOrders);
}

}  // namespace
}  // namespace bench
