// The trades of all markets, newest first, by market and time.
//
// The last `trades_max` of all markets together are kept; what is older is forgotten. A trade takes
// some 70 bytes.

#ifndef ENGINE_VIEWS_TRADE_TAPE_H_
#define ENGINE_VIEWS_TRADE_TAPE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/id_table.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/chained_history.h"
#include "engine/views/page.h"

namespace engine {

// The side that took, of a trade event; no side if the event has none.
inline Side TakerSideOf(const Event& trade) {
  return IsValid(trade.side) ? Opposite(trade.side) : Side();
}

struct TapeTrade {
  SequenceNumber sequence;  // With `index`, what identifies the trade: those of its event.
  uint32_t index = 0;
  MarketId market;
  Timestamp time;
  Price price;
  Quantity quantity;
  Side taker_side = {};

  friend bool operator==(const TapeTrade&, const TapeTrade&) = default;
};

// Not thread-safe: owned by the reader of the log.
class TradeTape final : public EventListener {
 public:
  static constexpr size_t kTradesMax = 1'000'000;

  explicit TradeTape(size_t trades_max = kTradesMax) : trades_(trades_max) {}

  // A command's events may come part after part.
  void OnEvents(const Command& command, std::span<const Event> events) override;

  // The trades of `market` within `range`, newest first; of all markets if it is zero.
  Page<TapeTrade> Trades(MarketId market, const TimeRange& range, const PageRequest& request) const;

  // Trades are numbered from 1; those from first() to last() are kept. Null for others.
  uint64_t first() const { return trades_.first(); }
  uint64_t last() const { return trades_.last(); }
  const TapeTrade* Find(uint64_t number) const { return trades_.Find(number); }

 private:
  uint64_t& NewestOf(MarketId market);

  ChainedHistory<TapeTrade> trades_;
  IdTable places_;                // Of markets in `newest_`.
  std::vector<uint64_t> newest_;  // The number of each market's newest trade.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_TRADE_TAPE_H_
