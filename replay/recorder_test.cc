// A replay repeats what was recorded (R1). Nothing is released before the ack policy allows it
// (J3).

#include "replay/recorder.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/clock.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/stepped_halves.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "replay/checked_replay.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"

namespace replay {
namespace {

// Keeps the released events, and the durability at their release.
class Listener final : public engine::EventListener {
 public:
  void OnEvents(const engine::Command& command, std::span<const engine::Event> heard) override {
    commands.push_back(command);
    events.insert(events.end(), heard.begin(), heard.end());
    if (writer != nullptr) {
      EXPECT_LE(command.sequence, policy == AckPolicy::kDisk ? writer->durable_sequence()
                                                             : writer->written_sequence());
    }
    if (on_events) on_events();
  }

  std::vector<engine::Command> commands;
  std::vector<engine::Event> events;
  const journal::Writer* writer = nullptr;  // Checked when set.
  AckPolicy policy = AckPolicy::kNone;
  std::function<void()> on_events;
};

// A recorded run over a directory.
struct RecordedRun {
  RecordedRun(journal::Directory& directory, Recorder::Options options,
              const journal::WriterOptions& writer_options = {}) {
    writer = journal::Writer::Create(directory, journal::JournalMetadata(),
                                     journal::Uuid::FromWords(1, 2), {}, writer_options)
                 .value();
    sidecar = journal::SidecarWriter::Create(directory, writer->journal_uuid()).value();
    recorder.emplace(*writer, clock, *sidecar, driver, listener, options);
    listener.policy = options.ack;
    if (options.ack != AckPolicy::kNone) listener.writer = writer.get();
  }

  void DefineMarket() {
    const engine::MarketDefinition market{.id = engine::MarketId(1), .symbol = "ACME"};
    engine::Command command;
    command.kind = engine::CommandKind::kDefineMarket;
    command.market = market.id;
    ASSERT_TRUE(recorder->Submit(command, engine::EncodeMarketDefinition(market)).ok());
  }
  absl::Status Order(engine::Side side, int64_t price, uint64_t quantity) {
    engine::Command command;
    command.kind = engine::CommandKind::kNewOrder;
    command.market = engine::MarketId(1);
    command.side = side;
    command.type = engine::OrderType::kLimit;
    command.tif = engine::TimeInForce::kGoodTillCancelled;
    command.price = engine::Price::FromUnits(price);
    command.quantity = engine::Quantity::FromUnits(quantity);
    clock.Set(engine::Timestamp::FromNanos(clock.Now().nanos() + 10));
    return recorder->Submit(command, {}).status();
  }
  // Orders on both sides of a narrow range: most of them trade.
  void Orders(int count) {
    for (int i = 0; i < count; ++i) {
      ASSERT_TRUE(Order(i % 3 == 0 ? engine::Side::kAsk : engine::Side::kBid, 100 + i * 7 % 5,
                        static_cast<uint64_t>(1 + i % 4))
                      .ok());
    }
  }

  engine::ManualClock clock;
  Listener listener;
  ExchangeMachine machine;
  Driver driver{machine};
  std::unique_ptr<journal::Writer> writer;
  std::unique_ptr<journal::SidecarWriter> sidecar;
  std::optional<Recorder> recorder;
};

TEST(Recorder, AReplayOfTheJournalIsTheRun) {
  journal::MemoryDirectory directory;
  RecordedRun run(directory, {.ack = AckPolicy::kWritten, .group_commands = 100});
  run.DefineMarket();
  run.Orders(10'000);
  const auto last = run.recorder->Finish();
  ASSERT_TRUE(last.ok()) << last.status();

  const auto reader = journal::Reader::Open(directory).value();
  const auto recorded =
      journal::ReadSidecar(directory, reader->info().uuid, reader->info().last_sequence).value();
  EXPECT_EQ(recorded.size(), 3u);  // At 4096, at 8192, at the end.
  EXPECT_EQ(recorded.back(), *last);

  StartingPoint start{
      .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  std::vector<engine::Event> events;
  const auto replayed =
      ReplayCheckedFrom(start, *reader, recorded, reader->info().last_sequence,
                        [&](const journal::Record&, std::span<const Output> outputs) {
                          const auto heard = AsEvents(outputs);
                          events.insert(events.end(), heard.begin(), heard.end());
                        });
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(replayed->checkpoints_compared, 3u);
  EXPECT_FALSE(replayed->divergence.has_value());
  EXPECT_EQ(replayed->last, *last);
  EXPECT_EQ(events, run.listener.events);
}

TEST(Recorder, ChangesNothingWhileItHoldsNoLock) {
  journal::MemoryDirectory directory;
  {
    RecordedRun run(directory, {.ack = AckPolicy::kWritten, .group_commands = 100});
    run.DefineMarket();
    run.Orders(5'000);
    ASSERT_TRUE(run.recorder->Finish().ok());
  }
  EXPECT_EQ(directory.changes_without_lock(), 0u) << "the last checkpoint, too";
  EXPECT_TRUE(directory.Lock().ok());
}

TEST(Recorder, NothingIsReleasedBeforeItMeetsThePolicy) {
  for (const AckPolicy ack : {AckPolicy::kNone, AckPolicy::kWritten, AckPolicy::kDisk}) {
    journal::MemoryDirectory directory;
    RecordedRun run(directory, {.ack = ack, .group_commands = 1000});
    run.DefineMarket();
    run.Orders(10);
    EXPECT_TRUE(run.listener.commands.empty());
    ASSERT_TRUE(run.recorder->Commit().ok());  // The listener checks how far the writer is.
    EXPECT_EQ(run.listener.commands.size(), 11u);
    ASSERT_TRUE(run.recorder->Commit().ok());
    EXPECT_EQ(run.listener.commands.size(), 11u) << "released twice";
  }
}

TEST(Recorder, EventsWithoutAPolicyLeaveWithoutACommit) {
  for (const AckPolicy ack : {AckPolicy::kNone, AckPolicy::kDisk}) {
    journal::MemoryDirectory directory;
    RecordedRun run(directory, {.ack = ack, .group_commands = 1 << 20});
    run.DefineMarket();
    run.Orders(255);
    EXPECT_EQ(run.listener.commands.size(), ack == AckPolicy::kNone ? 256u : 0u);
    run.Orders(255);
    EXPECT_TRUE(run.recorder->has_waiting());
  }
}

TEST(Recorder, AFullGroupCommitsByItself) {
  journal::MemoryDirectory directory;
  RecordedRun run(directory, {.ack = AckPolicy::kDisk, .group_commands = 4});
  run.DefineMarket();
  run.Orders(9);
  EXPECT_EQ(run.listener.commands.size(), 8u);
  EXPECT_EQ(run.writer->durable_sequence(), engine::SequenceNumber(8));
}

TEST(Recorder, CommandsOfAListenerWaitForTheNextCommit) {
  journal::MemoryDirectory directory;
  RecordedRun run(directory, {.ack = AckPolicy::kWritten, .group_commands = 1000});
  run.DefineMarket();
  bool submitted = false;
  run.listener.on_events = [&] {
    if (std::exchange(submitted, true)) return;
    EXPECT_TRUE(run.Order(engine::Side::kBid, 100, 1).ok());
  };
  ASSERT_TRUE(run.recorder->Commit().ok());
  EXPECT_EQ(run.listener.commands.size(), 1u);
  ASSERT_TRUE(run.recorder->Commit().ok());
  EXPECT_EQ(run.listener.commands.size(), 2u);
}

TEST(Recorder, AfterAFailureNothingIsReleasedAndTheErrorStays) {
  // The calls of a successful run, so that each can fail in turn.
  uint64_t call_count = 0;
  {
    journal::MemoryDirectory directory;
    journal::FaultyDirectory counting(directory, {});
    RecordedRun run(counting, {.ack = AckPolicy::kDisk, .group_commands = 1000});
    run.DefineMarket();
    const uint64_t before = counting.calls();
    run.Orders(10);
    ASSERT_TRUE(run.recorder->Commit().ok());
    call_count = counting.calls() - before;
  }
  ASSERT_GT(call_count, 1u);
  for (uint64_t call = 0; call < call_count; ++call) {
    journal::MemoryDirectory directory;
    uint64_t before = 0;
    {
      journal::MemoryDirectory scratch;
      journal::FaultyDirectory counting(scratch, {});
      RecordedRun run(counting, {.ack = AckPolicy::kDisk, .group_commands = 1000});
      run.DefineMarket();
      before = counting.calls();
    }
    journal::FaultyDirectory faulty(directory, {.failing_call = before + call});
    RecordedRun run(faulty, {.ack = AckPolicy::kDisk, .group_commands = 1000});
    run.DefineMarket();
    run.Orders(10);
    const absl::Status failed = run.recorder->Commit();
    ASSERT_FALSE(failed.ok()) << "call " << call;
    EXPECT_TRUE(run.listener.events.empty());
    EXPECT_EQ(run.Order(engine::Side::kBid, 100, 1), failed);
    EXPECT_EQ(run.recorder->Commit(), failed);
    EXPECT_EQ(run.recorder->Finish().status(), failed);
  }
}

// With two threads: the writing half is stepped by hand.
struct RunOfTwoHalves : journal::SteppedHalves {
  explicit RunOfTwoHalves(journal::Directory& directory, Recorder::Options options,
                          uint64_t reserve_bytes = 0)
      : SteppedHalves(1), run(directory, options, Options(*this, reserve_bytes)) {
    Attach(*run.writer);
  }
  static journal::WriterOptions Options(const SteppedHalves& halves, uint64_t reserve_bytes) {
    journal::WriterOptions writer;
    writer.block_records = 8;
    writer.segment_bytes = 64 << 20;
    writer.reserve_bytes = reserve_bytes;
    writer.threads = halves.threads();
    return writer;
  }
  RecordedRun run;
};

TEST(Recorder, WithTwoThreadsEventsLeaveWhenTheirRecordIsAcknowledged) {
  journal::MemoryDirectory directory;
  RunOfTwoHalves halves(directory, {.ack = AckPolicy::kDisk, .group_commands = 1000});
  RecordedRun& run = halves.run;
  journal::BlockWriter& writing = run.writer->writing_half();
  run.DefineMarket();
  run.Orders(3);
  ASSERT_TRUE(run.recorder->Poll().ok());  // Handed over.
  EXPECT_TRUE(run.listener.commands.empty());
  EXPECT_TRUE(writing.CompressOne());
  EXPECT_TRUE(writing.WriteOne());
  run.Orders(2);
  ASSERT_TRUE(run.recorder->Poll().ok());
  EXPECT_TRUE(run.listener.commands.empty()) << "written is not durable";
  EXPECT_TRUE(writing.SyncOne());
  ASSERT_TRUE(run.recorder->Poll().ok());
  EXPECT_EQ(run.listener.commands.size(), 4u) << "and not the two that came later";
  EXPECT_TRUE(run.recorder->has_waiting());
  const auto last = run.recorder->Finish();
  ASSERT_TRUE(last.ok()) << last.status();
  EXPECT_EQ(run.listener.commands.size(), 6u);
  EXPECT_FALSE(run.recorder->has_waiting());
}

TEST(Recorder, AChangedPolicyHoldsForTheCommandsAfterIt) {
  journal::MemoryDirectory directory;
  RunOfTwoHalves halves(directory, {.ack = AckPolicy::kDisk, .group_commands = 1000});
  RecordedRun& run = halves.run;
  run.listener.writer = nullptr;  // It knows one policy.
  run.DefineMarket();
  ASSERT_TRUE(run.recorder->SetAckPolicy(AckPolicy::kNone).ok());
  run.Orders(3);
  ASSERT_TRUE(run.recorder->Poll().ok());
  EXPECT_TRUE(run.listener.commands.empty()) << "the first still waits for the disk";
  EXPECT_TRUE(run.writer->writing_half().Work());
  ASSERT_TRUE(run.recorder->Poll().ok());
  EXPECT_EQ(run.listener.commands.size(), 4u);
  run.Orders(1);
  ASSERT_TRUE(run.recorder->Poll().ok());
  EXPECT_EQ(run.listener.commands.size(), 5u) << "nothing to wait for";
  ASSERT_TRUE(run.recorder->Finish().ok());
}

TEST(Recorder, WithTwoThreadsAReplayOfTheJournalIsTheRun) {
  journal::MemoryDirectory directory;
  RunOfTwoHalves halves(directory, {.ack = AckPolicy::kDisk, .group_commands = 50});
  RecordedRun& run = halves.run;
  run.DefineMarket();
  for (int i = 0; i < 300; ++i) {
    run.Orders(1 + i % 20);
    halves.Steps(static_cast<uint64_t>(i % 7));
    if (i % 5 == 0) {
      ASSERT_TRUE(run.recorder->Poll().ok());
    }
  }
  const auto last = run.recorder->Finish();
  ASSERT_TRUE(last.ok()) << last.status();
  const auto reader = journal::Reader::Open(directory).value();
  const auto recorded =
      journal::ReadSidecar(directory, reader->info().uuid, reader->info().last_sequence).value();
  StartingPoint start{
      .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  std::vector<engine::Event> events;
  const auto replayed =
      ReplayCheckedFrom(start, *reader, recorded, reader->info().last_sequence,
                        [&](const journal::Record&, std::span<const Output> outputs) {
                          const auto heard = AsEvents(outputs);
                          events.insert(events.end(), heard.begin(), heard.end());
                        });
  ASSERT_TRUE(replayed.ok()) << replayed.status();
  EXPECT_EQ(replayed->last, *last);
  EXPECT_EQ(events, run.listener.events);
}

TEST(Recorder, AFullDiskRefusesOrdersAndLetsCancelsPass) {
  journal::MemoryDirectory directory;
  journal::FaultyDirectory full(directory, {});
  RunOfTwoHalves halves(full, {.ack = AckPolicy::kWritten, .group_commands = 4}, 4 << 20);
  RecordedRun& run = halves.run;
  run.DefineMarket();
  run.Orders(4);
  full.SetFreeBytes(0);
  absl::Status refused;
  while (refused.ok()) refused = run.Order(engine::Side::kBid, 100, 1);
  EXPECT_EQ(refused.code(), absl::StatusCode::kResourceExhausted);
  engine::Command cancel;
  cancel.kind = engine::CommandKind::kCancel;
  cancel.market = engine::MarketId(1);
  cancel.order_id = engine::OrderId(2);
  EXPECT_TRUE(run.recorder->Submit(cancel, {}).ok());
  EXPECT_EQ(run.Order(engine::Side::kBid, 100, 1).code(), absl::StatusCode::kResourceExhausted);
  full.SetFreeBytes(100 << 20);
  halves.Steps(2000);  // The writing half looks again after a while.
  EXPECT_TRUE(run.Order(engine::Side::kBid, 100, 1).ok());
  ASSERT_TRUE(run.recorder->Finish().ok());
  EXPECT_FALSE(run.recorder->has_waiting());
}

TEST(Recorder, AFullDiskHoldsBackCheckpointsAndLosesNone) {
  journal::MemoryDirectory directory;
  journal::FaultyDirectory full(directory, {});
  RunOfTwoHalves halves(full, {.ack = AckPolicy::kWritten, .group_commands = 64}, 4 << 20);
  RecordedRun& run = halves.run;
  run.DefineMarket();
  run.Orders(4090);
  halves.Steps(2000);
  full.SetFreeBytes(0);
  engine::Command cancel;
  cancel.kind = engine::CommandKind::kCancel;
  cancel.market = engine::MarketId(1);
  cancel.order_id = engine::OrderId(2);
  for (int i = 0; i < 20; ++i) {
    const auto passed = run.recorder->Submit(cancel, {});
    ASSERT_TRUE(passed.ok()) << passed.status();
  }
  full.SetFreeBytes(100 << 20);
  const auto last = run.recorder->Finish();
  ASSERT_TRUE(last.ok()) << last.status();
  const auto recorded =
      journal::ReadSidecar(directory, run.writer->journal_uuid(), run.driver.last_applied())
          .value();
  ASSERT_EQ(recorded.size(), 2u);
  EXPECT_EQ(recorded.front().sequence, engine::SequenceNumber(4096));
  EXPECT_EQ(recorded.back(), *last);
}

TEST(RecorderDeathTest, TheDriverMustBeAtTheEndOfTheJournal) {
  journal::MemoryDirectory directory;
  RecordedRun run(directory, {});
  run.DefineMarket();
  ExchangeMachine other;
  Driver driver(other);
  EXPECT_DEATH(Recorder(*run.writer, run.clock, *run.sidecar, driver, run.listener, {}), "CHECK");
}

}  // namespace
}  // namespace replay
