#include "bench/apply_run.h"

#include <cstdlib>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "bench/comparison.h"
#include "bench/contenders.h"
#include "bench/outcome_cache.h"
#include "bench/pinned_digests.h"
#include "bench/recorded_workload.h"
#include "engine/workload/catalogue.h"
#include "gtest/gtest.h"

namespace bench {
namespace {

std::string Folder() {
  const char* const folder = std::getenv("TEST_TMPDIR");
  return folder != nullptr ? folder : ::testing::TempDir();
}

RecordedWorkload Smoke(absl::string_view name) {
  absl::StatusOr<RecordedWorkload> workload =
      RecordOrReadWorkload(Folder(), name, 1, WorkloadSize::kSmoke);
  EXPECT_TRUE(workload.ok()) << workload.status();
  return *std::move(workload);
}

void Nothing(absl::string_view, uint64_t, uint64_t) {}

// The same log, events and state with every compiler and flag: a number refers to them.
TEST(ApplyRun, EveryWorkloadHasItsPinnedDigests) {
  for (const WorkloadEntry& entry : Workloads()) {
    const RecordedWorkload workload = Smoke(entry.name);
    const Outcome outcome = CheckedRun(Contender::kFast, workload, [](uint64_t) {});
    const PinnedDigests* const pinned = FindPinned(entry.name, 1, WorkloadSize::kSmoke);
    ASSERT_NE(pinned, nullptr) << entry.name;
    EXPECT_EQ(workload.log_digest.ToString(), pinned->log) << entry.name;
    EXPECT_EQ(outcome.digests.trace.ToString(), pinned->trace) << entry.name;
    EXPECT_EQ(outcome.digests.state.ToString(), pinned->state) << entry.name;
  }
}

TEST(ApplyRun, TheReferenceAgreesAmongWhatOthersHold) {
  const OutcomeCache cache(Folder(), {});
  for (const WorkloadEntry& entry : CrowdWorkloads()) {
    const absl::StatusOr<Comparison> comparison =
        Compare(Smoke(entry.name),
                {.contenders = {Contender::kReference, Contender::kFast},
                 .modes = {Mode::kSame},
                 .run_count = 1,
                 .cores = {}},
                cache, Nothing);
    ASSERT_TRUE(comparison.ok()) << comparison.status();
    EXPECT_TRUE(comparison->reference_agrees) << entry.name;
  }
}

TEST(ApplyRun, EveryEngineAndModeEmitsTheSame) {
  const OutcomeCache cache(Folder(), {});
  for (const char* const name : {"hft", "normal", "sweep_1000", "hft_binary"}) {
    const absl::StatusOr<Comparison> comparison =
        Compare(Smoke(name),
                {.contenders = {Contender::kNull, Contender::kReference, Contender::kFast,
                                Contender::kDigested},
                 .modes = {Mode::kSame, Mode::kDrained},
                 .run_count = 1,
                 .cores = {}},
                cache, Nothing);
    ASSERT_TRUE(comparison.ok()) << comparison.status();
    EXPECT_TRUE(comparison->reference_agrees);
    EXPECT_EQ(comparison->rows.size(), 7u);
    EXPECT_GT(comparison->outcome.trades, 0u) << name;
  }
}

TEST(ApplyRun, DifferenceFromTheReferenceIsReportedAndNothingIsTimed) {
  const RecordedWorkload workload = Smoke("hft");
  const OutcomeCache cache(Folder() + "/wrong", {});
  Outcome wrong = CheckedRun(Contender::kFast, workload, [](uint64_t) {});
  wrong.digests.trace.low ^= 1;
  cache.Keep(workload.log_digest, wrong);
  const absl::StatusOr<Comparison> comparison = Compare(
      workload,
      {.contenders = {Contender::kFast}, .modes = {Mode::kSame}, .run_count = 1, .cores = {}},
      cache, Nothing);
  EXPECT_EQ(comparison.status().code(), absl::StatusCode::kAborted);
  EXPECT_NE(comparison.status().message().find("hft: the engine fast has trace digest"),
            absl::string_view::npos)
      << comparison.status();
}

// No command of a funded account, or of one with far limits, may be refused: the cost of the
// check is measured.
TEST(ApplyRun, AccountsAreNeverRefused) {
  for (const char* const name :
       {"hft", "hft_limits", "hft_binary", "markets_256", "sweep_100", "queue_10"}) {
    EXPECT_EQ(CheckedRun(Contender::kFast, Smoke(name), [](uint64_t) {}).rejections, 0u) << name;
  }
}

TEST(ApplyRun, SweepsFillTheirQuantity) {
  for (const auto& [name, makers] :
       std::map<std::string, uint64_t>{{"sweep_1", 1}, {"sweep_10", 10}, {"sweep_1000", 1000}}) {
    const RecordedWorkload workload = Smoke(name);
    const Outcome outcome = CheckedRun(Contender::kFast, workload, [](uint64_t) {});
    EXPECT_EQ(outcome.trades, makers * workload.timed_count()) << name;
    EXPECT_EQ(outcome.live_orders, 0u) << name;
  }
}

TEST(RecordedWorkload, IsWrittenOnceAndThenRead) {
  const std::string folder = Folder() + "/once";
  const auto first = RecordOrReadWorkload(folder, "sweep_10", 7, WorkloadSize::kSmoke);
  ASSERT_TRUE(first.ok()) << first.status();
  const auto second = RecordOrReadWorkload(folder, "sweep_10", 7, WorkloadSize::kSmoke);
  ASSERT_TRUE(second.ok()) << second.status();
  EXPECT_TRUE(first->is_new);
  EXPECT_FALSE(second->is_new);
  EXPECT_EQ(first->log_digest, second->log_digest);
  EXPECT_EQ(first->commands, second->commands);
  EXPECT_EQ(first->attachments, second->attachments);
  EXPECT_EQ(first->warm_up_count, second->warm_up_count);
}

TEST(RecordedWorkload, MissingJournalIsNamed) {
  const auto workload = ReadWorkload("no/such.tape", 0);
  EXPECT_EQ(workload.status().code(), absl::StatusCode::kNotFound);
  EXPECT_NE(workload.status().message().find("no/such.tape"), absl::string_view::npos);
}

}  // namespace
}  // namespace bench
