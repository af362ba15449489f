// A hostile engine at the other end of an event stream: this program survives.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "replay/compare/event_stream.h"
#include "replay/compare/explanation.h"
#include "replay/compare/failure.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/machine_subject.h"
#include "replay/compare/subject.h"
#include "replay/exchange_machine.h"
#include "replay/exchange_vocabulary.h"
#include "replay/log_source.h"
#include "replay/semantics_version.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/spoilt_engine.h"

namespace replay {
namespace {

constexpr uint64_t kSchema = 0x1234;

MachineSubject Exchange() {
  return MachineSubject(
      {.name = "fast", .build_id = "this", .semantics_version = kSemanticsVersion},
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

TEST(HostileEngineTest, AnyAnswerForAnotherRecordIsRefused) {
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

void SpoilWords(engine::Prng& prng, std::vector<std::byte>& bytes) {
  const size_t words = bytes.size() / 8;
  for (uint64_t count = prng.Below(4); words > 0 && count > 0; --count) {
    const uint64_t word = prng.Below(2) == 0 ? prng.Below(200) : ~prng.Below(32);
    engine::StoreLittleEndian(word, bytes.data() + 8 * prng.Below(words));
  }
  if (prng.Below(8) == 0) bytes.resize(bytes.size() / 64 / 2 * 64);
}

// From some record on its events or states differ; its answers about them are arbitrary.
TEST(HostileEngineTest, NoReplyOfAnEngineEndsTheProcess) {
  const Log log = BusySession({.length = 150});
  MemorySource source(log);
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    engine::Prng prng(seed);
    const uint64_t parts_at = 1 + prng.Below(log.size());
    const bool in_state = prng.Below(2) == 0;
    MachineSubject served = Exchange();
    MachineSubject here = Exchange();
    SpoiltEvents events(served, in_state ? log.size() + 1 : parts_at,
                        [&](std::vector<std::byte>& bytes) {
                          if (!bytes.empty()) bytes.back() ^= std::byte{1};
                          SpoilWords(prng, bytes);
                        });
    const auto there = Spoilt(served, [&](Frame& frame) {
      events(frame);
      if (frame.kind == FrameKind::kOrders) SpoilWords(prng, frame.payload);
      const bool is_answer = frame.kind == FrameKind::kAnswer;
      if (in_state && is_answer &&
          engine::LoadLittleEndian<uint64_t>(frame.payload.data()) >= parts_at) {
        frame.payload[32] ^= std::byte{1};
      }
    });
    ASSERT_TRUE(there.ok()) << there.status();
    Subject& a = seed % 2 == 0 ? static_cast<Subject&>(here) : **there;
    Subject& b = seed % 2 == 0 ? static_cast<Subject&>(**there) : here;
    const auto divergence = FindFirstDivergence(source, a, b);
    ASSERT_TRUE(divergence.ok()) << divergence.status();
    ASSERT_TRUE(divergence->has_value());
    EXPECT_EQ((*divergence)->sequence().value(), parts_at);
    EXPECT_FALSE(FailureClass(**divergence, ExchangeVocabulary()).empty());
    (void)Explain(source, a, b, **divergence, nullptr);  // An error, or an explanation.
  }
}

// The fuzz target found it: two equal lists of events whose digests differ have no first
// divergence.
TEST(HostileEngineTest, EventsThatAreNotThoseOfTheAnswerAreRefused) {
  const Log log = BusySession({.length = 100});
  MemorySource source(log);
  const auto spoil_digest = [](Frame& frame) {
    if (frame.kind == FrameKind::kAnswer) frame.payload[16] ^= std::byte{1};
  };
  const auto spoil_events = [](Frame& frame) {
    if (frame.kind == FrameKind::kAnswer) frame.payload[32] ^= std::byte{1};
    if (frame.kind == FrameKind::kEvents) frame.payload[8] ^= std::byte{1};
  };
  const auto spoil_count = [](Frame& frame) {
    if (frame.kind == FrameKind::kAnswer) frame.payload[32] ^= std::byte{1};
    if (frame.kind == FrameKind::kEvents) frame.payload.clear();
  };
  for (const SpoiltEngine::Spoil& spoil :
       std::vector<SpoiltEngine::Spoil>{spoil_digest, spoil_events, spoil_count}) {
    MachineSubject served = Exchange();
    MachineSubject here = Exchange();
    const auto there = Spoilt(served, spoil);
    ASSERT_TRUE(there.ok()) << there.status();
    const auto divergence = FindFirstDivergence(source, **there, here);
    EXPECT_TRUE(absl::IsDataLoss(divergence.status())) << divergence.status();
    EXPECT_TRUE(absl::StrContains(divergence.status().message(), "whose digest it gave"));
  }
}

}  // namespace
}  // namespace replay
