// The markets defined by the records read so far: symbols and decimals for output.

#ifndef REPLAY_MARKET_FOLLOWER_H_
#define REPLAY_MARKET_FOLLOWER_H_

#include <utility>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/market_directory.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/exchange_vocabulary.h"
#include "replay/machine.h"

namespace replay {

// Not thread-safe: owned by its caller.
class MarketFollower {
 public:
  // Adds the market if the record defines one. Ignores definitions that the engine would reject.
  void Follow(const journal::Record& record) { FollowMarkets(record, markets_); }

  // Adds the markets of a restored machine, if it has any.
  void Know(const Machine& machine);

  // Adds the markets that the records before `first` define, and leaves the reader at `first`.
  // Reads only the blocks that have attachments, as every definition is one. Errors: the reader's.
  absl::Status FollowUntil(journal::Reader& reader, engine::SequenceNumber first);

  const engine::MarketDirectory& markets() const { return markets_; }
  // The same, for a caller that no longer needs the follower.
  engine::MarketDirectory Take() { return std::move(markets_); }

 private:
  engine::MarketDirectory markets_;
};

}  // namespace replay

#endif  // REPLAY_MARKET_FOLLOWER_H_
