#include "engine/wire/dbn/markets.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"

namespace engine {
namespace {

bool IsTime(uint64_t nanos) {
  return nanos <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
}

bool IsPriceRead(const DbnMbo& record) {
  switch (record.action) {
    case kDbnAdd:
    case kDbnModify:
    case kDbnTrade:
    case kDbnFill:
      return record.price != kDbnNoPrice;
    default:
      return false;
  }
}

uint64_t SizeOf(int64_t price) {
  return price < 0 ? 0 - static_cast<uint64_t>(price) : static_cast<uint64_t>(price);
}

std::string TextOf(int64_t price) {
  return FormatPrice(Price::FromUnits(price), kDbnPriceDecimals);
}

// A symbol of a market: the padding inside symbols of options is left out.
std::string WithoutSpaces(absl::string_view symbol) {
  return absl::StrReplaceAll(symbol, {{" ", ""}});
}

bool IsSymbol(absl::string_view text) {
  return !text.empty() && text.size() <= kSymbolBytesMax && text[0] != '#' &&
         std::all_of(text.begin(), text.end(), [](char c) { return '!' <= c && c <= '~'; });
}

}  // namespace

Timestamp DbnTimeOf(const DbnMbo& record) {
  for (const uint64_t nanos : {record.ts_recv, record.header.ts_event}) {
    if (IsTime(nanos)) return Timestamp::FromNanos(static_cast<int64_t>(nanos));
  }
  return {};
}

absl::StatusOr<Price> DbnMarket::PriceOf(int64_t price) const {
  if (price % price_unit != 0 || SizeOf(price) > largest_price) {
    return absl::FailedPreconditionError(
        absl::StrCat("the input has changed since its prices were read: ", TextOf(price), " of ",
                     symbol, " was not among them"));
  }
  return Price::FromUnits(price / price_unit);
}

absl::Status DbnMarkets::Begin(const DbnMetadata& metadata) {
  ASSIGN_OR_RETURN(symbols_, DbnSymbols::Of(metadata));
  has_begun_ = true;
  return absl::OkStatus();
}

absl::Status DbnMarkets::Learn(const DbnMbo& record) {
  DbnMarket& market = Find(record);
  if (!IsPriceRead(record)) return absl::OkStatus();
  while (record.price % market.price_unit != 0) {
    market.price_unit /= 10;
    ++market.price_decimals;
  }
  market.largest_price = std::max(market.largest_price, SizeOf(record.price));
  if (market.largest_price / static_cast<uint64_t>(market.price_unit) <= kPriceUnitsMax) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "instrument ", record.header.instrument_id, " (", market.symbol, "), order ", record.order_id,
      ": with its price ", TextOf(record.price), " the market's prices need ",
      market.price_decimals, " decimals and reach ", market.largest_price / 1'000'000'000,
      "; a market has at most ", kPriceUnitsMax, " units of its last decimal"));
}

DbnMarket& DbnMarkets::Find(const DbnMbo& record) {
  const uint32_t instrument = record.header.instrument_id;
  const Timestamp time = DbnTimeOf(record);
  Current& current = current_[instrument];
  if (time < current.from || time >= current.to) {
    const DbnSymbols::Period period = symbols_.Find(instrument, time);
    current = {.from = period.from, .to = period.to, .market = Add(instrument, period.symbol)};
  }
  return markets_[current.market];
}

// Returns the market of that symbol or, without one, of that instrument.
size_t DbnMarkets::Add(uint32_t instrument, const std::string& symbol) {
  const std::string key = symbol.empty() ? absl::StrCat(instrument) : absl::StrCat("=", symbol);
  const auto [known, is_new] = by_key_.try_emplace(key, markets_.size());
  if (!is_new) return known->second;
  DbnMarket market = {.symbol = WithoutSpaces(symbol), .index = markets_.size()};
  if (!IsSymbol(market.symbol) || taken_symbols_.contains(market.symbol)) {
    market.symbol = absl::StrCat(instrument);
  }
  if (taken_symbols_.contains(market.symbol)) {
    absl::StrAppend(&market.symbol, "-", market.index + 1);
  }
  while (!taken_symbols_.insert(market.symbol).second) market.symbol += '-';
  uint32_t id = instrument;
  while (id == 0 || !taken_ids_.insert(id).second) id = ++largest_id_;
  largest_id_ = std::max(largest_id_, id);
  market.id = MarketId(id);
  markets_.push_back(market);
  return market.index;
}

}  // namespace engine
