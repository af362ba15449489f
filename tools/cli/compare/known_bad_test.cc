// Engines with one planted fault each, found: diff and bisect name the exact first command, and
// minimize makes of it a log of a few commands.

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/command_row.h"
#include "replay/compare/digest_bisection.h"
#include "replay/compare/explanation.h"
#include "replay/compare/failure.h"
#include "replay/compare/fixture_text.h"
#include "replay/compare/later_divergences.h"
#include "replay/compare/lock_step.h"
#include "replay/compare/minimize.h"
#include "replay/compare/subject.h"
#include "replay/exchange_vocabulary.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "tools/cli/base/subject_option.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using replay::Divergence;
using replay::Log;
using replay::MemorySource;
using replay::Subject;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr size_t kLength = 12'000;
constexpr size_t kLateFrom = 9'000;
constexpr char kProgram[] = "tools/cli/compare/known_bad_engine";

std::unique_ptr<Subject> Open(const std::string& name) {
  auto subject = OpenSubject(name);
  EXPECT_TRUE(subject.ok()) << subject.status().message();
  return subject.ok() ? *std::move(subject) : nullptr;
}

std::string Faulty(const std::string& fault, const std::string& armed) {
  return absl::StrCat(kProgram, " ", fault, " ", armed);
}

const replay::ExchangeVocabulary& Words() {
  static const auto& words = *new replay::ExchangeVocabulary();
  return words;
}

const Log& Session() {
  static const Log& log =
      *new Log(replay::BusySession({.seed = 7, .length = kLength, .late_from = kLateFrom}));
  return log;
}

// The obvious way: every command, its events and the state after it.
std::optional<SequenceNumber> FirstDifferenceBySlowLook(const Log& log, Subject& a, Subject& b) {
  EXPECT_TRUE(a.Reset().ok());
  EXPECT_TRUE(b.Reset().ok());
  MemorySource source(log);
  EXPECT_TRUE(source.Seek(SequenceNumber::First()).ok());
  while (true) {
    const auto run = source.NextRun();
    if (run->empty()) return std::nullopt;
    for (size_t i = 0; i < run->rows.size(); ++i) {
      const auto one = run->Part(i, 1);
      const auto answer_a = replay::Put(a, one, {.state = true});
      const auto answer_b = replay::Put(b, one, {.state = true});
      if (!answer_a.ok() || !answer_b.ok() || *answer_a != *answer_b) {
        return one.rows.front().sequence;
      }
    }
  }
}

Divergence Find(const Log& log, Subject& a, Subject& b) {
  MemorySource source(log);
  const auto found = replay::FindFirstDivergence(source, a, b);
  EXPECT_TRUE(found.ok()) << found.status().message();
  EXPECT_TRUE(found.ok() && found->has_value()) << "no difference";
  if (!found.ok() || !found->has_value()) std::abort();
  return **found;
}

class KnownBadTest : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Faults, KnownBadTest,
                         ::testing::Values("taker_priced", "through_limit", "sweep_stops_short",
                                           "immediate_rests", "phantom_after_cancel",
                                           "maker_forgotten", "ends_on_sweep",
                                           "kEqualAmendLosesPriority", "kPostOnlyIgnored",
                                           "kLotIgnored", "kFeeRoundedDown", "kMakerPaysTakerFee",
                                           "kCancelBothSparesMaker", "kExpiredAccepted",
                                           "kMassCancelIgnoresSide"),
                         [](const auto& info) { return info.param; });

TEST_P(KnownBadTest, TheExactFirstCommandIsNamedAlsoDeepInALog) {
  const auto a = Open("fast");
  for (const char* armed : {"account=9", "from=7000", "from=1"}) {
    const auto b = Open(Faulty(GetParam(), armed));
    const auto expected = FirstDifferenceBySlowLook(Session(), *a, *b);
    ASSERT_TRUE(expected.has_value()) << "the session does not show it";
    EXPECT_EQ(Find(Session(), *a, *b).sequence(), *expected) << armed;
  }
}

TEST_P(KnownBadTest, BothTraceVectorsLeadToTheSameCommand) {
  const auto a = Open("fast");
  const auto b = Open(Faulty(GetParam(), "account=9"));
  MemorySource source(Session());
  std::vector<journal::Checkpoint> traces[2];
  const auto into = [](std::vector<journal::Checkpoint>& trace) {
    return [&trace](const journal::Checkpoint& checkpoint, const journal::Batch&) {
      trace.push_back(checkpoint);
      return true;
    };
  };
  ASSERT_TRUE(replay::TakeTrace(source, *a, into(traces[0])).ok());
  const absl::Status taken = replay::TakeTrace(source, *b, into(traces[1]));
  if (absl::IsAborted(taken)) return;  // It ended: there is no second vector.
  const auto compared = replay::CompareTraces(traces[0], traces[1]);
  ASSERT_TRUE(compared.differing.has_value());
  const auto divergence = replay::FindDivergenceWithin(source, *a, *b, compared.differing->equal,
                                                       compared.differing->differs);
  ASSERT_TRUE(divergence.ok()) << divergence.status().message();
  EXPECT_EQ(divergence->sequence(), Find(Session(), *a, *b).sequence());
}

TEST_P(KnownBadTest, AtMostTwentyCommandsAreLeftAndFailInTheSameWay) {
  const auto a = Open("fast");
  const auto b = Open(Faulty(GetParam(), "account=9"));
  const Divergence original = Find(Session(), *a, *b);
  const replay::FailureTest test = replay::PartingTest(*a, *b, original, Words());
  const auto small = replay::MinimizeCommands(Session(), test);
  ASSERT_TRUE(small.ok()) << small.status().message();
  EXPECT_TRUE(small->complete);
  EXPECT_LE(small->log.size(), 20u) << replay::FixtureText("", small->log);
  const Divergence left = Find(small->log, *a, *b);
  EXPECT_EQ(replay::FailureClass(left, Words()), replay::FailureClass(original, Words()));
  EXPECT_EQ(left.sequence().value(), small->log.size()) << "it fails at its last command";
}

TEST(KnownBad, MinimizingTwiceGivesTheSame) {
  const auto a = Open("fast");
  const auto b = Open(Faulty("taker_priced", "account=9"));
  const replay::FailureTest test = replay::PartingTest(*a, *b, Find(Session(), *a, *b), Words());
  const auto once = replay::MinimizeCommands(Session(), test);
  const auto twice = replay::MinimizeCommands(Session(), test);
  ASSERT_TRUE(once.ok() && twice.ok());
  std::string why;
  EXPECT_TRUE(replay::SameLog(once->log, twice->log, why)) << why;
}

TEST(KnownBad, TimeRunsOutInTheMiddleOfACandidateAndWhatIsLeftStillFails) {
  const auto a = Open("fast");
  const auto b = Open(Faulty("taker_priced", "account=9"));
  const Divergence original = Find(Session(), *a, *b);
  const replay::FailureTest test = replay::PartingTest(*a, *b, original, Words());
  bool candidate_given_up = false;
  for (int patience = 0; patience < 24; ++patience) {
    int asked = 0;
    const auto left = replay::MinimizeCommands(Session(), test,
                                               {.out_of_time = [&] { return ++asked > patience; }});
    ASSERT_TRUE(left.ok()) << left.status().message();
    EXPECT_FALSE(left->complete);
    EXPECT_LE(asked, patience + 2) << "it ends on request";
    const Divergence still = Find(left->log, *a, *b);
    EXPECT_EQ(replay::FailureClass(still, Words()), replay::FailureClass(original, Words()));
    const bool none_smaller = left->log.size() == original.sequence().value();
    if (none_smaller && left->tried == 1) candidate_given_up = true;
  }
  EXPECT_TRUE(candidate_given_up);
}

TEST(KnownBad, TheTextOfAMinimizedLogIsTheSameLog) {
  const auto a = Open("fast");
  for (const char* fault : {"kMakerPaysTakerFee", "taker_priced", "kExpiredAccepted"}) {
    const auto b = Open(Faulty(fault, "account=9"));
    const replay::FailureTest test = replay::PartingTest(*a, *b, Find(Session(), *a, *b), Words());
    const auto small = replay::MinimizeCommands(Session(), test);
    ASSERT_TRUE(small.ok());
    const std::string text = replay::FixtureText("a title", small->log);
    const auto parsed = replay::ParseFixtureText("f.txt", text);
    ASSERT_TRUE(parsed.ok()) << parsed.status().message();
    std::string why;
    EXPECT_TRUE(replay::SameLog(small->log, *parsed, why)) << why << "\n" << text;
  }
}

TEST(KnownBad, AnEngineThatEndsIsFoundAndMinimizedByItsPlace) {
  const auto healthy = Open("fast");
  const auto b = Open(Faulty("ends_on_sweep", "account=9"));
  MemorySource source(Session());
  const auto end = replay::FindEnd(source, *b, false, nullptr);
  ASSERT_TRUE(end.ok() && end->has_value());
  EXPECT_THAT((*end)->what, HasSubstr("killed by signal 6"));
  EXPECT_EQ((*end)->sequence, *FirstDifferenceBySlowLook(Session(), *healthy, *b));
  const replay::FailureTest test = replay::EndTest(*b, *healthy, **end, false);
  EXPECT_THAT(test.failure_class, StartsWith("ends at replay/testing/known_bad_machine.cc:"));
  const auto small = replay::MinimizeCommands(Session(), test);
  ASSERT_TRUE(small.ok()) << small.status().message();
  EXPECT_LE(small->log.size(), 20u) << replay::FixtureText("", small->log);
}

TEST(KnownBad, EnginesThatAgreeHaveNoDifference) {
  const auto a = Open("fast");
  for (const std::string& same : {std::string("reference"), Faulty("none", "")}) {
    const auto b = Open(same);
    MemorySource source(Session());
    const auto found = replay::FindFirstDivergence(source, *a, *b);
    ASSERT_TRUE(found.ok()) << found.status().message();
    EXPECT_FALSE(found->has_value()) << same;
  }
}

TEST(KnownBad, AStateThatDiffersCountsBeforeAnyEvent) {
  const auto a = Open("fast");
  const auto b = Open(Faulty("phantom_after_cancel", "account=9"));
  const Divergence divergence = Find(Session(), *a, *b);
  EXPECT_EQ(divergence.what, Divergence::What::kState);
  EXPECT_EQ(divergence.a.outputs, divergence.b.outputs);
  EXPECT_EQ(replay::FailureClass(divergence, Words()), "cancel: state");
  MemorySource source(Session());
  const auto explained = replay::Explain(source, *a, *b, divergence);
  ASSERT_TRUE(explained.ok()) << explained.status().message();
  ASSERT_TRUE(explained->level.has_value());
  EXPECT_EQ(explained->queue_a.size() + 1, explained->queue_b.size()) << "the phantom is in B's";
  ASSERT_TRUE(explained->life.has_value());
  EXPECT_EQ(explained->life->status(), engine::OrderHistory::Status::kCancelled);
  const auto bounded = replay::Explain(source, *a, *b, divergence, nullptr, /*life_replay_max=*/1);
  ASSERT_TRUE(bounded.ok()) << bounded.status().message();
  EXPECT_FALSE(bounded->life.has_value());
  EXPECT_EQ(bounded->order, explained->life->order());
}

TEST(KnownBad, AStateThatHealsUnsaidIsSeenWhereEveryStateIsCompared) {
  const auto a = Open("fast");
  const auto b = Open(Faulty("kReplaceForgetsFlags", "from=1"));
  const auto expected = FirstDifferenceBySlowLook(Session(), *a, *b);
  ASSERT_TRUE(expected.has_value());
  MemorySource source(Session());
  const auto found = replay::FindFirstDivergence(source, *a, *b, {.state_every = 1});
  ASSERT_TRUE(found.ok() && found->has_value());
  EXPECT_EQ((*found)->sequence(), *expected);
}

TEST(KnownBad, EventsAreExplainedFieldByField) {
  const auto a = Open("fast");
  const auto b = Open(Faulty("taker_priced", "account=9"));
  const Divergence divergence = Find(Session(), *a, *b);
  EXPECT_EQ(replay::FailureClass(divergence, Words()), "new_order: trade.price");
  const size_t i = replay::FirstDifferingOutput(divergence);
  const auto fields =
      replay::DifferingFields(Words(), divergence.a.outputs[i], divergence.b.outputs[i]);
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].field, "price");
  MemorySource source(Session());
  const auto explained = replay::Explain(source, *a, *b, divergence);
  ASSERT_TRUE(explained.ok());
  EXPECT_EQ(explained->rule_a, "2. Orders, Priority and trades: trade");
}

TEST(KnownBad, LaterDivergencesAreConsequencesOrIndependent) {
  const auto a = Open("fast");
  const auto b = Open(Faulty("taker_priced", "account=9"));
  const Divergence first = Find(Session(), *a, *b);
  MemorySource source(Session());
  const auto later =
      replay::ClassifyLater(source, *a, *b, first.sequence(), Words(), {.independent_max = 3});
  ASSERT_TRUE(later.ok()) << later.status().message();
  EXPECT_EQ(later->seed, replay::LaterDivergences::Seed::kState);
  ASSERT_FALSE(later->independent.empty()) << later->stopped;
  for (const auto& one : later->independent) {
    EXPECT_GT(one.sequence, first.sequence());
    EXPECT_EQ(one.failure_class, "new_order: trade.price");
  }
}

TEST(KnownBad, WhereTheFaultShowsOnceAllLaterDivergencesAreConsequences) {
  const auto a = Open("fast");
  for (const char* fault : {"phantom_after_cancel", "immediate_rests"}) {
    const auto b = Open(Faulty(fault, "account=9"));
    const SequenceNumber first = Find(Session(), *a, *b).sequence();
    Log once = Session();
    for (size_t i = first.value(); i < once.size(); ++i) {
      replay::EditCommand(once[i].row, [](engine::Command& command) {
        if (command.account != replay::kLateAccount) return;
        command.kind = engine::CommandKind::kAdvanceTime;
      });
    }
    MemorySource source(once);
    ASSERT_EQ(Find(once, *a, *b).sequence(), first) << fault;
    const auto later = replay::ClassifyLater(source, *a, *b, first, Words());
    ASSERT_TRUE(later.ok()) << later.status().message();
    EXPECT_GT(later->consequences, 0u) << fault;
    EXPECT_TRUE(later->independent.empty()) << fault;
  }
}

TEST(KnownBad, AProgramThatIsNoEngineIsRecognized) {
  const auto subject = OpenSubject("echo hello hello hello");
  ASSERT_FALSE(subject.ok());
  EXPECT_THAT(std::string(subject.status().message()), HasSubstr("event stream"));
  EXPECT_THAT(std::string(OpenSubject("/no/such/engine").status().message()),
              HasSubstr("No such file"));
  EXPECT_THAT(std::string(OpenSubject("quick").status().message()),
              HasSubstr("expected fast, reference"));
  EXPECT_THAT(std::string(OpenSubject(Faulty("kNoSuchFault", "")).status().message()),
              HasSubstr("there is no fault 'kNoSuchFault'"));
}

}  // namespace
}  // namespace tools
