// Everything that happens to one entity: an order, a price level, an account, a market.
//
//   order:4711              its events, and its place in the queue whenever that changes
//   level:AAPL:bid:320.14   events that change which orders rest there, or how much
//   account:17              its orders, trades and money
//   market:AAPL             everything in it, and the best prices whenever they change
//
// A market may also be given by its number, as #7.

#ifndef TOOLS_CLI_REPLAY_INSPECT_WATCH_H_
#define TOOLS_CLI_REPLAY_INSPECT_WATCH_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"

namespace tools {

// A regular value type.
struct WatchTopic {
  enum class Kind : uint8_t { kOrder, kLevel, kAccount, kMarket };
  Kind kind = Kind::kOrder;
  engine::OrderId order;
  engine::AccountId account;
  std::string market;  // Of a level or a market: a symbol, or '#' and a number.
  engine::Side side = {};
  std::string price;  // Of a level, as text: the decimals depend on its market.
  std::string text;   // All of it, as on the command line.
};

// Errors: INVALID_ARGUMENT that shows what is expected.
absl::StatusOr<WatchTopic> ParseWatchTopic(absl::string_view text);

// Follows `topic` over the records after `after` up to `last`; an order only until it ends. Calls
// `show` with a report of each command that affected the watched entity.
// REQUIRES: `start` is at or before `after`. Returns whether the entity is known: its market is
// defined, its order was created, its account was seen. Errors: the reader's, INVALID_ARGUMENT for
// a price that its market cannot have.
absl::StatusOr<bool> Watch(replay::StartingPoint& start, journal::Reader& reader,
                           const WatchTopic& topic, engine::SequenceNumber after,
                           engine::SequenceNumber last, Progress& progress,
                           absl::FunctionRef<void(Report)> show);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_WATCH_H_
