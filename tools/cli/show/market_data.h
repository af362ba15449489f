// Market data as records of Databento's MBO, trades and MBP-10, made of the actions of orders.
//
//   events ─► OrderActions ─► MarketDataRows ─► CSV, JSON lines or DBN
//             engine/views     levels of each market

#ifndef TOOLS_CLI_SHOW_MARKET_DATA_H_
#define TOOLS_CLI_SHOW_MARKET_DATA_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/id_table.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/order_actions.h"
#include "engine/views/top_levels.h"
#include "engine/wire/dbn/record_text.h"
#include "engine/wire/dbn/records.h"

namespace tools {

enum class MarketData {
  kBook,    // MBP-10: what changes the best levels, and trades.
  kTrades,  // Trades.
  kOrders,  // MBO: every change of every order, and trades.
};
enum class MarketDataFormat { kCsv, kJsonLines, kDbn };

// Not thread-safe: owned by the verb. `markets` outlives it and has all markets.
class MarketDataRows {
 public:
  struct Options {
    MarketData what = MarketData::kBook;
    MarketDataFormat format = MarketDataFormat::kCsv;
    size_t depth = engine::TopLevels::kDepthMax;  // Of the book.
    std::optional<engine::MarketId> market = {};  // All if empty.
  };
  using Sink = std::function<void(absl::string_view)>;

  // `sink` gets pieces of about 64 KiB.
  MarketDataRows(const Options& options, const engine::MarketDirectory& markets, Sink sink);

  // Writes the header of the format; `first` and `last` are the times of the first and the last
  // command.
  void Begin(engine::Timestamp first, engine::Timestamp last);

  // An order that rests at the start, in order of priority; the rows of kOrders begin with these.
  void Know(engine::OrderId order, engine::MarketId market, engine::Side side, engine::Price price,
            engine::Quantity remaining, engine::SequenceNumber at, engine::Timestamp time);

  void Take(const engine::OrderAction& action);

  // Writes what is pending. Errors: INVALID_ARGUMENT for the first price, quantity or time that a
  // record cannot hold; nothing was written from there on.
  absl::Status Finish();

  uint64_t row_count() const { return row_count_; }

 private:
  struct Market {
    engine::MarketId id = {};
    const engine::MarketDefinition* definition = nullptr;
    int64_t price_factor = 1;  // From units to 10^-9.
    std::string symbol = {};   // In the form of the format.
    engine::TopLevels bids;
    engine::TopLevels asks;
    engine::DbnMbp10 book = {};  // `levels` is current; the rest is that of the last row.
    bool is_announced = false;   // Its known orders have begun.
  };

  bool Concerns(engine::MarketId market) const {
    return status_.ok() && (!options_.market.has_value() || *options_.market == market);
  }
  Market& MarketOf(engine::MarketId id);
  void TakeForOrders(const engine::OrderAction& action, Market& market, uint8_t flags);
  void TakeForBook(const engine::OrderAction& action, Market& market);
  size_t ChangeLevels(const engine::OrderAction& action, Market& market);
  void UpdateLevel(Market& market, engine::Side side, size_t at);

  // Sets the fields that all records have.
  template <typename Record>
  void Fill(const engine::OrderAction& action, const Market& market, Record& record);
  // Writes the pending record, and makes this one pending: the next one shows whether it is the
  // last of its command.
  template <typename Record>
  void Put(const Record& record, const Market& market, engine::SequenceNumber sequence);
  void WritePending(bool is_last);
  template <typename Record>
  void Write(const Record& record);

  int64_t PriceOf(engine::Price price, const Market& market);
  uint32_t SizeOf(uint64_t units, const Market& market);
  uint64_t TimeOf(engine::Timestamp time);
  void Refuse(const std::string& why);
  void Flush(size_t at_least);

  const Options options_;
  const engine::MarketDirectory& markets_;
  const Sink sink_;
  engine::IdTable places_;  // Indices into books_.
  std::deque<Market> books_;
  std::string out_;
  engine::DbnRecordText text_;
  std::variant<engine::DbnMbp10, engine::DbnTrade, engine::DbnMbo> pending_;
  const Market* pending_market_ = nullptr;  // Null: nothing is pending.
  engine::SequenceNumber pending_sequence_;
  engine::SequenceNumber at_;  // The command whose actions arrive.
  uint64_t row_count_ = 0;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_MARKET_DATA_H_
