#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/testing/memory_storage.h"
#include "replay/compare/digest_bisection.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/machine_subject.h"
#include "replay/compare/snapshot_states.h"
#include "replay/compare/subject.h"
#include "replay/compare/write_log.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/known_bad_machine.h"

namespace replay {
namespace {

using engine::SequenceNumber;

MachineSubject Engine(const std::string& name, const KnownBadOptions& options) {
  return MachineSubject({.name = name, .build_id = name},
                        [options] { return std::make_unique<KnownBadMachine>(options); });
}

MachineSubject Healthy() { return Engine("healthy", {}); }
MachineSubject Faulty() {
  return Engine("faulty", {.own_fault = OwnFault::kTakerPriced, .from = 15'000});
}

// An engine that counts the records put to it, and may end at one. `subject` outlives it.
class Counting final : public Subject {
 public:
  explicit Counting(Subject& subject, uint64_t ends_at = std::numeric_limits<uint64_t>::max())
      : subject_(subject), ends_at_(ends_at) {}

  const SubjectIdentity& identity() const override { return subject_.identity(); }
  absl::Status Send(const journal::Batch& batch, const Ask& ask) override {
    applied_ += batch.rows.size();
    if (batch.rows.back().sequence.value() >= ends_at_) return absl::AbortedError("it ended");
    return subject_.Send(batch, ask);
  }
  absl::StatusOr<Answer> Receive() override { return subject_.Receive(); }
  absl::StatusOr<std::span<const Output>> Outputs() override { return subject_.Outputs(); }
  absl::Status Reset() override { return subject_.Reset(); }
  absl::StatusOr<SavedState> Save() override { return subject_.Save(); }
  absl::Status Load(const SavedState& state) override { return subject_.Load(state); }
  absl::StatusOr<std::vector<engine::RestingOrder>> Orders(engine::MarketId market,
                                                           engine::Side side) override {
    return subject_.Orders(market, side);
  }

  uint64_t applied() const { return applied_; }

 private:
  Subject& subject_;
  const uint64_t ends_at_;
  uint64_t applied_ = 0;
};

// An engine that reports a large state, so that states are saved and compared seldom.
class LargeMachine final : public Machine {
 public:
  explicit LargeMachine(const KnownBadOptions& options) : machine_(options) {}

  absl::string_view name() const override { return "large"; }
  void WriteTo(ApplyKey key, OutputMemory& memory) override { machine_.WriteTo(key, memory); }
  std::span<const Output> Apply(ApplyKey key, const journal::Record& record) override {
    return machine_.Apply(key, record);
  }
  engine::Digest StateDigest() const override { return machine_.StateDigest(); }
  uint64_t state_size() const override { return 30'000; }
  LastRecord last_record() const override { return machine_.last_record(); }
  absl::Status Save(engine::SnapshotSink sink) const override { return machine_.Save(sink); }
  absl::Status Load(engine::SnapshotSource source) override { return machine_.Load(source); }

 private:
  KnownBadMachine machine_;
};

MachineSubject Large(const std::string& name, const KnownBadOptions& options) {
  return MachineSubject({.name = name, .build_id = name},
                        [options] { return std::make_unique<LargeMachine>(options); });
}

// A cache in the test's folder.
DigestBisectionOptions Cached(const std::string& folder) {
  DigestBisectionOptions options;
  options.open_cache = [folder](const std::string& name, bool make_new) {
    return journal::OpenPosixDirectory(
        absl::StrCat(::testing::TempDir(), "/", folder, name),
        make_new ? journal::DirectoryMode::kCreate : journal::DirectoryMode::kReadOnly);
  };
  return options;
}

// A journal that the healthy engine recorded, with digests or without.
class BisectByDigestsTest : public ::testing::Test {
 protected:
  using From = DigestBisection::Trace::From;

  void Record(bool with_digests, size_t length = 25'000) {
    MachineSubject engine = Healthy();
    ASSERT_TRUE(
        WriteLog(folder_, BusySession({.length = length}), {}, with_digests ? &engine : nullptr)
            .ok());
    auto opened = journal::Reader::Open(folder_);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    reader_ = *std::move(opened);
  }

  absl::StatusOr<DigestBisection> Bisect(Subject* a, const DigestBisectionOptions& options = {}) {
    MachineSubject b = Faulty();
    SnapshotStates states;
    return BisectByDigests(folder_, *reader_, a, b, states, options);
  }

  journal::MemoryDirectory folder_;
  std::unique_ptr<journal::Reader> reader_;
};

TEST_F(BisectByDigestsTest, TheRecordedRunIsComparedByItsDigests) {
  Record(true);
  const auto found = Bisect(nullptr);
  ASSERT_TRUE(found.ok()) << found.status().message();
  ASSERT_EQ(found->traces.size(), 2u);
  EXPECT_EQ(found->traces[0].from, From::kRecording);
  EXPECT_EQ(found->traces[1].from, From::kPass);
  EXPECT_EQ(found->traces[1].engine, "faulty");
  EXPECT_EQ(found->comparison.differing,
            (DivergingRun{SequenceNumber(3 * 4096), SequenceNumber(4 * 4096)}));
  MachineSubject healthy = Healthy();
  EXPECT_EQ(Bisect(&healthy)->comparison.differing, found->comparison.differing);
}

TEST_F(BisectByDigestsTest, ARecordingWithoutDigestsIsRefused) {
  Record(false);
  EXPECT_TRUE(absl::IsFailedPrecondition(Bisect(nullptr).status()));
}

TEST_F(BisectByDigestsTest, WhatIsCachedNeedsNoPass) {
  Record(true);
  int passes = 0;
  DigestBisectionOptions options = Cached("passes-");
  options.begin_pass = [&] {
    ++passes;
    return [](SequenceNumber) {};
  };
  const auto first = Bisect(nullptr, options);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_EQ(passes, 1);
  const auto second = Bisect(nullptr, options);
  ASSERT_TRUE(second.ok()) << second.status().message();
  EXPECT_EQ(passes, 1);
  EXPECT_EQ(second->traces[1].from, From::kCache);
  EXPECT_EQ(second->comparison.differing, first->comparison.differing);
}

// The fault shows in the last run of a log of 140,000, and a state is expensive.
class LateFaultTest : public BisectByDigestsTest {
 protected:
  static constexpr size_t kLength = 140'000;
  // Since the last state that is saved on the way, and the run that differs, twice.
  static constexpr size_t kStretch = 16 * 4096 + 3 * 4096;

  LateFaultTest() { Record(true, kLength); }

  // Finds the command as `ticktape bisect` does.
  void Find(Counting* a, Counting& healthy, Counting& b, const DigestBisectionOptions& options) {
    SnapshotStates states;
    const auto found = BisectByDigests(folder_, *reader_, a, b, states, options);
    ASSERT_TRUE(found.ok()) << found.status().message();
    const auto& differing = found->comparison.differing;
    ASSERT_TRUE(differing.has_value());
    JournalSource source(*reader_);
    const auto divergence = FindDivergenceWithin(source, healthy, b, differing->equal,
                                                 differing->differs, {.states = &states});
    ASSERT_TRUE(divergence.ok()) << divergence.status().message();
    EXPECT_GT(divergence->sequence().value(), kLength - 2 * 4096);
  }

  MachineSubject healthy_ = Large("healthy", {});
  MachineSubject faulty_ = Large("faulty", {.own_fault = OwnFault::kTakerPriced, .from = 139'000});
};

TEST_F(LateFaultTest, CostsOnePassAndAStretchAndTheSecondTimeARun) {
  const DigestBisectionOptions options = Cached("late-");
  Counting a(healthy_);
  Counting b(faulty_);
  ASSERT_NO_FATAL_FAILURE(Find(nullptr, a, b, options));
  EXPECT_LE(b.applied(), kLength + kStretch);
  EXPECT_LE(a.applied(), 3 * 4096u) << "from B's state";
  Counting again_a(healthy_);
  Counting again_b(faulty_);
  ASSERT_NO_FATAL_FAILURE(Find(nullptr, again_a, again_b, options));
  EXPECT_LE(again_a.applied(), 2 * 4096u);
  EXPECT_LE(again_b.applied(), 2 * 4096u);
}

TEST_F(LateFaultTest, OfTwoEnginesCostsEachOnePassAndAStretch) {
  const DigestBisectionOptions options = Cached("both-");
  Counting a(healthy_);
  Counting b(faulty_);
  ASSERT_NO_FATAL_FAILURE(Find(&a, a, b, options));
  EXPECT_LE(a.applied(), kLength + kStretch);
  EXPECT_LE(b.applied(), kLength + 3 * 4096u) << "from A's state";
  Counting again_a(healthy_);
  Counting again_b(faulty_);
  ASSERT_NO_FATAL_FAILURE(Find(&again_a, again_a, again_b, options));
  EXPECT_LE(again_a.applied(), 2 * 4096u);
  EXPECT_LE(again_b.applied(), 2 * 4096u);
}

TEST_F(LateFaultTest, AnEngineThatEndsCostsNoMore) {
  constexpr uint64_t kEndsAt = kLength - 100;
  const DigestBisectionOptions options = Cached("ends-");
  for (const uint64_t bound : {kLength + kStretch, 2 * uint64_t{4096}}) {
    Counting a(healthy_);
    Counting b(healthy_, kEndsAt);
    ASSERT_NO_FATAL_FAILURE(Find(nullptr, a, b, options));
    EXPECT_LE(b.applied(), bound);
  }
  SnapshotStates states;
  MachineSubject same = Large("the same", {});
  Counting a(healthy_, kEndsAt);
  Counting b(same, kEndsAt);
  const auto found = BisectByDigests(folder_, *reader_, &a, b, states);
  ASSERT_TRUE(found.ok()) << found.status().message();
  ASSERT_TRUE(found->comparison.differing.has_value()) << "even if both end in the same run";
  EXPECT_EQ(found->comparison.differing->differs, SequenceNumber(kLength));
}

TEST(LogDigestOfTest, IsTheSameWithTheSidecarAndWithout) {
  MachineSubject engine = Healthy();
  engine::Digest digests[2];
  for (const bool with_digests : {false, true}) {
    journal::MemoryDirectory folder;
    const Log log = BusySession({.length = 9000});
    ASSERT_TRUE(WriteLog(folder, log, {}, with_digests ? &engine : nullptr).ok());
    const auto reader = journal::Reader::Open(folder);
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    const auto digest = LogDigestOf(folder, **reader);
    ASSERT_TRUE(digest.ok()) << digest.status().message();
    digests[with_digests] = *digest;
  }
  EXPECT_EQ(digests[0], digests[1]);
}

}  // namespace
}  // namespace replay
