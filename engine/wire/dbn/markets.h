// The markets of a DBN stream: one for each symbol, and for each instrument without one. The stream
// is read twice: the prices of the whole stream say how many decimals each market has.
//
//   Begin()          with the metadata
//   Learn(record)    of every record
//   Of(record)       when they are read again

#ifndef ENGINE_WIRE_DBN_MARKETS_H_
#define ENGINE_WIRE_DBN_MARKETS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/wire/dbn/metadata.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/symbols.h"

namespace engine {

// When the record was received or, if that is not known, when it happened at the venue; zero if
// neither is known.
Timestamp DbnTimeOf(const DbnMbo& record);

// A value type.
struct DbnMarket {
  MarketId id = {};
  std::string symbol = {};
  size_t index = 0;                    // In the order of their first records, from 0.
  int price_decimals = 0;              // The fewest with which all its prices are exact.
  int64_t price_unit = 1'000'000'000;  // In 10^-9.
  uint64_t largest_price = 0;          // In 10^-9, without its sign.

  // Errors: FAILED_PRECONDITION for a price that the market has not learnt.
  absl::StatusOr<Price> PriceOf(int64_t price) const;
};

// Not thread-safe: owned by the reader of the stream.
class DbnMarkets {
 public:
  // Whether Begin() has succeeded.
  bool has_begun() const { return has_begun_; }

  // Errors: those of DbnSymbols.
  absl::Status Begin(const DbnMetadata& metadata);

  // Errors: INVALID_ARGUMENT, with the market and two of its prices, if no market has so many
  // decimals and so large prices.
  absl::Status Learn(const DbnMbo& record);

  // The market of the record, made if it is the first. Valid until the next call.
  const DbnMarket& Of(const DbnMbo& record) { return Find(record); }

 private:
  // The market of an instrument in a period.
  struct Current {
    Timestamp from = Timestamp::Max();  // None yet.
    Timestamp to = Timestamp::Min();
    size_t market = 0;
  };

  DbnMarket& Find(const DbnMbo& record);
  size_t Add(uint32_t instrument, const std::string& symbol);

  bool has_begun_ = false;
  DbnSymbols symbols_;
  std::vector<DbnMarket> markets_;
  absl::flat_hash_map<uint32_t, Current> current_;   // By instrument.
  absl::flat_hash_map<std::string, size_t> by_key_;  // Of its symbol, or of its instrument.
  absl::flat_hash_set<std::string> taken_symbols_;
  absl::flat_hash_set<uint32_t> taken_ids_;
  uint32_t largest_id_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_DBN_MARKETS_H_
