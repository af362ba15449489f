#include "journal/verdict.h"

#include "absl/strings/string_view.h"

namespace journal {

absl::string_view ToString(Verdict verdict) {
  switch (verdict) {
    case Verdict::kClean:
      return "CLEAN";
    case Verdict::kTorn:
      return "TORN";
    case Verdict::kDamaged:
      return "DAMAGED";
  }
  return "?";
}

}  // namespace journal
