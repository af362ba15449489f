#include "replay/compare/digest_bisection.h"

#include <memory>
#include <vector>

#include "gtest/gtest.h"
#include "replay/compare/machine_subject.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/testing/busy_session.h"

namespace replay {
namespace {

using engine::SequenceNumber;

// Checkpoints of a run that emits `word` in run `from` and later, and 0 before.
std::vector<journal::Checkpoint> Trace(size_t runs, size_t from, uint64_t word) {
  std::vector<journal::Checkpoint> trace;
  for (size_t run = 1; run <= runs; ++run) {
    const engine::Digest digest = {.low = run, .high = run >= from ? word : 0};
    trace.push_back({.sequence = SequenceNumber(run * 4096), .trace = digest, .state = digest});
  }
  return trace;
}

TEST(TraceVectorTest, TheFirstDivergingRunIsFoundAtAnyPlace) {
  const auto a = Trace(40, 99, 0);
  for (size_t from = 1; from <= 40; ++from) {
    const auto compared = CompareTraces(a, Trace(40, from, 7));
    ASSERT_TRUE(compared.differing.has_value());
    EXPECT_EQ(*compared.differing,
              (DivergingRun{SequenceNumber((from - 1) * 4096), SequenceNumber(from * 4096)}));
    EXPECT_LE(compared.looked_at, 7u);
  }
}

TEST(TraceVectorTest, EqualTracesNeedNoSearch) {
  const auto compared = CompareTraces(Trace(1000, 9999, 0), Trace(1000, 9999, 0));
  EXPECT_FALSE(compared.differing.has_value());
  EXPECT_EQ(compared.looked_at, 1u);
}

TEST(TraceVectorTest, OnlyCommonCheckpointsAreCompared) {
  const auto compared = CompareTraces(Trace(10, 99, 0), Trace(5, 5, 7));
  EXPECT_EQ(compared.common, 5u);
  EXPECT_EQ(compared.differing->equal, SequenceNumber(4 * 4096));
  EXPECT_EQ(CompareTraces(Trace(10, 99, 0), {}).common, 0u);
}

TEST(TraceVectorTest, TracesWithAndWithoutStatesAreNotCompared) {
  auto without = Trace(5, 2, 7);
  for (auto& checkpoint : without) checkpoint.state.reset();
  const auto compared = CompareTraces(Trace(5, 99, 0), without);
  EXPECT_FALSE(compared.comparable);
  EXPECT_FALSE(compared.differing.has_value());
}

TEST(TraceVectorTest, IsTheTraceThatTheDriverTakes) {
  const Log log = BusySession({.length = 9000});
  MachineSubject subject({}, [] { return std::make_unique<ExchangeMachine>(); });
  MemorySource source(log);
  std::vector<journal::Checkpoint> taken;
  ASSERT_TRUE(
      TakeTrace(source, subject, [&](const journal::Checkpoint& one, const journal::Batch&) {
        taken.push_back(one);
        return true;
      }).ok());
  ExchangeMachine machine;
  Driver driver(machine);
  std::vector<journal::Checkpoint> driven;
  for (const LogEntry& entry : log) {
    const journal::Row& row = entry.row;
    driver.Apply({.row = &row, .attachment = entry.bytes()});
    if (driver.at_checkpoint()) driven.push_back(driver.Checkpoint());
  }
  driven.push_back(driver.Checkpoint());
  EXPECT_EQ(taken, driven);
}

}  // namespace
}  // namespace replay
