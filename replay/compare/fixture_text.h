// A small log as reviewable text, and back: the form stored next to a journal in a test's folder.
// Commands are as in engine/messages/text.h, without sequence numbers; `at` sets the time of the
// commands after it. Lines from "----" to the next empty line are the engines' answers, which are
// not parsed.
//
//   # new_order: trade.price
//   at 2026-01-01T00:00:00.000000000Z
//   define_market id=1 symbol=M1 ...
//   ask market=M1 price=0.50 quantity=1
//   bid market=M1 price=0.51 quantity=1
//   ----
//   3.0 accepted ...

#ifndef REPLAY_COMPARE_FIXTURE_TEXT_H_
#define REPLAY_COMPARE_FIXTURE_TEXT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/log_source.h"

namespace replay {

// `title` may have several lines. The text has no answers.
std::string FixtureText(absl::string_view title, const Log& log);

// Errors: INVALID_ARGUMENT "<file>:<line>: ...".
absl::StatusOr<Log> ParseFixtureText(absl::string_view file, absl::string_view text);

// Whether both logs have the same commands. If not, sets `why` to the first difference.
bool SameLog(const Log& a, const Log& b, std::string& why);

}  // namespace replay

#endif  // REPLAY_COMPARE_FIXTURE_TEXT_H_
