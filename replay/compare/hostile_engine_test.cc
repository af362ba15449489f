// Whatever an engine at the other end of an event stream says, the program that asks it goes on.

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/explanation.h"
#include "replay/compare/failure_class.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/machine_subject.h"
#include "replay/compare/subject.h"
#include "replay/exchange_machine.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/spoilt_engine.h"

namespace replay {
namespace {

constexpr uint64_t kSchema = 0x1234;

MachineSubject Exchange() {
  return MachineSubject({.name = "fast", .build_id = "this", .semantics_version = 3},
                        [] { return std::make_unique<ExchangeMachine>(); });
}

absl::StatusOr<std::unique_ptr<ForeignSubject>> Spoilt(Subject& served, SpoiltEngine::Spoil spoil) {
  return ForeignSubject::Open(
      [&served, spoil] { return std::make_unique<SpoiltEngine>(served, kSchema, spoil); }, kSchema);
}

TEST(HostileEngineTest, AStateOfAnotherRecordThanTheLastIsRefused) {
  MachineSubject served = Exchange();
  const auto there = Spoilt(served, [](Frame& frame) {
    if (frame.kind == FrameKind::kState) frame.payload[0] ^= std::byte{1};
  });
  ASSERT_TRUE(there.ok()) << there.status();
  const Log log = BusySession({.length = 100});
  MemorySource source(log);
  ASSERT_TRUE(source.Seek(engine::SequenceNumber::First()).ok());
  ASSERT_TRUE(Put(**there, *source.NextRun(), {}).ok());
  EXPECT_TRUE(absl::IsDataLoss((*there)->Save().status()));
}

TEST(HostileEngineTest, AnAnswerForAnotherRecordIsRefusedWhateverItAnswers) {
  MachineSubject served = Exchange();
  bool is_spoilt = false;
  const auto there = Spoilt(served, [&](Frame& frame) {
    if (is_spoilt && frame.kind == FrameKind::kAnswer) frame.payload[0] ^= std::byte{1};
  });
  ASSERT_TRUE(there.ok()) << there.status();
  const Log log = BusySession({.length = 100});
  MemorySource source(log);
  ASSERT_TRUE(source.Seek(engine::SequenceNumber::First()).ok());
  const journal::Batch run = *source.NextRun();
  ASSERT_TRUE(Put(**there, run, {}).ok());
  const auto state = (*there)->Save();
  ASSERT_TRUE(state.ok()) << state.status();
  is_spoilt = true;
  EXPECT_TRUE(absl::IsDataLoss((*there)->Load(*state)));
  is_spoilt = false;
  ASSERT_TRUE((*there)->Reset().ok());
  is_spoilt = true;
  EXPECT_TRUE(absl::IsDataLoss((*there)->Reset()));
  is_spoilt = false;
  ASSERT_TRUE((*there)->Reset().ok());
  is_spoilt = true;
  EXPECT_TRUE(absl::IsDataLoss(Put(**there, run, {}).status()));
}

void SpoilWords(engine::Prng& prng, Frame& frame) {
  const size_t words = frame.payload.size() / 8;
  for (uint64_t count = prng.Below(4); words > 0 && count > 0; --count) {
    const uint64_t word = prng.Below(2) == 0 ? prng.Below(200) : ~prng.Below(32);
    engine::StoreLittleEndian(word, frame.payload.data() + 8 * prng.Below(words));
  }
  if (prng.Below(8) == 0) frame.payload.resize(frame.payload.size() / 64 / 2 * 64);
}

// From some record on, its digests are others; what it then says of events and orders is anything.
TEST(HostileEngineTest, NothingThatAnEngineSaysEndsAComparison) {
  const Log log = BusySession({.length = 150});
  MemorySource source(log);
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    engine::Prng prng(seed);
    const uint64_t parts_at = 1 + prng.Below(log.size());
    const size_t digest_at = prng.Below(2) == 0 ? 16 : 32;  // Of the events, or of the state.
    MachineSubject served = Exchange();
    MachineSubject here = Exchange();
    const auto there = Spoilt(served, [&](Frame& frame) {
      if (frame.kind == FrameKind::kAnswer &&
          engine::LoadLittleEndian<uint64_t>(frame.payload.data()) >= parts_at) {
        frame.payload[digest_at] ^= std::byte{1};
      }
      const bool is_list = frame.kind == FrameKind::kEvents || frame.kind == FrameKind::kOrders;
      if (is_list) SpoilWords(prng, frame);
    });
    ASSERT_TRUE(there.ok()) << there.status();
    Subject& a = seed % 2 == 0 ? static_cast<Subject&>(here) : **there;
    Subject& b = seed % 2 == 0 ? static_cast<Subject&>(**there) : here;
    const auto difference = FindFirstDifference(source, a, b, source.last());
    ASSERT_TRUE(difference.ok()) << difference.status();
    ASSERT_TRUE(difference->has_value());
    EXPECT_EQ((*difference)->sequence().value(), parts_at);
    EXPECT_FALSE(FailureClass(**difference).empty());
    (void)Explain(source, a, b, **difference, nullptr);  // An error, or an explanation.
  }
}

}  // namespace
}  // namespace replay
