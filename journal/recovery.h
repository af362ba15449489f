// What to make of a segment after a crash or a fault: one table, nothing else. FORMAT.md,
// section 7.
//
// The hard part of recovery is to tell a torn write, which nobody was promised, from damage to what
// somebody was. A checksum alone cannot; the durability watermark that every block carries can: if
// any block says that the first missing one was durable, the missing one was damaged, not torn.

#ifndef JOURNAL_RECOVERY_H_
#define JOURNAL_RECOVERY_H_

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "journal/verdict.h"

namespace journal {

// What is known of a segment. Each is a column of the table.
struct SegmentEvidence {
  bool is_last = false;          // No segment follows.
  bool has_preamble = false;     // One of the two copies, at least, can be read.
  bool has_block_trace = false;  // Without preamble: something looks like a block.
  bool is_sealed = false;        // A SEAL block ends the valid prefix.
  bool has_footer = false;       // Trailer and index can be read.
  bool has_tail = false;         // After the prefix, or the SEAL block, there is more than zeros.
  bool has_island = false;       // A valid block stands after the first one that is not.
  bool is_promised = false;      // The watermark covers the first block that is missing.
};

enum class RecoveryAction {
  kNone,             // Nothing to do, or nothing that may be done.
  kBeginNext,        // The segment is complete: begin the next.
  kFinishSeal,       // Cut off what follows the SEAL block, write the footer, begin the next.
  kAppend,           // Cut off zeros, go on after the last block.
  kSetTailAside,     // Keep what follows the prefix in another file, cut it off, go on.
  kSetSegmentAside,  // It never became one: rename it, begin it anew.
};

struct RecoveryCase {
  char name = '?';
  absl::string_view pattern;  // One of 0, 1, - (either) a column.
  Verdict verdict = Verdict::kDamaged;
  RecoveryAction action = RecoveryAction::kNone;
  absl::string_view reason;

  bool Matches(const SegmentEvidence& evidence) const;
};

inline constexpr size_t kRecoveryCaseCount = 14;
const std::array<RecoveryCase, kRecoveryCaseCount>& RecoveryCases();

// The one case that matches.
const RecoveryCase& Decide(const SegmentEvidence& evidence);

}  // namespace journal

#endif  // JOURNAL_RECOVERY_H_
