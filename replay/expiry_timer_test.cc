// An order expires also if no command follows it, live and in a replay.

#include "replay/expiry_timer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/guarded_clock.h"
#include "journal/reader.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/harsh_clock.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/checked_replay.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/output.h"
#include "replay/recorder.h"
#include "replay/snapshot/state_source.h"

namespace replay {
namespace {

using engine::Timestamp;

constexpr int64_t kSecond = ExpiryTimer::kSecondNanos;
constexpr int64_t kBegin = int64_t{20'000} * 86'400 * kSecond;

Timestamp At(int64_t seconds) { return Timestamp::FromNanos(kBegin + seconds * kSecond); }

// A live run in simulated time.
class LiveRun final : public engine::EventListener {
 public:
  LiveRun(engine::Clock& clock, engine::SteadyClock& steady, uint64_t reserve_bytes = 0) {
    writer = journal::Writer::Create(
                 full, journal::JournalMetadata(), journal::Uuid::FromWords(1, 2), {},
                 {.compression = journal::Compression::kNone, .reserve_bytes = reserve_bytes})
                 .value();
    sidecar = journal::SidecarWriter::Create(full, writer->journal_uuid()).value();
    recorder.emplace(*writer, clock, *sidecar, driver, *this,
                     Recorder::Options{.ack = AckPolicy::kNone});
    timer.emplace(*recorder, clock, steady);
    const engine::MarketDefinition market{.id = engine::MarketId(1), .symbol = "ACME"};
    engine::Command command;
    command.kind = engine::CommandKind::kDefineMarket;
    command.market = market.id;
    EXPECT_TRUE(recorder->Submit(command, engine::EncodeMarketDefinition(market)).ok());
  }

  absl::Status Order(Timestamp expires_at) {
    engine::Command command;
    command.kind = engine::CommandKind::kNewOrder;
    command.market = engine::MarketId(1);
    command.side = engine::Side::kBid;
    command.type = engine::OrderType::kLimit;
    command.tif = engine::TimeInForce::kGoodTillTime;
    command.set_expires_at(expires_at);
    command.price = engine::Price::FromUnits(100);
    command.quantity = engine::Quantity::FromUnits(1);
    return recorder->Submit(command, {}).status();
  }
  int64_t Tick() { return timer->Tick().value(); }

  void OnEvents(const engine::Command& command, std::span<const engine::Event> events) override {
    if (command.kind == engine::CommandKind::kAdvanceTime) ++advance_count;
    for (const engine::Event& event : events) {
      if (event.kind != engine::EventKind::kCancelled) continue;
      EXPECT_EQ(event.detail, static_cast<uint8_t>(engine::CancelReason::kExpired));
      expired_at.push_back(command.timestamp);
    }
  }

  journal::MemoryDirectory directory;
  journal::FaultyDirectory full{directory, {}};
  ExchangeMachine machine;
  Driver driver{machine};
  std::unique_ptr<journal::Writer> writer;
  std::unique_ptr<journal::SidecarWriter> sidecar;
  std::optional<Recorder> recorder;
  std::optional<ExpiryTimer> timer;
  int advance_count = 0;
  std::vector<Timestamp> expired_at;
};

struct SimulatedRun {
  SimulatedRun() { clock.Set(At(0)); }
  void Pass(int64_t nanos) {
    clock.Set(Timestamp::FromNanos(clock.Now().nanos() + nanos));
    steady.Advance(nanos);
  }
  engine::ManualClock clock;
  engine::ManualSteadyClock steady;
};

TEST(ExpiryTimer, SendsTheTimeWhenAnOrderExpiresAndNoCommandComes) {
  SimulatedRun time;
  LiveRun run(time.clock, time.steady);
  EXPECT_EQ(run.Tick(), ExpiryTimer::kNever);
  ASSERT_TRUE(run.Order(At(5)).ok());
  EXPECT_EQ(run.Tick(), kSecond) << "the clock may step, so it is looked at each second";
  time.Pass(9 * kSecond / 2);
  EXPECT_EQ(run.Tick(), kSecond / 2);
  EXPECT_EQ(run.machine.live_order_count(), 1u);
  time.Pass(kSecond / 2);
  EXPECT_EQ(run.Tick(), ExpiryTimer::kNever);
  EXPECT_EQ(run.machine.live_order_count(), 0u);
  const auto last = run.recorder->Finish();
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(run.expired_at, std::vector{At(5)});
  EXPECT_EQ(run.advance_count, 1);

  // It is in the log: no replay needs a timer.
  const auto reader = journal::Reader::Open(run.directory).value();
  const auto& info = reader->info();
  const auto recorded = journal::ReadSidecar(run.directory, info.uuid, info.last_sequence).value();
  StartingPoint start{
      .machine = std::make_unique<ReferenceMachine>(), .snapshot = {}, .warnings = {}};
  const auto replayed = ReplayCheckedFrom(start, *reader, recorded, info.last_sequence,
                                          [](const journal::Record&, std::span<const Output>) {});
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(replayed->last, *last);
  EXPECT_EQ(start.machine->NextTimer(), Timestamp::Max());
}

TEST(ExpiryTimer, SendsNothingWhereACommandCameInTime) {
  SimulatedRun time;
  LiveRun run(time.clock, time.steady);
  ASSERT_TRUE(run.Order(At(5)).ok());
  time.Pass(5 * kSecond);
  ASSERT_TRUE(run.Order(At(100)).ok());
  EXPECT_EQ(run.Tick(), kSecond);
  ASSERT_TRUE(run.recorder->Commit().ok());
  EXPECT_EQ(run.advance_count, 0);
  EXPECT_EQ(run.expired_at.size(), 1u);
}

TEST(ExpiryTimer, SendsOneCommandASecondHoweverManyOrdersExpire) {
  SimulatedRun time;
  LiveRun run(time.clock, time.steady);
  for (int i = 0; i < 3000; ++i) {
    ASSERT_TRUE(run.Order(Timestamp::FromNanos(At(1).nanos() + i * kSecond / 1000)).ok());
  }
  time.Pass(kSecond);
  int64_t wait = run.Tick();
  while (wait != ExpiryTimer::kNever) {
    ASSERT_LE(wait, kSecond);
    time.Pass(wait);
    wait = run.Tick();
  }
  ASSERT_TRUE(run.recorder->Commit().ok());
  EXPECT_EQ(run.machine.live_order_count(), 0u);
  EXPECT_EQ(run.expired_at.size(), 3000u);
  EXPECT_LE(run.advance_count, 4);
}

// Under any clock, an order expires once it shows the order's time, and the timer never
// stops to look.
TEST(ExpiryTimer, WorksUnderAClockThatStepsAndJumps) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    journal::HarshClock harsh(At(0), seed);
    journal::GuardedClock clock(harsh, harsh.steady(), 86'400 * kSecond,
                                [](Timestamp, Timestamp) {});
    LiveRun run(clock, harsh.steady());
    ASSERT_TRUE(run.Order(At(600)).ok());
    int64_t passed = 0;
    int64_t wait = run.Tick();
    for (; wait != ExpiryTimer::kNever; wait = run.Tick()) {
      ASSERT_LE(wait, kSecond);
      harsh.Pass(wait);
      passed += wait;
      ASSERT_LT(passed, 3 * 3600 * kSecond);
    }
    EXPECT_EQ(run.machine.live_order_count(), 0u);
  }
}

TEST(ExpiryTimer, AFullDiskIsNoError) {
  SimulatedRun time;
  LiveRun run(time.clock, time.steady, 5 << 20);
  ASSERT_TRUE(run.Order(At(5)).ok());
  run.full.SetFreeBytes(0);
  while (run.Order(At(5)).ok()) continue;
  // Until the reserve is used up, too.
  engine::Command cancel;
  cancel.kind = engine::CommandKind::kCancel;
  while (run.recorder->Submit(cancel, {}).ok()) continue;
  time.Pass(5 * kSecond);
  EXPECT_EQ(run.Tick(), kSecond);
  EXPECT_GT(run.machine.live_order_count(), 0u);
  run.full.SetFreeBytes(100 << 20);
  time.Pass(kSecond);
  EXPECT_EQ(run.Tick(), ExpiryTimer::kNever);
  EXPECT_EQ(run.machine.live_order_count(), 0u);
}

}  // namespace
}  // namespace replay
