// R2 in every direction: on every way to a place, the state, the events and the
// trades there are those of a replay from the first record.

#include "replay/travel/travel_machine.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "gtest/gtest.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "replay/testing/busy_session.h"

namespace replay {
namespace {

using engine::SequenceNumber;

constexpr uint64_t kLength = 6'000;

// The fast exchange, which cannot be saved.
class ForgetfulMachine final : public Machine {
 public:
  absl::string_view name() const override { return "forgetful"; }
  void WriteTo(ApplyKey key, OutputMemory& memory) override { machine_.WriteTo(key, memory); }
  std::span<const Output> Apply(ApplyKey key, const journal::Record& record) override {
    return machine_.Apply(key, record);
  }
  engine::Digest StateDigest() const override { return machine_.StateDigest(); }

 private:
  ExchangeMachine machine_;
};

struct Moment {
  engine::Digest state;
  std::vector<engine::Event> events;
};

class TravelMachineTest : public testing::Test {
 protected:
  TravelMachineTest() {
    const Log log = BusySession({.seed = 11, .length = kLength});
    auto writer = journal::Writer::Create(journal_, journal::JournalMetadata(),
                                          journal::Uuid::FromWords(1, 2), {}, {})
                      .value();
    ExchangeMachine machine;
    Driver driver(machine, SequenceNumber());
    moments_.push_back({.state = machine.StateDigest(), .events = {}});
    for (const LogEntry& entry : log) {
      journal::Row row = entry.row;
      row.sequence = writer->next_sequence();
      EXPECT_TRUE(writer->Append(row, entry.bytes()).ok());
      const auto events = AsEvents(driver.Apply({.row = &row, .attachment = entry.bytes()}));
      moments_.push_back(
          {.state = machine.StateDigest(), .events = {events.begin(), events.end()}});
      for (const engine::Event& event : events) {
        if (event.kind == engine::EventKind::kTrade) trades_.push_back(event);
      }
    }
    EXPECT_TRUE(writer->Close().ok());
    reader_ = journal::Reader::Open(journal_).value();
  }

  TravelOptions Options(WaypointOptions waypoints = {.stride = 64, .gap_max = 512}) {
    return {.make_machine = [] { return std::make_unique<ExchangeMachine>(); },
            .find_start = [this](SequenceNumber at_most) -> absl::StatusOr<StartingPoint> {
              starts_.push_back(at_most.value());
              return StartingPoint{
                  .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {}};
            },
            .snapshots = {},
            .oldest = {},
            .waypoints = waypoints};
  }

  // With a snapshot at 4,096, as FindStart would read it.
  TravelOptions OptionsWithSnapshot() {
    TravelOptions options = Options();
    options.snapshots = {SequenceNumber(4'096)};
    options.find_start = [this](SequenceNumber at_most) -> absl::StatusOr<StartingPoint> {
      starts_.push_back(at_most.value());
      StartingPoint start{
          .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {"one"}};
      if (at_most < SequenceNumber(4'096)) return start;
      const auto reader = journal::Reader::Open(journal_).value();
      Driver driver(*start.machine, SequenceNumber());
      for (int i = 0; i < 4'096; ++i) driver.Apply(**reader->Next());
      start.snapshot.emplace();
      start.snapshot->sequence = SequenceNumber(4'096);
      return start;
    };
    return options;
  }

  static absl::Status Go(TravelMachine& travel, uint64_t at) {
    const SequenceNumber target(at);
    return travel.GoTo(target, target, [](const engine::Command&, bool, auto) { return true; });
  }

  // Of a place whose earlier trades may be unknown.
  void ExpectState(TravelMachine& travel, uint64_t at) {
    const absl::Status status = Go(travel, at);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(travel.machine().StateDigest(), moments_[at].state) << at;
  }

  void ExpectTruth(const TravelMachine& travel, uint64_t at) {
    EXPECT_EQ(travel.position(), SequenceNumber(at));
    const Moment& moment = moments_[at];
    EXPECT_EQ(travel.machine().StateDigest(), moment.state) << "@" << at;
    const std::vector<engine::Event> events(travel.events().begin(), travel.events().end());
    EXPECT_EQ(events, moment.events) << "@" << at;
    std::vector<engine::Event> before;
    for (const engine::Event& trade : trades_) {
      if (trade.sequence <= SequenceNumber(at)) before.push_back(trade);
    }
    if (before.size() > TravelMachine::kTradesKept) {
      before.erase(before.begin(), before.end() - TravelMachine::kTradesKept);
    }
    std::vector<engine::Event> seen;
    for (const PastTrade& past : travel.trades()) seen.push_back(past.trade);
    EXPECT_EQ(seen, before) << "@" << at;
  }

  void GoTo(TravelMachine& travel, uint64_t at) {
    const absl::Status status = Go(travel, at);
    EXPECT_TRUE(status.ok()) << status.message();
    ExpectTruth(travel, at);
  }

  journal::MemoryDirectory journal_;
  std::unique_ptr<journal::Reader> reader_;
  std::vector<Moment> moments_;        // After each record; the first entry is before all of them.
  std::vector<engine::Event> trades_;  // All.
  std::vector<uint64_t> starts_;       // The arguments of find_start.
};

TEST_F(TravelMachineTest, EveryPlaceIsTheSameOnEveryWay) {
  TravelMachine travel(*reader_, Options());
  for (const uint64_t at : {1u, 6'000u, 0u, 3'000u, 2'999u, 2'998u, 5'990u, 64u, 63u, 1u, 4'096u}) {
    GoTo(travel, at);
  }
}

TEST_F(TravelMachineTest, StepsBackOneByOne) {
  TravelMachine travel(*reader_, Options());
  for (uint64_t at = 3'000; at > 2'700; --at) GoTo(travel, at);
  EXPECT_EQ(starts_.size(), 1);
}

TEST_F(TravelMachineTest, GoingBackAppliesNoMoreThanTheGap) {
  TravelMachine travel(*reader_, Options());
  GoTo(travel, kLength);
  for (const uint64_t at : {5'999u, 5'500u, 5'000u, 2'500u, 600u}) {
    GoTo(travel, at);
    const SequenceNumber waypoint = travel.waypoints().NewestAtOrBefore(SequenceNumber(at - 1));
    EXPECT_LE(at - waypoint.value(), 512) << at;
  }
  EXPECT_EQ(starts_.size(), 1) << "the start was needed once only";
}

TEST_F(TravelMachineTest, WaypointsStayWithinTheirBudget) {
  TravelMachine free(*reader_, Options());
  GoTo(free, kLength);
  const uint64_t half = free.waypoints().bytes() / 2;
  TravelMachine bounded(*reader_, Options({.stride = 64, .gap_max = 512, .bytes_max = half}));
  GoTo(bounded, kLength);
  EXPECT_LE(bounded.waypoints().bytes(), half);
  EXPECT_GE(bounded.waypoints().count(), 3);
  const SequenceNumber newest = bounded.waypoints().NewestAtOrBefore(SequenceNumber(kLength - 1));
  EXPECT_LE(kLength - newest.value(), 256) << "what lies near the position is kept";
  for (const uint64_t at : {5'000u, 100u, 3'000u}) GoTo(bounded, at);
}

TEST_F(TravelMachineTest, ABudgetTooSmallForAnyStateKeepsOne) {
  TravelMachine travel(*reader_, Options({.stride = 64, .gap_max = 512, .bytes_max = 1}));
  for (const uint64_t at : {2'000u, 1'999u, 500u, 1'000u}) GoTo(travel, at);
  EXPECT_EQ(travel.waypoints().count(), 1);
}

TEST_F(TravelMachineTest, AMachineThatCannotBeSavedStartsAgain) {
  TravelOptions options = Options();
  options.find_start = [this](SequenceNumber at_most) -> absl::StatusOr<StartingPoint> {
    starts_.push_back(at_most.value());
    return StartingPoint{
        .machine = std::make_unique<ForgetfulMachine>(), .snapshot = {}, .warnings = {}};
  };
  TravelMachine travel(*reader_, std::move(options));
  for (const uint64_t at : {1'000u, 999u, 998u}) GoTo(travel, at);
  EXPECT_FALSE(travel.can_save());
  EXPECT_EQ(starts_.size(), 3);
}

TEST_F(TravelMachineTest, StoredSnapshotsAreUsedAndReadOnce) {
  TravelMachine travel(*reader_, OptionsWithSnapshot());
  ExpectState(travel, 4'097);
  ExpectState(travel, 5'000);
  ExpectState(travel, 4'100);
  EXPECT_EQ(starts_, std::vector<uint64_t>({4'096}));
  EXPECT_EQ(travel.TakeWarnings(), std::vector<std::string>({"one"}));
  EXPECT_TRUE(travel.TakeWarnings().empty());
  ExpectState(travel, 4'096);
  EXPECT_EQ(starts_, std::vector<uint64_t>({4'096, 4'095}));
}

TEST_F(TravelMachineTest, WithoutTheFirstRecordsTheOldestSnapshotIsTheFirstPlace) {
  TravelOptions options = OptionsWithSnapshot();
  options.oldest = SequenceNumber(4'096);
  TravelMachine travel(*reader_, std::move(options));
  ExpectState(travel, 5'000);
  ExpectState(travel, 4'097);
  ExpectState(travel, 4'096);
  EXPECT_TRUE(travel.events().empty());
  EXPECT_EQ(travel.command().sequence, SequenceNumber()) << "its record may be gone";
  const absl::Status before = Go(travel, 4'095);
  EXPECT_EQ(before.code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(absl::StrContains(before.message(), "from @4096 to @6000")) << before.message();
  EXPECT_EQ(travel.position(), SequenceNumber(4'096));
}

TEST_F(TravelMachineTest, RecordsOnTheWayAreShownFromTheRequestedPlaceOn) {
  TravelMachine travel(*reader_, Options());
  GoTo(travel, kLength);
  std::vector<uint64_t> seen;
  const auto note = [&](const engine::Command& command, bool, auto) {
    seen.push_back(command.sequence.value());
    return true;
  };
  ASSERT_TRUE(travel.GoTo(SequenceNumber(3'000), SequenceNumber(2'900), note).ok());
  ASSERT_FALSE(seen.empty());
  EXPECT_LE(seen.front(), 2'901);
  EXPECT_EQ(seen.back(), 3'000);
}

TEST_F(TravelMachineTest, StopsAfterTheRecordThatWasLookedFor) {
  TravelMachine travel(*reader_, Options());
  GoTo(travel, 100);
  const auto is_200 = [](const engine::Command& command, bool, auto) {
    return command.sequence != SequenceNumber(200);
  };
  ASSERT_TRUE(travel.Run(travel.last(), is_200).ok());
  ExpectTruth(travel, 200);
  GoTo(travel, 201);
}

TEST_F(TravelMachineTest, PlacesThatAreNotThereAreRefused) {
  TravelOptions options = Options();
  TravelMachine travel(*reader_, std::move(options));
  const absl::Status beyond = Go(travel, kLength + 1);
  EXPECT_EQ(beyond.code(), absl::StatusCode::kOutOfRange);
  EXPECT_TRUE(absl::StrContains(beyond.message(), "@6001 is outside: from @0 to @6000"))
      << beyond.message();
  GoTo(travel, 17);
}

}  // namespace
}  // namespace replay
