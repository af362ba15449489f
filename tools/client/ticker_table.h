// The markets of a run: the venue's tickers, and the ids that the strategy knows them by.

#ifndef TOOLS_CLIENT_TICKER_TABLE_H_
#define TOOLS_CLIENT_TICKER_TABLE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "engine/types/ids.h"

namespace client {

// Ids are dense, from 1 on, in the order in which the tickers are given. Immutable: may be read by
// any thread.
class TickerTable {
 public:
  // REQUIRES: each ticker is given once, and none is empty.
  explicit TickerTable(absl::Span<const std::string> tickers);

  size_t size() const { return tickers_.size(); }
  // From 0 on, in the order of all().
  static size_t IndexOf(engine::MarketId market) { return market.value() - 1; }
  static engine::MarketId IdOf(size_t index) {
    return engine::MarketId(static_cast<uint32_t>(index + 1));
  }
  // Those with the ids 1, 2, ...
  const std::vector<std::string>& all() const { return tickers_; }
  // MarketId() if it is none of the run's. Allocates nothing.
  engine::MarketId Find(absl::string_view ticker) const;
  // Empty if the market is none of the run's. Valid as long as the table.
  absl::string_view TickerOf(engine::MarketId market) const;

 private:
  std::vector<std::string> tickers_;
  absl::flat_hash_map<std::string, engine::MarketId> ids_;
};

}  // namespace client

#endif  // TOOLS_CLIENT_TICKER_TABLE_H_
