// What recovery says about a journal. There is no fourth: "skip and go on".

#ifndef JOURNAL_VERDICT_H_
#define JOURNAL_VERDICT_H_

#include "absl/strings/string_view.h"

namespace journal {

enum class Verdict {
  kClean,    // All that was written is there.
  kTorn,     // Data is missing, but only such as nobody was promised: the tail may be cut off.
  kDamaged,  // Promised data is missing: refuse, change nothing, say what is lost.
};

// "CLEAN", "TORN", "DAMAGED".
absl::string_view ToString(Verdict verdict);

}  // namespace journal

#endif  // JOURNAL_VERDICT_H_
