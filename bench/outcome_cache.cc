#include "bench/outcome_cache.h"

#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace bench {

std::optional<Outcome> OutcomeCache::Find(const engine::Digest& log) const {
  std::ifstream file(PathOf(log));
  std::string trace_text, state_text, end;
  Outcome outcome;
  file >> trace_text >> state_text >> outcome.tally.events >> outcome.tally.mix >> outcome.trades >>
      outcome.rejections >> outcome.live_orders >> outcome.live_orders_most >> end;
  const absl::StatusOr<engine::Digest> trace = engine::Digest::Parse(trace_text);
  const absl::StatusOr<engine::Digest> state = engine::Digest::Parse(state_text);
  if (!file || end != "end" || !trace.ok() || !state.ok()) return std::nullopt;
  outcome.digests = {.trace = *trace, .state = *state};
  return outcome;
}

void OutcomeCache::Keep(const engine::Digest& log, const Outcome& outcome) const {
  std::error_code ignored;
  std::filesystem::create_directories(folder_, ignored);
  std::ofstream file(PathOf(log));
  file << outcome.digests.trace << ' ' << outcome.digests.state << ' ' << outcome.tally.events
       << ' ' << outcome.tally.mix << ' ' << outcome.trades << ' ' << outcome.rejections << ' '
       << outcome.live_orders << ' ' << outcome.live_orders_most << " end\n";
}

std::string OutcomeCache::PathOf(const engine::Digest& log) const {
  return absl::StrCat(folder_, "/reference-", log.ToString(), "-", program_.ToString(), ".txt");
}

}  // namespace bench
