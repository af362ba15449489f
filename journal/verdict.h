// The three verdicts of recovery. There is deliberately no "skip the fault and continue".

#ifndef JOURNAL_VERDICT_H_
#define JOURNAL_VERDICT_H_

#include "absl/strings/string_view.h"

namespace journal {

enum class Verdict {
  kClean,    // All written data is present.
  kTorn,     // Only data not known to be durable is missing: the tail may be cut off.
  kDamaged,  // Data known to be durable is missing: refuse, change nothing, report the loss.
};

// Returns "CLEAN", "TORN" or "DAMAGED".
absl::string_view ToString(Verdict verdict);

}  // namespace journal

#endif  // JOURNAL_VERDICT_H_
