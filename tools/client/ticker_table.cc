#include "tools/client/ticker_table.h"

#include <cstdint>

#include "engine/base/check.h"

namespace client {

TickerTable::TickerTable(absl::Span<const std::string> tickers)
    : tickers_(tickers.begin(), tickers.end()) {
  for (const std::string& ticker : tickers_) {
    CHECK(!ticker.empty());
    const auto id = engine::MarketId(static_cast<uint32_t>(ids_.size() + 1));
    CHECK(ids_.emplace(ticker, id).second) << ticker << " is given twice";
  }
}

engine::MarketId TickerTable::Find(absl::string_view ticker) const {
  const auto found = ids_.find(ticker);
  return found == ids_.end() ? engine::MarketId() : found->second;
}

absl::string_view TickerTable::TickerOf(engine::MarketId market) const {
  const size_t place = size_t{market.value()} - 1;  // Of id 0: beyond the end.
  return place < tickers_.size() ? absl::string_view(tickers_[place]) : absl::string_view();
}

}  // namespace client
