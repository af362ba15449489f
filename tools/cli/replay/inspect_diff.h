// What changed in the exchange between two moments of a log.
//
//   @a ─────────────────────── records ───────────────────────► @b
//   orders, money               trades, why orders left          orders, money
//
// An order has entered if it rests at @b but not at @a, and has left if it rests at @a but not at
// @b. Orders that entered and left in between are only counted.

#ifndef TOOLS_CLI_REPLAY_INSPECT_DIFF_H_
#define TOOLS_CLI_REPLAY_INSPECT_DIFF_H_

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/reader.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"

namespace tools {

struct InspectDiffTopic {
  std::string path;
  engine::SequenceNumber from;
  engine::SequenceNumber to;
  std::string market;  // As on the command line; empty: all markets, and the accounts.
  size_t lines = 10;   // Per list, for people; JSON has all.
};

// REQUIRES: `start` is at or before `topic.from`; its machine is one of replay/engines.h. Errors:
// the reader's, INVALID_ARGUMENT for an unknown market.
absl::StatusOr<Report> DiffMoments(replay::StartingPoint& start, journal::Reader& reader,
                                   const InspectDiffTopic& topic, Progress& progress);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_DIFF_H_
