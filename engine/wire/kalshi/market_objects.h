// What everybody may see of markets: values, and their JSON.
//
// A value holds views: it is made, written and forgotten. Every Write() appends one JSON object
// with all fields that Kalshi requires, and of the others those that are set. Every member has an
// initializer, so that designated initializers may leave out any.

#ifndef ENGINE_WIRE_KALSHI_MARKET_OBJECTS_H_
#define ENGINE_WIRE_KALSHI_MARKET_OBJECTS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/numbers.h"

namespace engine::kalshi {

enum class MarketStatus : uint8_t {
  kInitialized,
  kInactive,
  kActive,
  kClosed,
  kDetermined,
  kDisputed,
  kAmended,
  kFinalized,
};
absl::string_view ToText(MarketStatus status);

enum class MarketResult : uint8_t { kNone, kYes, kNo, kScalar };
absl::string_view ToText(MarketResult result);

// "yes" is the outcome of a bid, "no" that of an ask.
absl::string_view OutcomeText(Side side);
absl::string_view BookSideText(Side side);

// A part of the price grid.
struct PriceRange {
  Price start = {};
  Price end = {};
  Price step = {};

  friend bool operator==(const PriceRange&, const PriceRange&) = default;
};

struct Market {
  absl::string_view ticker = {};
  absl::string_view event_ticker = {};
  bool is_scalar = false;
  absl::string_view title = {};
  absl::string_view subtitle = {};
  absl::string_view yes_sub_title = {};
  absl::string_view no_sub_title = {};
  Timestamp created_time = {};
  Timestamp updated_time = {};
  Timestamp open_time = {};
  Timestamp close_time = {};
  Timestamp latest_expiration_time = {};
  std::optional<Timestamp> expected_expiration_time = {};
  std::optional<Timestamp> expiration_time = {};
  int64_t settlement_timer_seconds = 0;
  MarketStatus status = MarketStatus::kInitialized;
  // Of the YES leg; the NO leg's follow. As they are, for an empty side.
  Price bid = {};
  Count bid_size = {};
  Price ask = kOneDollar;
  Count ask_size = {};
  Price last_price = {};
  Price previous_bid = {};
  Price previous_ask = kOneDollar;
  Price previous_price = {};
  Count volume = {};
  Count volume_24h = {};
  Count open_interest = {};
  MarketResult result = MarketResult::kNone;
  bool can_close_early = true;
  absl::string_view early_close_condition = {};
  absl::string_view expiration_value = {};
  std::optional<Price> settlement_value = {};
  std::optional<Timestamp> settlement_time = {};
  absl::string_view rules_primary = {};
  absl::string_view rules_secondary = {};
  absl::string_view price_level_structure = {};
  std::span<const PriceRange> price_ranges = {};
  absl::string_view strike_type = {};
  std::optional<int64_t> floor_strike_millionths = {};
  std::optional<int64_t> cap_strike_millionths = {};
  absl::string_view functional_strike = {};
  absl::string_view custom_strike_json = {};  // A JSON object.
};
void Write(const Market& market, JsonWriter& json);
// Members of a market that channels need too: price_ranges; floor_strike, cap_strike and
// custom_strike.
void WritePriceRanges(std::span<const PriceRange> ranges, JsonWriter& json);
void WriteStrikes(const Market& market, JsonWriter& json);

struct SettlementSource {
  absl::string_view name = {};
  absl::string_view url = {};
};

struct Event {
  absl::string_view event_ticker = {};
  absl::string_view series_ticker = {};
  absl::string_view title = {};
  absl::string_view sub_title = {};
  absl::string_view collateral_return_type = {};  // "MECNET", "DIRECNET" or empty.
  bool mutually_exclusive = false;
  absl::string_view category = {};
  std::optional<Timestamp> strike_date = {};
  absl::string_view strike_period = {};
  std::optional<Timestamp> last_updated = {};
  std::span<const SettlementSource> settlement_sources = {};
  bool has_markets = false;
  std::span<const Market> markets = {};  // Written if has_markets.
};
void Write(const Event& event, JsonWriter& json);

enum class FeeType : uint8_t {
  kQuadratic,
  kQuadraticWithMakerFees,
  kQuadraticWithComboMakerFees,
  kFlat,
};
absl::string_view ToText(FeeType type);

struct Series {
  absl::string_view ticker = {};
  absl::string_view frequency = {};
  absl::string_view title = {};
  absl::string_view category = {};
  std::span<const absl::string_view> categories = {};
  std::span<const absl::string_view> tags = {};
  std::span<const SettlementSource> settlement_sources = {};
  absl::string_view contract_url = {};
  absl::string_view contract_terms_url = {};
  FeeType fee_type = FeeType::kQuadratic;
  int64_t fee_multiplier_millionths = 1'000'000;
  std::optional<Timestamp> last_updated = {};
};
void Write(const Series& series, JsonWriter& json);

struct SeriesFeeChange {
  absl::string_view id = {};
  absl::string_view series_ticker = {};
  FeeType fee_type = FeeType::kQuadratic;
  int64_t fee_multiplier_millionths = 1'000'000;
  Timestamp scheduled = {};
};
void Write(const SeriesFeeChange& change, JsonWriter& json);

// A price level, in YES prices.
struct Level {
  Price price = {};
  Count count = {};
};

// A book, in YES prices, each side best first. Written as Kalshi shows it: two ladders of bids in
// their own prices, best last.
struct Book {
  std::span<const Level> bids = {};
  std::span<const Level> asks = {};
};
// {"yes_dollars":[...],"no_dollars":[...]} with at most `depth` levels of a side; 0: all.
void Write(const Book& book, int depth, JsonWriter& json);
// The replies: {"orderbook_fp":...}, and an element of "orderbooks".
void WriteOrderbookReply(const Book& book, int depth, JsonWriter& json);
void WriteTickerAndBook(absl::string_view ticker, const Book& book, JsonWriter& json);
// Levels are given best first, and always written with ascending prices.
enum class LevelPrices : uint8_t {
  kAsGiven,      // Asks at YES prices.
  kReversed,     // Bids, so that the best is last.
  kComplements,  // Asks as bids for NO, at 1 - price, so that the best is last.
};
void WriteLevels(absl::string_view key, std::span<const Level> best_first, LevelPrices prices,
                 JsonWriter& json);

struct Trade {
  absl::string_view trade_id = {};
  absl::string_view ticker = {};
  Count count = {};
  Price price = {};  // Of the YES leg.
  Side taker_side = Side::kBid;
  Timestamp time = {};
};
void Write(const Trade& trade, JsonWriter& json);

struct Bar {
  Price open = {};
  Price low = {};
  Price high = {};
  Price close = {};
};

struct Candlestick {
  int64_t end_s = 0;
  Bar bid = {};                   // YES prices.
  Bar ask = {};                   //
  std::optional<Bar> price = {};  // Of trades, if there were any.
  std::optional<Price> mean = {};
  std::optional<Price> previous = {};
  Count volume = {};
  Count open_interest = {};
};
void Write(const Candlestick& candle, JsonWriter& json);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_MARKET_OBJECTS_H_
