// Re-timing with a clock that the test moves: due times, lateness, classes
// what. Nothing here depends on how fast anything is.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"
#include "replay/exchange_vocabulary.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/retime/retime_plan.h"
#include "replay/retime/retime_run.h"
#include "replay/vocabulary.h"

namespace replay {
namespace {

using engine::CommandKind;
using engine::EventKind;

// A tick is a nanosecond; a reading costs nothing, waiting takes one.
struct ManualProbe {
  uint64_t now = 1'000'000;
  uint64_t allocations = 0;

  uint64_t Ticks() { return now++; }
  uint64_t TicksOf(uint64_t nanos) const { return nanos; }
  uint64_t Allocations() const { return allocations; }
};

// Takes the given time, and notes its input.
class SlowMachine final : public Machine {
 public:
  SlowMachine(ManualProbe& probe, std::map<uint64_t, uint64_t> cost)
      : probe_(probe), cost_(std::move(cost)) {}
  absl::string_view name() const override { return "slow"; }
  void WriteTo(ApplyKey, OutputMemory&) override {}
  std::span<const Output> Apply(ApplyKey, const journal::Record& record) override {
    seen.push_back(*record.row);
    if (!record.attachment.empty()) attached.push_back(record.sequence().value());
    const auto found = cost_.find(record.sequence().value());
    probe_.now += found == cost_.end() ? 10 : found->second;
    if (found != cost_.end()) ++probe_.allocations;
    return {};
  }
  engine::Digest StateDigest() const override { return {}; }

  std::vector<journal::Row> seen;
  std::vector<uint64_t> attached;

 private:
  ManualProbe& probe_;
  const std::map<uint64_t, uint64_t> cost_;
};

// `count` commands, 100 ns apart.
RetimePlan Plan(size_t count, size_t timed_from, const RetimeSpeed& speed) {
  RetimePlan plan;
  plan.timed_from = timed_from;
  plan.classes = {{.kind = 2, .outcome = 0}};
  for (size_t i = 0; i < count; ++i) {
    journal::Row row;
    row.sequence = engine::SequenceNumber(i + 1);
    row.timestamp = engine::Timestamp::FromNanos(static_cast<int64_t>(i) * 100);
    plan.rows.push_back(row);
    if (i < timed_from) continue;
    plan.class_of.push_back(0);
    if (speed.is_open_loop()) {
      plan.due_nanos.push_back(speed.DueNanos(i - timed_from, (i - timed_from) * 100));
    }
  }
  return plan;
}

RetimeSpeed Speed(const std::string& text) { return *RetimeSpeed::Parse(text); }

TEST(RetimeRun, AStallCountsForEveryCommandThatWasDueMeanwhile) {
  ManualProbe probe;
  SlowMachine machine(probe, {{3, 1000}});
  const RetimeTimes times = RunRetimed(Plan(8, 0, Speed("1x")), machine, probe, [] {});
  // Due at 200, done at 1200: those due at 300, 400, ... wait, though each takes only 10.
  EXPECT_GE(times.latency[2], 1000u);
  for (size_t i = 3; i < 8; ++i) {
    EXPECT_GE(times.latency[i], 1200u - i * 100) << i;
    EXPECT_LE(times.service[i], 15u) << i;
  }
  EXPECT_LE(times.latency[1], 15u);
}

TEST(RetimeRun, NoCommandBeginsBeforeItIsDue) {
  ManualProbe probe;
  SlowMachine machine(probe, {});
  const RetimeTimes times = RunRetimed(Plan(5, 0, Speed("1x")), machine, probe, [] {});
  for (const uint64_t latency : times.latency) EXPECT_LE(latency, 15u);  // Else it wrapped around.
  EXPECT_GE(times.total, 400u);
}

TEST(RetimeRun, AtMaxSpeedNothingWaits) {
  ManualProbe probe;
  SlowMachine machine(probe, {{2, 50}});
  const RetimeTimes times = RunRetimed(Plan(5, 0, Speed("max")), machine, probe, [] {});
  EXPECT_TRUE(times.latency.empty());
  EXPECT_EQ(times.service, (std::vector<uint32_t>{11, 51, 11, 11, 11}));
  EXPECT_EQ(times.total, 95u);
}

TEST(RetimeRun, LargeLatenciesAreSaturated) {
  ManualProbe probe;
  SlowMachine machine(probe, {{1, uint64_t{1} << 40}});
  const RetimeTimes times = RunRetimed(Plan(2, 0, Speed("1x")), machine, probe, [] {});
  EXPECT_EQ(times.service[0], UINT32_MAX);
  EXPECT_GE(times.latency[1], (uint64_t{1} << 40) - 100);
}

TEST(RetimeRun, R3OrderAndTimestampsAreTheSameAtEverySpeed) {
  std::vector<journal::Row> expected;
  for (const char* speed : {"max", "1x", "10x", "0.1x", "1M/s"}) {
    ManualProbe probe;
    SlowMachine machine(probe, {{4, 700}});
    RetimePlan plan = Plan(9, 2, Speed(speed));
    plan.attachments.emplace_back(0, std::vector<std::byte>(3));
    plan.attachments.emplace_back(5, std::vector<std::byte>(3));
    RunRetimed(plan, machine, probe, [] {});
    EXPECT_EQ(machine.seen, plan.rows) << speed;
    EXPECT_EQ(machine.attached, (std::vector<uint64_t>{1, 6})) << speed;
  }
}

TEST(RetimeRun, EarlierCommandsAreAppliedUntimed) {
  ManualProbe probe;
  SlowMachine machine(probe, {{1, 5000}, {4, 5}});
  size_t seen_before = 0;
  const RetimeTimes times = RunRetimed(Plan(5, 2, Speed("max")), machine, probe,
                                       [&] { seen_before = machine.seen.size(); });
  EXPECT_EQ(seen_before, 2u);
  EXPECT_EQ(times.service, (std::vector<uint32_t>{11, 6, 11}));
  EXPECT_EQ(times.allocations_of_class, std::vector<uint64_t>{1});
}

TEST(RetimeResult, TheWorstAreNamedBySequenceAndOrderedByLatency) {
  ManualProbe probe;
  SlowMachine machine(probe, {{4, 900}, {7, 300}});
  const RetimePlan plan = Plan(9, 1, Speed("0.1x"));
  const RetimeTimes times = RunRetimed(plan, machine, probe, [] {});
  const RetimeResult result =
      Summarise(plan, times, UnknownVocabulary(), 2, [](uint64_t ticks) { return ticks; });
  ASSERT_EQ(result.worst.size(), 2u);
  EXPECT_EQ(result.worst[0].sequence, engine::SequenceNumber(4));
  EXPECT_EQ(result.worst[1].sequence, engine::SequenceNumber(7));
  EXPECT_GE(result.worst[0].latency_nanos, 900u);
  ASSERT_EQ(result.classes.size(), 1u);
  EXPECT_EQ(result.classes[0].service.count(), 8u);
  EXPECT_EQ(result.classes[0].latency.max(), result.worst[0].latency_nanos);
}

TEST(RetimeResult, AskingForMoreOfTheWorstThanThereAreGivesAll) {
  ManualProbe probe;
  SlowMachine machine(probe, {});
  const RetimePlan plan = Plan(3, 0, Speed("max"));
  const RetimeTimes times = RunRetimed(plan, machine, probe, [] {});
  const RetimeResult result =
      Summarise(plan, times, UnknownVocabulary(), 10, [](uint64_t ticks) { return ticks; });
  ASSERT_EQ(result.worst.size(), 3u);
  EXPECT_EQ(result.worst[0].sequence, engine::SequenceNumber(1));  // Of equals, the earliest.
}

TEST(RetimeSpeed, GivesTheDueTimeOfACommand) {
  EXPECT_EQ(Speed("1x").DueNanos(7, 12'345), 12'345u);
  EXPECT_EQ(Speed("10x").DueNanos(7, 12'345), 1'234u);
  EXPECT_EQ(Speed("0.5x").DueNanos(7, 12'345), 24'690u);
  EXPECT_EQ(Speed("1M/s").DueNanos(7, 12'345), 7'000u);
  EXPECT_EQ(Speed("50k/s").DueNanos(2, 0), 40'000u);
  EXPECT_EQ(Speed("3/s").DueNanos(1, 0), 333'333'333u);
  EXPECT_EQ(Speed("0.001x").DueNanos(0, UINT64_MAX), uint64_t{1} << 63);
}

TEST(RetimeSpeed, ReadsItsOwnText) {
  for (const char* text : {"max", "1x", "10x", "0.500x", "2.250x", "1M/s", "1500k/s", "7/s"}) {
    EXPECT_EQ(Speed(text).ToString(), text);
  }
  EXPECT_EQ(Speed("1.5M/s"), Speed("1500k/s"));
}

TEST(RetimeSpeed, RefusesOtherText) {
  for (const char* text : {"", "x", "0x", "-1x", "1", "1.x5", "1.2345x", "0/s", "/s", "M/s", "1G/s",
                           "9999999999x", "1e3x", "1 x", "0.0001k/s", "max/s", "2.2.2x"}) {
    const auto parsed = RetimeSpeed::Parse(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_NE(parsed.status().message().find(absl::StrCat("speed '", text, "'")),
              absl::string_view::npos);
  }
}

// The name of the outcome of a command whose events are these.
std::string Outcome(CommandKind kind, const std::vector<engine::Event>& events) {
  engine::Command command;
  command.sequence = engine::SequenceNumber(9);
  command.kind = kind;
  const ExchangeVocabulary vocabulary;
  return vocabulary.OutcomeName(vocabulary.OutcomeOf(ToRow(command), AsOutputs(events)));
}

engine::Event Emitted(EventKind kind, uint64_t order = 9) {
  engine::Event event;
  event.kind = kind;
  event.order_id = engine::OrderId(order);
  return event;
}

engine::Event Refused(engine::RejectReason reason) {
  engine::Event event = Emitted(EventKind::kRejected);
  event.detail = static_cast<uint8_t>(reason);
  return event;
}

TEST(ExchangeVocabulary, NamesTheOutcomeOfACommand) {
  const engine::Event accepted = Emitted(EventKind::kAccepted);
  const engine::Event trade = Emitted(EventKind::kTrade, 3);
  EXPECT_EQ(Outcome(CommandKind::kNewOrder, {accepted}), "rest");
  EXPECT_EQ(Outcome(CommandKind::kNewOrder, {accepted, Emitted(EventKind::kCancelled)}), "no fill");
  EXPECT_EQ(Outcome(CommandKind::kNewOrder, {accepted, Emitted(EventKind::kCancelled, 4)}), "rest");
  EXPECT_EQ(Outcome(CommandKind::kNewOrder, {accepted, trade}), "one fill");
  EXPECT_EQ(Outcome(CommandKind::kNewOrder, {accepted, trade, trade}), "sweep");
  EXPECT_EQ(Outcome(CommandKind::kReplace, {Emitted(EventKind::kReplaced), trade, trade}), "sweep");
  EXPECT_EQ(Outcome(CommandKind::kCancel, {Emitted(EventKind::kCancelled, 4)}), "hit");
  EXPECT_EQ(Outcome(CommandKind::kCancel, {Refused(engine::RejectReason::kUnknownOrder)}), "miss");
  EXPECT_EQ(Outcome(CommandKind::kCancel, {Refused(engine::RejectReason::kOrderNotLive)}), "miss");
  EXPECT_EQ(Outcome(CommandKind::kCancel, {Refused(engine::RejectReason::kWrongAccount)}),
            "reject");
  EXPECT_EQ(Outcome(CommandKind::kNewOrder, {Refused(engine::RejectReason::kPriceOffTick)}),
            "reject");
  EXPECT_EQ(Outcome(CommandKind::kAdvanceTime, {Emitted(EventKind::kTimeAdvanced)}), "done");
}

}  // namespace
}  // namespace replay
