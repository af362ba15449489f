// The recovery table: decides what a segment is after a crash or a fault. FORMAT.md, section 7.
//
// Recovery must distinguish a torn write, which was never known to be durable, from damage to
// durable data. A checksum cannot; the watermark that every block carries can: if any block says
// that the first missing block was durable, that block was damaged, not torn.

#ifndef JOURNAL_RECOVERY_RECOVERY_H_
#define JOURNAL_RECOVERY_RECOVERY_H_

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "journal/finding.h"

namespace journal {

// The facts about a segment. Each is a column of the table.
struct SegmentEvidence {
  bool is_last = false;          // No segment follows.
  bool has_preamble = false;     // At least one of the two copies is valid.
  bool has_block_trace = false;  // Without preamble: a page looks like a block.
  bool is_sealed = false;        // A SEAL block ends the valid prefix.
  bool has_footer = false;       // Trailer and index are valid.
  bool has_tail = false;         // Bytes other than zeros follow, or preamble bytes are missing.
  bool has_island = false;       // A valid block follows the first invalid one.
  bool was_durable = false;      // The watermark covers the first missing block.
};

enum class RecoveryAction {
  kNone,             // No action, or none is allowed.
  kBeginNext,        // The segment is complete: begin the next.
  kFinishSeal,       // Truncate after the SEAL block, write the footer, begin the next.
  kAppend,           // Truncate zeros, append after the last block.
  kSetTailAside,     // Copy the tail to another file, truncate it, append.
  kSetSegmentAside,  // The file never became a segment: rename it, begin the segment again.
};

struct RecoveryCase {
  char name = '?';
  absl::string_view pattern;  // One character for each column: 0, 1, or - for either.
  Verdict verdict = Verdict::kDamaged;
  RecoveryAction action = RecoveryAction::kNone;
  absl::string_view reason;

  bool Matches(const SegmentEvidence& evidence) const;
};

inline constexpr size_t kRecoveryCaseCount = 14;
const std::array<RecoveryCase, kRecoveryCaseCount>& RecoveryCases();

// Returns the only case that matches.
const RecoveryCase& Decide(const SegmentEvidence& evidence);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_RECOVERY_H_
