#include "replay/compare/snapshot_states.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/event_buffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/machine_subject.h"
#include "replay/compare/subject.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/semantics_version.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/known_bad_machine.h"
#include "replay/testing/loopback.h"

namespace replay {
namespace {

using engine::SequenceNumber;
using ::testing::HasSubstr;

constexpr uint64_t kSchema = 0x1234;
constexpr size_t kLength = 30'000;
constexpr size_t kFrom = 25'000;

const Log& Session() {
  static const Log& log = *new Log(BusySession({.seed = 7, .length = kLength}));
  return log;
}

MachineSubject Healthy() {
  return MachineSubject(
      {.name = "healthy", .build_id = "this", .semantics_version = kSemanticsVersion},
      [] { return std::make_unique<KnownBadMachine>(KnownBadOptions()); });
}

MachineSubject Faulty(uint64_t from = kFrom) {
  return MachineSubject(
      {.name = "faulty", .build_id = "that", .semantics_version = kSemanticsVersion}, [from] {
        return std::make_unique<KnownBadMachine>(
            KnownBadOptions{.own_fault = OwnFault::kTakerPriced, .from = from});
      });
}

// An engine without optional features.
class Plain final : public Machine {
 public:
  absl::string_view name() const override { return "plain"; }
  void WriteTo(ApplyKey key, OutputMemory& memory) override { machine_.WriteTo(key, memory); }
  std::span<const Output> Apply(ApplyKey key, const journal::Record& record) override {
    return machine_.Apply(key, record);
  }
  engine::Digest StateDigest() const override { return machine_.StateDigest(); }

 private:
  KnownBadMachine machine_{KnownBadOptions()};
};

struct Found {
  std::optional<Divergence> divergence;
  uint64_t replayed = 0;
};

Found Find(Subject& a, Subject& b, SnapshotStates& states, uint64_t state_every = 4096) {
  MemorySource source(Session());
  const auto found =
      FindFirstDivergence(source, a, b, {.state_every = state_every, .states = &states});
  EXPECT_TRUE(found.ok()) << found.status().message();
  return {.divergence = found.value_or(std::nullopt), .replayed = states.replayed()};
}

// A journal's folder of snapshots, with one at `sequence`.
class SnapshotStatesTest : public ::testing::Test {
 protected:
  void Take(uint64_t sequence, bool prove = true) {
    MachineSubject subject = Healthy();
    MemorySource source(Session());
    ASSERT_TRUE(BringTo(source, subject, SequenceNumber(sequence)).ok());
    KnownBadMachine machine{KnownBadOptions()};
    const SavedState state = *subject.Save();
    ASSERT_TRUE(Load(machine, state).ok());
    const SnapshotHeader header = {.journal_uuid = journal_,
                                   .sequence = SequenceNumber(sequence),
                                   .state = state.digest,
                                   .semantics_version = kSemanticsVersion,
                                   .engine = "healthy"};
    ASSERT_TRUE(WriteSnapshot(folder_, header, machine).ok());
    if (!prove) return;
    const auto all = ListSnapshots(folder_, journal_);
    ASSERT_TRUE(all.ok());
    for (const Snapshot& snapshot : *all) {
      KnownBadMachine fresh{KnownBadOptions()};
      if (snapshot.sequence.value() != sequence) continue;
      ASSERT_TRUE(ProveSnapshot(folder_, snapshot, fresh).ok());
    }
  }

  static absl::Status Load(Machine& machine, const SavedState& state) {
    size_t next = 0;
    return machine.Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
      if (next == state.parts.size()) return std::nullopt;
      return std::optional<engine::Bytes>(state.parts[next++]);
    });
  }

  // Flips a bit in the middle of the file.
  void Damage(const std::string& name) {
    std::vector<std::byte> bytes = folder_.Contents(name);
    bytes[bytes.size() / 2] ^= std::byte{1};
    folder_.SetContents(name, std::move(bytes));
  }

  SnapshotStates States() { return SnapshotStates(&folder_, journal_); }

  const journal::Uuid journal_ = journal::Uuid::FromWords(1, 2);
  journal::MemoryDirectory folder_;
};

constexpr char kAt20480[] = "00000000000000020480.snap";

TEST_F(SnapshotStatesTest, BothContinueFromTheNewestSnapshotAndFindTheSame) {
  MachineSubject a = Healthy();
  MachineSubject b = Faulty();
  SnapshotStates none;
  const Found from_start = Find(a, b, none);
  ASSERT_TRUE(from_start.divergence.has_value());
  EXPECT_EQ(from_start.replayed, 24'576u) << "to the run that differs; B continues from A's state";
  Take(8192);
  Take(20'480);
  SnapshotStates states = States();
  const Found found = Find(a, b, states);
  ASSERT_TRUE(found.divergence.has_value());
  EXPECT_EQ(found.divergence->sequence(), from_start.divergence->sequence());
  EXPECT_EQ(found.divergence->a.outputs, from_start.divergence->a.outputs);
  EXPECT_EQ(found.divergence->b.outputs, from_start.divergence->b.outputs);
  EXPECT_EQ(found.replayed, 4096u) << "one run";
  EXPECT_EQ(states.began_at(), SequenceNumber(20'480));
  EXPECT_TRUE(states.warnings().empty());
}

TEST_F(SnapshotStatesTest, ADamagedSnapshotCostsTimeOnly) {
  Take(8192);
  Take(20'480);
  Damage(kAt20480);
  MachineSubject a = Healthy();
  MachineSubject b = Faulty();
  SnapshotStates states = States();
  const Found found = Find(a, b, states);
  ASSERT_TRUE(found.divergence.has_value());
  EXPECT_EQ(found.replayed, 24'576u - 8192u) << "from the one before";
  EXPECT_EQ(states.began_at(), SequenceNumber(8192));
  ASSERT_EQ(states.warnings().size(), 1u);
  EXPECT_THAT(states.warnings()[0], HasSubstr(kAt20480));
}

TEST_F(SnapshotStatesTest, ASnapshotThatWasNeverProvenIsNotUsed) {
  Take(20'480, /*prove=*/false);
  MachineSubject a = Healthy();
  MachineSubject b = Faulty();
  SnapshotStates states = States();
  EXPECT_EQ(Find(a, b, states).replayed, 24'576u);
}

TEST_F(SnapshotStatesTest, ASnapshotOfAStateThatTheEnginesDoNotHaveIsNotUsed) {
  Take(20'480);
  // Both have the same fault since long before the snapshot.
  MachineSubject a({.name = "a", .build_id = "a", .semantics_version = kSemanticsVersion}, [] {
    return std::make_unique<KnownBadMachine>(
        KnownBadOptions{.own_fault = OwnFault::kPhantomAfterCancel, .from = 10'000});
  });
  MachineSubject same({.name = "b", .build_id = "b", .semantics_version = kSemanticsVersion}, [] {
    return std::make_unique<KnownBadMachine>(
        KnownBadOptions{.own_fault = OwnFault::kPhantomAfterCancel, .from = 10'000});
  });
  SnapshotStates states = States();
  EXPECT_FALSE(Find(a, same, states).divergence.has_value());
  EXPECT_EQ(*states.Restore(a, SequenceNumber(kLength)), SequenceNumber());
}

TEST_F(SnapshotStatesTest, AnEngineThatCannotLoadIsReplayedFromTheStart) {
  Take(20'480);
  MachineSubject a({.name = "plain", .build_id = "p", .semantics_version = kSemanticsVersion},
                   [] { return std::make_unique<Plain>(); });
  MachineSubject b = Faulty();
  SnapshotStates states = States();
  const Found found = Find(a, b, states);
  ASSERT_TRUE(found.divergence.has_value());
  EXPECT_EQ(found.replayed, 24'576u + 4096u);
}

TEST_F(SnapshotStatesTest, AStateThatDoesNotLoadIsSkippedForTheOneBefore) {
  Take(8192);
  MachineSubject subject = Healthy();
  MemorySource source(Session());
  ASSERT_TRUE(BringTo(source, subject, SequenceNumber(12'288)).ok());
  SavedState spoilt = *subject.Save();
  spoilt.parts.pop_back();
  SnapshotStates states = States();
  states.Know(SequenceNumber(8192), ListSnapshots(folder_, journal_)->front().header.state);
  states.Know(spoilt.sequence, spoilt.digest);
  states.Keep(std::move(spoilt));
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(*states.Restore(subject, SequenceNumber(kLength)), SequenceNumber(8192));
    EXPECT_EQ(states.warnings().size(), 1u) << "it is tried once";
  }
  EXPECT_EQ(*states.Restore(subject, SequenceNumber(8191)), SequenceNumber()) << "none is older";
}

TEST_F(SnapshotStatesTest, LoadedStatesStayWithinTheMemoryLimit) {
  Take(8192);
  Take(20'480);
  MachineSubject subject = Healthy();
  SnapshotStates states(&folder_, journal_, /*bytes_kept_max=*/1);
  const auto all = ListSnapshots(folder_, journal_);
  ASSERT_TRUE(all.ok());
  for (const Snapshot& snapshot : *all) states.Know(snapshot.sequence, snapshot.header.state);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(*states.Restore(subject, SequenceNumber(kLength)), SequenceNumber(20'480));
    const size_t one = states.bytes_kept();
    EXPECT_EQ(*states.Restore(subject, SequenceNumber(9000)), SequenceNumber(8192));
    EXPECT_GT(one, 1u) << "one may always be there";
    EXPECT_LT(states.bytes_kept(), 2 * one) << "and no second";
  }
  EXPECT_TRUE(states.warnings().empty());
}

TEST_F(SnapshotStatesTest, StatesOverTheLimitAreThinnedOutEvenlyUpToTheNewest) {
  SnapshotStates states(nullptr, journal_, /*bytes_kept_max=*/40);
  for (uint64_t sequence = 1; sequence <= 16; ++sequence) {
    SavedState state{.sequence = SequenceNumber(sequence), .digest = {}, .parts = {}};
    state.parts.emplace_back(10);
    states.Know(state.sequence, state.digest);
    states.Keep(std::move(state));
    ASSERT_EQ(states.Kept().back()->sequence, SequenceNumber(sequence));
  }
  const std::vector<const SavedState*> kept = states.Kept();
  ASSERT_EQ(kept.size(), 4u);
  uint64_t before = 0;
  for (const SavedState* const state : kept) {
    EXPECT_LE(state->sequence.value() - before, 8u);
    before = state->sequence.value();
  }
  const SequenceNumber oldest = kept.front()->sequence;
  EXPECT_EQ(states.Newest(oldest - 1), nullptr);
  // One that was forgotten may return.
  states.Know(SequenceNumber(1), {});
  states.Keep({.sequence = SequenceNumber(1), .digest = {}, .parts = {}});
  EXPECT_NE(states.Newest(SequenceNumber(1)), nullptr);
}

TEST_F(SnapshotStatesTest, AnEngineMayReportAnySize) {
  MachineSubject subject = Healthy();
  const Log log = BusySession({.seed = 7, .length = 65'536});
  MemorySource source(log);
  SnapshotStates states;
  ASSERT_TRUE(BringTo(source, subject, SequenceNumber(65'536)).ok());
  Answer answer;
  answer.last = SequenceNumber(65'536);
  for (const uint64_t size : {~uint64_t{0}, uint64_t{1} << 62, uint64_t{100'000}}) {
    answer.state_size = size;
    states.Offer(subject, answer);
    EXPECT_TRUE(states.Kept().empty()) << size;
  }
  answer.state_size = 300;
  states.Offer(subject, answer);
  EXPECT_EQ(states.Kept().size(), 1u);
}

TEST_F(SnapshotStatesTest, AStateLargerThanAFrameIsNotSentAndTheEngineStartsAgain) {
  MachineSubject served = Healthy();
  const auto subject = ForeignSubject::Open(
      [&served] { return std::make_unique<Loopback>(served, kSchema); }, kSchema);
  ASSERT_TRUE(subject.ok());
  SavedState state{.sequence = SequenceNumber(4096), .digest = {.low = 1}, .parts = {}};
  state.parts.assign(3, std::vector<std::byte>(size_t{kFrameBytesMax} / 3));
  EXPECT_FALSE(FitsAFrame(state));
  EXPECT_EQ((*subject)->Load(state).code(), absl::StatusCode::kUnimplemented);
  SnapshotStates states;
  states.Know(state.sequence, state.digest);
  states.Keep(std::move(state));
  EXPECT_EQ(*states.Restore(**subject, SequenceNumber(5000)), SequenceNumber());
  EXPECT_TRUE((*subject)->Save().ok()) << "the subject is still usable";
}

TEST_F(SnapshotStatesTest, AnEngineInAnotherProcessContinuesFromASnapshotToo) {
  Take(20'480);
  MachineSubject a = Healthy();
  MachineSubject served = Faulty();
  const auto b = ForeignSubject::Open(
      [&served] { return std::make_unique<Loopback>(served, kSchema); }, kSchema);
  ASSERT_TRUE(b.ok());
  SnapshotStates states = States();
  const Found found = Find(a, **b, states);
  ASSERT_TRUE(found.divergence.has_value());
  EXPECT_EQ(found.replayed, 4096u);
  const absl::StatusOr<SavedState> saved = (*b)->Save();
  ASSERT_TRUE(saved.ok()) << saved.status().message();
  SavedState spoilt = *saved;
  spoilt.digest.low ^= 1;
  EXPECT_FALSE((*b)->Load(spoilt).ok()) << "a digest that is not that of the state";
  EXPECT_TRUE((*b)->Load(*saved).ok()) << "and it goes on";
}

TEST_F(SnapshotStatesTest, WithoutSnapshotsStatesSavedOnTheWayAreUsed) {
  const Log log = BusySession({.seed = 3, .length = 140'000});
  MachineSubject a = Healthy();
  MachineSubject b = Faulty(/*from=*/135'000);
  MemorySource source(log);
  SnapshotStates states;
  const auto found = FindFirstDivergence(source, a, b, {.states = &states});
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ(states.began_at(), SequenceNumber(131'072));
  EXPECT_LE(states.replayed(), 2 * 8192u);
}

}  // namespace
}  // namespace replay
