// A small log as text that can be reviewed, and back: the form that stands beside a journal in a
// test's folder. Commands as in engine/messages/text.h, without numbers; `at` says the time of what
// follows; what stands between "----" and an empty line is what engines answered, and is not read.
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
#include "engine/messages/market_directory.h"
#include "replay/log_source.h"

namespace replay {

// `title` may have several lines. Without answers.
std::string FixtureText(absl::string_view title, const Log& log);

// Errors: INVALID_ARGUMENT "<file>:<line>: ...".
absl::StatusOr<Log> ParseFixtureText(absl::string_view file, absl::string_view text);

// Whether both are the same commands. `why`, where they are not, says which is the first that is
// not the same.
bool SameLog(const Log& a, const Log& b, std::string& why);

// Adds the market if the entry defines one.
void FollowMarkets(const LogEntry& entry, engine::MarketDirectory& markets);

}  // namespace replay

#endif  // REPLAY_COMPARE_FIXTURE_TEXT_H_
