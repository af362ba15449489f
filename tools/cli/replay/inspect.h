// What `ticktape inspect` prints, each kind in a file of its own.
//
//   inspect_place.cc   the exchange after one record: the command, an order, an account, a book
//   inspect_diff.cc    what changed between two positions
//   inspect_watch.cc   everything that happens to one entity
//   inspect_row.cc     a row of another application: a venue's conversation, a strategy's run
//   inspect_verb.cc    the options, and what these share

#ifndef TOOLS_CLI_REPLAY_INSPECT_H_
#define TOOLS_CLI_REPLAY_INSPECT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "replay/compare/moments.h"
#include "replay/engines.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/open_journal.h"

namespace tools {

// The options of the verb, as on the command line.
struct InspectRequest {
  std::string path;
  std::optional<std::string> position;  // Nullopt: the last record.
  std::string market;                   // Empty: one is chosen.
  size_t depth = 10;
  std::optional<std::string> order;
  bool whole_life = false;
  std::optional<uint64_t> account;
  std::string queue;
  std::vector<std::string> diff;  // Two positions, or none.
  std::string watch;
  replay::EngineKind engine = replay::EngineKind::kFast;
};

// Each prints its part. Errors: INVALID_ARGUMENT and OUT_OF_RANGE for options that name nothing in
// this journal; the reader's and the storage's.
absl::Status ShowPlace(const InspectRequest& request, const OpenedJournal& opened,
                       Console& console);
absl::Status ShowDiff(const InspectRequest& request, const OpenedJournal& opened, Console& console);
absl::Status ShowRow(const InspectRequest& request, const OpenedJournal& opened, Console& console);
absl::Status ShowWatched(const InspectRequest& request, const OpenedJournal& opened,
                         Console& console);

// "4711", also written as a position, because an order's number is the sequence number of its
// command. Errors: INVALID_ARGUMENT that shows what is expected.
absl::StatusOr<engine::OrderId> ParseOrderNumber(const std::string& words);

// Returns the previous position, or `place` if there is none.
inline engine::SequenceNumber Before(engine::SequenceNumber place) {
  return place == engine::SequenceNumber() ? place : place - 1;
}

// "+1.00": a position in the decimals of its market; `market` is null if unknown.
std::string PositionText(int64_t position, const engine::MarketDefinition* market);

// Writes into the open object: is_open, balance, reserved, available, positions.
void WriteMoney(JsonObject& json, const replay::AccountMoney& money,
                const engine::MarketDirectory& markets);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_H_
