// The exchange and its reference agree: event for event, digest for digest, and every invariant
// holds after every command. A counterexample is shrunk and prints as a transcript.
//
//   bazel test //engine/core:differential_test --test_env=RC_PARAMS=seed=...
//
// repeats a run, and max_success=10000 makes it long; `ticktape fuzz` runs the same in the field.

#include "engine/differential/differential.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/differential/random_commands.h"
#include "engine/differential/transcript.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/reference/reference_exchange.h"
#include "gtest/gtest.h"
// After gtest, which it relies on.
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

std::unique_ptr<Candidate> MakeExchange() { return std::make_unique<CandidateOf<Exchange>>(); }

// Describes the divergence of a run, shrunk; empty if there is none.
std::string Report(uint64_t seed, const RandomRun& run, const CandidateFactory& make_candidate) {
  if (!run.divergence.has_value()) return "";
  const Session shrunk = Shrink(run.session, make_candidate);
  const auto divergence = Compare(shrunk, *make_candidate(), {.invariants_every = ~size_t{0}});
  return absl::StrCat("\n", ToTranscript(absl::StrCat("Seed ", seed, "."), shrunk),
                      divergence.has_value() ? divergence->what : "  not reproduced\n");
}

std::string Differences(uint64_t seed, size_t length, const CandidateFactory& make_candidate) {
  const auto candidate = make_candidate();
  return Report(seed, CompareRandom(seed, length, *candidate), make_candidate);
}

TEST(Differential, TheExchangeAgreesWithItsReferenceInEveryScenario) {
  for (uint64_t seed = 0; seed < 90; ++seed) {
    ASSERT_EQ(Differences(seed, 600, MakeExchange), "");
  }
}

RC_GTEST_PROP(Differential, TheExchangeAgreesWithItsReferenceForAnySeed, ()) {
  const uint64_t seed = *rc::gen::noShrink(rc::gen::arbitrary<uint64_t>());
  const size_t length = *rc::gen::noShrink(rc::gen::inRange<size_t>(1, 400));
  const std::string differences = Differences(seed, length, MakeExchange);
  RC_LOG() << differences;
  RC_ASSERT(differences.empty());
}

// An exchange whose events leave in parts: its memory takes them whenever it is full.
class InParts final : public Candidate, private EventMemory {
 public:
  explicit InParts(size_t room_size) : room_(room_size) {}

  void Apply(const Command& command, Bytes attachment, EventBuffer& events) override {
    taken_.clear();
    exchange_.Apply(command, attachment, buffer_);
    const std::span<const Event> rest = buffer_.events();
    EXPECT_FALSE(buffer_.is_empty());
    EXPECT_FALSE(rest.empty());
    EXPECT_EQ(buffer_.size(), taken_.size() + rest.size());
    taken_count_ += taken_.size();
    taken_.insert(taken_.end(), rest.begin(), rest.end());
    events.Begin(command.sequence);
    for (const Event& event : taken_) events.Append(event.kind) = event;
  }
  Digest StateDigest() const override { return exchange_.StateDigest(); }
  void CheckInvariants() const override { exchange_.CheckInvariants(); }

  uint64_t taken_count() const { return taken_count_; }

 private:
  bool Take(std::span<const Event> begun) override {
    taken_.insert(taken_.end(), begun.begin(), begun.end());
    return true;
  }
  std::span<Event> MakeRoom(std::span<const Event> begun) override {
    EXPECT_TRUE(begun.empty());
    return room_;
  }

  Exchange exchange_;
  std::vector<Event> room_;
  EventBuffer buffer_{*this};
  std::vector<Event> taken_;  // Of the command that is being applied.
  uint64_t taken_count_ = 0;
};

TEST(Differential, EventsThatLeaveInPartsAreThoseOfOnePiece) {
  for (size_t room_size = 1; room_size <= 100; ++room_size) {
    InParts exchange(room_size);
    const RandomRun run = CompareRandom(/*seed=*/room_size, 600, exchange);
    ASSERT_FALSE(run.divergence.has_value())
        << "in a room of " << room_size << ": " << run.divergence->what;
    // A larger room is rarely full in the middle of a command.
    EXPECT_TRUE(room_size > 32 || exchange.taken_count() > 0) << "in a room of " << room_size;
  }
}

// An exchange that emits one event too many for a replace that trades.
class Faulty final : public Candidate {
 public:
  void Apply(const Command& command, Bytes attachment, EventBuffer& events) override {
    exchange_.Apply(command, attachment, events);
    const bool replaced = events.events().front().kind == EventKind::kReplaced;
    if (replaced && events.events().size() > 1) events.Append({});
  }
  Digest StateDigest() const override { return exchange_.StateDigest(); }
  void CheckInvariants() const override { exchange_.CheckInvariants(); }

 private:
  ReferenceExchange exchange_;
};

TEST(Differential, FindsAFaultAndShrinksTheSession) {
  const CandidateFactory make = [] { return std::make_unique<Faulty>(); };
  const auto candidate = make();
  const RandomRun run = CompareRandom(/*seed=*/0, 2000, *candidate);
  ASSERT_TRUE(run.divergence.has_value());
  const Session shrunk = Shrink(run.session, make);
  // A market, two orders that do not cross, and a replace that makes them trade.
  EXPECT_EQ(shrunk.size(), 4u) << ToTranscript("Shrunk.", shrunk);
}

TEST(Differential, TheSameSeedMakesTheSameSession) {
  const auto text_of = [](uint64_t seed) {
    CandidateOf<ReferenceExchange> candidate;
    return ToTranscript("Seed.", CompareRandom(seed, 300, candidate).session);
  };
  EXPECT_EQ(text_of(5), text_of(5));
  EXPECT_NE(text_of(5), text_of(6));
}

// A counterexample goes into testdata/transcripts as it is printed.
TEST(Differential, ASessionPrintsAsATranscriptOfTheSameCommands) {
  for (uint64_t seed = 0; seed < 36; ++seed) {
    CandidateOf<ReferenceExchange> candidate;
    const Session session = CompareRandom(seed, 300, candidate).session;
    if (session.front().command.timestamp < *Timestamp::Parse("2026-01-01T00:00:00Z")) continue;
    TranscriptEngines engines;
    engines.push_back(std::make_unique<EngineInTranscript<ReferenceExchange>>());
    const auto result = RunTranscript("t.txt", ToTranscript("A session.", session), engines);
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.status().message();
    ASSERT_EQ(result->commands.size(), session.size());
    for (size_t i = 0; i < session.size(); ++i) {
      ASSERT_EQ(result->commands[i], session[i].command)
          << "seed " << seed << ", command " << i + 1;
    }
  }
}

}  // namespace
}  // namespace engine
