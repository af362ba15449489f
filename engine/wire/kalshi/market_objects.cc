#include "engine/wire/kalshi/market_objects.h"

#include <algorithm>

namespace engine::kalshi {
namespace {

void WriteSources(std::span<const SettlementSource> sources, JsonWriter& json) {
  json.BeginArray("settlement_sources");
  for (const SettlementSource& source : sources) {
    json.BeginObject().Text("name", source.name).Text("url", source.url).EndObject();
  }
  json.EndArray();
}

void WriteTexts(absl::string_view key, std::span<const absl::string_view> texts, JsonWriter& json) {
  json.BeginArray(key);
  for (const absl::string_view text : texts) json.Text(text);
  json.EndArray();
}

void WriteTimes(const Market& market, JsonWriter& json) {
  json.Time("created_time", market.created_time)
      .Time("updated_time", market.updated_time)
      .Time("open_time", market.open_time)
      .Time("close_time", market.close_time)
      .Time("latest_expiration_time", market.latest_expiration_time)
      .TimeIfAny("expected_expiration_time", market.expected_expiration_time)
      .TimeIfAny("expiration_time", market.expiration_time)
      .Integer("settlement_timer_seconds", market.settlement_timer_seconds);
}

void WritePrices(const Market& market, JsonWriter& json) {
  json.Price("yes_bid_dollars", market.bid)
      .Count("yes_bid_size_fp", market.bid_size)
      .Price("yes_ask_dollars", market.ask)
      .Count("yes_ask_size_fp", market.ask_size)
      .Price("no_bid_dollars", Complement(market.ask))
      .Price("no_ask_dollars", Complement(market.bid))
      .Price("last_price_dollars", market.last_price)
      .Price("previous_yes_bid_dollars", market.previous_bid)
      .Price("previous_yes_ask_dollars", market.previous_ask)
      .Price("previous_price_dollars", market.previous_price)
      .Price("notional_value_dollars", kOneDollar)
      .Price("liquidity_dollars", engine::Price())
      .Count("volume_fp", market.volume)
      .Count("volume_24h_fp", market.volume_24h)
      .Count("open_interest_fp", market.open_interest);
}

void WriteRules(const Market& market, JsonWriter& json) {
  json.Text("rules_primary", market.rules_primary)
      .Text("rules_secondary", market.rules_secondary)
      .TextIfAny("strike_type", market.strike_type);
  WriteStrikes(market, json);
  json.TextIfAny("functional_strike", market.functional_strike)
      .Text("price_level_structure", market.price_level_structure);
  WritePriceRanges(market.price_ranges, json);
  json.Text("response_price_units", "usd_cent").Boolean("fractional_trading_enabled", true);
}

void WriteSettlement(const Market& market, JsonWriter& json) {
  json.Text("result", ToText(market.result))
      .Boolean("can_close_early", market.can_close_early)
      .TextIfAny("early_close_condition", market.early_close_condition)
      .Text("expiration_value", market.expiration_value)
      .PriceIfAny("settlement_value_dollars", market.settlement_value)
      .TimeIfAny("settlement_ts", market.settlement_time)
      .Text("settlement_bounds_type", "default");
}

void WriteLevel(Price price, Count count, JsonWriter& json) {
  json.BeginArray().Price(price).Count(count).EndArray();
}

std::span<const Level> Best(std::span<const Level> levels, int depth) {
  return depth == 0 ? levels : levels.first(std::min<size_t>(levels.size(), depth));
}

void WriteBar(const Bar& bar, JsonWriter& json) {
  json.Price("open_dollars", bar.open)
      .Price("low_dollars", bar.low)
      .Price("high_dollars", bar.high)
      .Price("close_dollars", bar.close);
}

}  // namespace

absl::string_view ToText(MarketStatus status) {
  switch (status) {
    case MarketStatus::kInitialized:
      return "initialized";
    case MarketStatus::kInactive:
      return "inactive";
    case MarketStatus::kActive:
      return "active";
    case MarketStatus::kClosed:
      return "closed";
    case MarketStatus::kDetermined:
      return "determined";
    case MarketStatus::kDisputed:
      return "disputed";
    case MarketStatus::kAmended:
      return "amended";
    case MarketStatus::kFinalized:
      return "finalized";
  }
  return "";
}

absl::string_view ToText(MarketResult result) {
  switch (result) {
    case MarketResult::kNone:
      return "";
    case MarketResult::kYes:
      return "yes";
    case MarketResult::kNo:
      return "no";
    case MarketResult::kScalar:
      return "scalar";
  }
  return "";
}

absl::string_view ToText(FeeType type) {
  switch (type) {
    case FeeType::kQuadratic:
      return "quadratic";
    case FeeType::kQuadraticWithMakerFees:
      return "quadratic_with_maker_fees";
    case FeeType::kQuadraticWithComboMakerFees:
      return "quadratic_with_combo_maker_fees";
    case FeeType::kFlat:
      return "flat";
  }
  return "";
}

absl::string_view OutcomeText(Side side) { return side == Side::kBid ? "yes" : "no"; }
absl::string_view BookSideText(Side side) { return side == Side::kBid ? "bid" : "ask"; }

void WritePriceRanges(std::span<const PriceRange> ranges, JsonWriter& json) {
  json.BeginArray("price_ranges");
  for (const PriceRange& range : ranges) {
    json.BeginObject()
        .Price("start", range.start)
        .Price("end", range.end)
        .Price("step", range.step)
        .EndObject();
  }
  json.EndArray();
}

void WriteStrikes(const Market& market, JsonWriter& json) {
  if (market.floor_strike_millionths.has_value()) {
    json.Millionths("floor_strike", *market.floor_strike_millionths);
  }
  if (market.cap_strike_millionths.has_value()) {
    json.Millionths("cap_strike", *market.cap_strike_millionths);
  }
  if (!market.custom_strike_json.empty()) json.Raw("custom_strike", market.custom_strike_json);
}

void Write(const Market& market, JsonWriter& json) {
  json.BeginObject()
      .Text("ticker", market.ticker)
      .Text("event_ticker", market.event_ticker)
      .Text("market_type", market.is_scalar ? "scalar" : "binary")
      .TextIfAny("title", market.title)
      .TextIfAny("subtitle", market.subtitle)
      .Text("yes_sub_title", market.yes_sub_title)
      .Text("no_sub_title", market.no_sub_title)
      .Text("status", ToText(market.status));
  WriteTimes(market, json);
  WritePrices(market, json);
  WriteSettlement(market, json);
  WriteRules(market, json);
  json.Integer("exchange_index", 0).EndObject();
}

void Write(const Event& event, JsonWriter& json) {
  json.BeginObject()
      .Text("event_ticker", event.event_ticker)
      .Text("series_ticker", event.series_ticker)
      .Text("title", event.title)
      .Text("sub_title", event.sub_title)
      .Text("collateral_return_type", event.collateral_return_type)
      .Boolean("mutually_exclusive", event.mutually_exclusive)
      .Text("category", event.category)
      .TimeIfAny("strike_date", event.strike_date)
      .TextIfAny("strike_period", event.strike_period)
      .TimeIfAny("last_updated_ts", event.last_updated)
      .Boolean("available_on_brokers", false);
  WriteSources(event.settlement_sources, json);
  if (event.has_markets) {
    json.BeginArray("markets");
    for (const Market& market : event.markets) Write(market, json);
    json.EndArray();
  }
  json.Integer("exchange_index", 0).EndObject();
}

void Write(const Series& series, JsonWriter& json) {
  json.BeginObject()
      .Text("ticker", series.ticker)
      .Text("frequency", series.frequency)
      .Text("title", series.title)
      .Text("category", series.category);
  WriteTexts("categories", series.categories, json);
  WriteTexts("tags", series.tags, json);
  WriteSources(series.settlement_sources, json);
  json.Text("contract_url", series.contract_url)
      .Text("contract_terms_url", series.contract_terms_url)
      .Text("fee_type", ToText(series.fee_type))
      .Millionths("fee_multiplier", series.fee_multiplier_millionths)
      .BeginArray("additional_prohibitions")
      .EndArray()
      .TimeIfAny("last_updated_ts", series.last_updated)
      .Integer("exchange_index", 0)
      .EndObject();
}

void Write(const SeriesFeeChange& change, JsonWriter& json) {
  json.BeginObject()
      .Text("id", change.id)
      .Text("series_ticker", change.series_ticker)
      .Text("fee_type", ToText(change.fee_type))
      .Millionths("fee_multiplier", change.fee_multiplier_millionths)
      .Time("scheduled_ts", change.scheduled)
      .EndObject();
}

void WriteLevels(absl::string_view key, std::span<const Level> best_first, LevelPrices prices,
                 JsonWriter& json) {
  json.BeginArray(key);
  if (prices == LevelPrices::kAsGiven) {
    for (const Level& level : best_first) WriteLevel(level.price, level.count, json);
  } else {
    const bool complements = prices == LevelPrices::kComplements;
    for (auto level = best_first.rbegin(); level != best_first.rend(); ++level) {
      WriteLevel(complements ? Complement(level->price) : level->price, level->count, json);
    }
  }
  json.EndArray();
}

void Write(const Book& book, int depth, JsonWriter& json) {
  json.BeginObject();
  WriteLevels("yes_dollars", Best(book.bids, depth), LevelPrices::kReversed, json);
  WriteLevels("no_dollars", Best(book.asks, depth), LevelPrices::kComplements, json);
  json.EndObject();
}

void WriteOrderbookReply(const Book& book, int depth, JsonWriter& json) {
  json.BeginObject().Key("orderbook_fp");
  Write(book, depth, json);
  json.EndObject();
}

void WriteTickerAndBook(absl::string_view ticker, const Book& book, JsonWriter& json) {
  json.BeginObject().Text("ticker", ticker).Key("orderbook_fp");
  Write(book, 0, json);
  json.EndObject();
}

void Write(const Trade& trade, JsonWriter& json) {
  json.BeginObject()
      .Text("trade_id", trade.trade_id)
      .Text("ticker", trade.ticker)
      .Count("count_fp", trade.count)
      .Price("yes_price_dollars", trade.price)
      .Price("no_price_dollars", Complement(trade.price))
      .Text("taker_side", OutcomeText(trade.taker_side))
      .Text("taker_outcome_side", OutcomeText(trade.taker_side))
      .Text("taker_book_side", BookSideText(trade.taker_side))
      .Time("created_time", trade.time)
      .Boolean("is_block_trade", false)
      .EndObject();
}

void Write(const Candlestick& candle, JsonWriter& json) {
  json.BeginObject().Integer("end_period_ts", candle.end_s).BeginObject("yes_bid");
  WriteBar(candle.bid, json);
  json.EndObject().BeginObject("yes_ask");
  WriteBar(candle.ask, json);
  json.EndObject().BeginObject("price");
  if (candle.price.has_value()) {
    WriteBar(*candle.price, json);
    json.Price("min_dollars", candle.price->low).Price("max_dollars", candle.price->high);
  }
  json.PriceIfAny("mean_dollars", candle.mean)
      .PriceIfAny("previous_dollars", candle.previous)
      .EndObject()
      .Count("volume_fp", candle.volume)
      .Count("open_interest_fp", candle.open_interest)
      .EndObject();
}

}  // namespace engine::kalshi
