#include "journal/recovery/recovery.h"

#include <cstddef>

#include "gtest/gtest.h"
#include "journal/finding.h"

namespace journal {
namespace {

SegmentEvidence EvidenceOf(unsigned bits) {
  return {.is_last = (bits & 1) != 0,
          .has_preamble = (bits & 2) != 0,
          .has_block_trace = (bits & 4) != 0,
          .is_sealed = (bits & 8) != 0,
          .has_footer = (bits & 16) != 0,
          .has_tail = (bits & 32) != 0,
          .has_island = (bits & 64) != 0,
          .was_durable = (bits & 128) != 0};
}

template <typename Check>
void ForEveryCombination(Check check) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    SCOPED_TRACE(bits);
    const SegmentEvidence evidence = EvidenceOf(bits);
    check(evidence, Decide(evidence));
  }
}

TEST(RecoveryTable, HasExactlyOneCaseForEveryCombination) {
  for (unsigned bits = 0; bits < 256; ++bits) {
    int matches = 0;
    for (const RecoveryCase& recovery_case : RecoveryCases()) {
      if (recovery_case.Matches(EvidenceOf(bits))) ++matches;
    }
    EXPECT_EQ(matches, 1) << bits;
  }
}

TEST(RecoveryTable, NamesItsCasesInOrder) {
  char name = 'A';
  for (const RecoveryCase& recovery_case : RecoveryCases()) EXPECT_EQ(recovery_case.name, name++);
}

TEST(RecoveryTable, NothingIsDoneToADamagedSegment) {
  ForEveryCombination([](const SegmentEvidence&, const RecoveryCase& decision) {
    if (decision.verdict == Verdict::kDamaged) {
      EXPECT_EQ(decision.action, RecoveryAction::kNone);
      EXPECT_FALSE(decision.reason.empty());
    }
  });
}

TEST(RecoveryTable, OnlyTheLastSegmentIsEverTornOrChanged) {
  ForEveryCombination([](const SegmentEvidence& evidence, const RecoveryCase& decision) {
    if (evidence.is_last) return;
    EXPECT_NE(decision.verdict, Verdict::kTorn);
    EXPECT_TRUE(decision.action == RecoveryAction::kNone ||
                decision.action == RecoveryAction::kBeginNext);
  });
}

TEST(RecoveryTable, WhatWasPromisedIsNeverCutOff) {
  ForEveryCombination([](const SegmentEvidence& evidence, const RecoveryCase& decision) {
    if (evidence.has_preamble && !evidence.is_sealed && evidence.was_durable) {
      EXPECT_EQ(decision.verdict, Verdict::kDamaged);
    }
    if (!evidence.has_preamble && evidence.has_block_trace) {
      EXPECT_EQ(decision.verdict, Verdict::kDamaged);
    }
  });
}

// The expected verdicts, stated without the table: as a person would reason about a segment.
struct Expectation {
  Verdict verdict = Verdict::kClean;
  RecoveryAction action = RecoveryAction::kNone;
};

Expectation Reason(const SegmentEvidence& e) {
  constexpr Expectation kRefuse = {Verdict::kDamaged, RecoveryAction::kNone};
  if (!e.has_preamble) {
    // Nothing can be verified. Only a last segment without a trace of blocks may never have been
    // started.
    if (e.has_block_trace || !e.is_last) return kRefuse;
    return {Verdict::kTorn, RecoveryAction::kSetSegmentAside};
  }
  if (e.is_sealed) {
    // All blocks are there. After the SEAL block is an index, or a part of one.
    if (e.has_footer) return {Verdict::kClean, RecoveryAction::kBeginNext};
    if (e.has_island) return kRefuse;
    if (!e.is_last) return {Verdict::kClean, RecoveryAction::kNone};
    return {e.has_tail ? Verdict::kTorn : Verdict::kClean, RecoveryAction::kFinishSeal};
  }
  // A block is missing, or the writer was writing here. If the segment was sealed, or a header
  // marks the missing block as durable, it was promised.
  if (!e.is_last || e.has_footer || e.was_durable) return kRefuse;
  if (e.has_island || e.has_tail) return {Verdict::kTorn, RecoveryAction::kSetTailAside};
  return {Verdict::kClean, RecoveryAction::kAppend};
}

TEST(RecoveryTable, EqualsTheReasonedVerdictForEveryCombination) {
  ForEveryCombination([](const SegmentEvidence& evidence, const RecoveryCase& decision) {
    EXPECT_EQ(decision.verdict, Reason(evidence).verdict);
    EXPECT_EQ(decision.action, Reason(evidence).action);
  });
}

// The other direction: a crash alone never leads to a refusal.
TEST(RecoveryTable, WhatACrashAloneCanLeaveIsNeverDamaged) {
  ForEveryCombination([](const SegmentEvidence& evidence, const RecoveryCase& decision) {
    if (!evidence.is_last || evidence.was_durable) return;
    // A footer is written after the SEAL block was durable, the SEAL block after all blocks were.
    if (evidence.has_footer && !evidence.is_sealed) return;
    if (evidence.is_sealed && evidence.has_island) return;
    if (!evidence.has_preamble && evidence.has_block_trace) return;
    EXPECT_NE(decision.verdict, Verdict::kDamaged);
  });
}

}  // namespace
}  // namespace journal
