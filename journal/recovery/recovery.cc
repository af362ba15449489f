#include "journal/recovery/recovery.h"

#include "engine/base/check.h"

namespace journal {
namespace {

constexpr Verdict kClean = Verdict::kClean;
constexpr Verdict kTorn = Verdict::kTorn;
constexpr Verdict kDamaged = Verdict::kDamaged;

// clang-format off
constexpr std::array<RecoveryCase, kRecoveryCaseCount> kCases = {{
    //    ┌ is_last
    //    │┌ has_preamble
    //    ││┌ has_block_trace
    //    │││┌ is_sealed
    //    ││││┌ has_footer
    //    │││││┌ has_tail
    //    ││││││┌ has_island
    //    │││││││┌ was_durable
    {'A', "100-----", kTorn, RecoveryAction::kSetSegmentAside,
     "the writer stopped while it began this segment"},
    {'B', "000-----", kDamaged, RecoveryAction::kNone,
     "neither preamble can be read, and a later segment exists"},
    {'C', "-01-----", kDamaged, RecoveryAction::kNone,
     "neither preamble can be read, though blocks were written after them"},
    {'D', "01-0----", kDamaged, RecoveryAction::kNone,
     "a block is damaged in a segment that was sealed, as a later one exists"},
    {'E', "01-10-0-", kClean, RecoveryAction::kNone,
     "the index is damaged; it was rebuilt from the blocks"},
    {'F', "-1-10-1-", kDamaged, RecoveryAction::kNone,
     "a block follows the SEAL block"},
    {'G', "-1-11---", kClean, RecoveryAction::kBeginNext,
     ""},
    {'H', "11-1000-", kClean, RecoveryAction::kFinishSeal,
     "the writer stopped before it wrote the index"},
    {'I', "11-1010-", kTorn, RecoveryAction::kFinishSeal,
     "the writer stopped while it wrote the index"},
    {'J', "11-01---", kDamaged, RecoveryAction::kNone,
     "a block is damaged in a segment that was sealed, as its footer says"},
    {'K', "11-00--1", kDamaged, RecoveryAction::kNone,
     "a block is damaged that a later one says was durable"},
    {'L', "11-00-10", kTorn, RecoveryAction::kSetTailAside,
     "the last writes, none confirmed, reached the medium in part and out of order"},
    {'M', "11-00100", kTorn, RecoveryAction::kSetTailAside,
     "the last write, not confirmed, reached the medium in part"},
    {'N', "11-00000", kClean, RecoveryAction::kAppend,
     ""},
}};
// clang-format on

}  // namespace

bool RecoveryCase::Matches(const SegmentEvidence& evidence) const {
  const std::array<bool, 8> columns = {
      evidence.is_last,    evidence.has_preamble, evidence.has_block_trace, evidence.is_sealed,
      evidence.has_footer, evidence.has_tail,     evidence.has_island,      evidence.was_durable};
  CHECK_EQ(pattern.size(), columns.size());
  for (size_t i = 0; i < columns.size(); ++i) {
    if (pattern[i] != '-' && (pattern[i] == '1') != columns[i]) return false;
  }
  return true;
}

const std::array<RecoveryCase, kRecoveryCaseCount>& RecoveryCases() { return kCases; }

const RecoveryCase& Decide(const SegmentEvidence& evidence) {
  for (const RecoveryCase& recovery_case : kCases) {
    if (recovery_case.Matches(evidence)) return recovery_case;
  }
  CHECK(false) << "the recovery table is incomplete";
  __builtin_unreachable();
}

}  // namespace journal
