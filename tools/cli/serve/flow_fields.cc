#include "tools/cli/serve/flow_fields.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/gateway/flow/flow_terms.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/price.h"
#include "tools/cli/base/json.h"
#include "tools/cli/base/json_text.h"
#include "tools/cli/read/selector.h"

namespace tools {
namespace {

constexpr int kDecimals = 9;  // Of a pace and a factor.
constexpr int64_t kMillion = 1'000'000;

// Null: there is none.
const engine::MarketDefinition* FindMarket(const VenueConfig& venue, const std::string& words) {
  uint32_t id = 0;
  const bool is_number = engine::ParseInteger(words, id);
  for (const MarketConfig& market : venue.markets) {
    const engine::MarketDefinition& definition = market.definition;
    if (is_number ? definition.id == engine::MarketId(id) : definition.symbol == words) {
      return &definition;
    }
  }
  return nullptr;
}

const engine::MarketDefinition* ReadMarket(JsonFields& fields, const VenueConfig& venue) {
  constexpr absl::string_view kExpected =
      "the id or the symbol of one of the markets, each in at most one flow";
  fields.Require("market", kExpected);
  const std::string words = fields.Text("market");
  const engine::MarketDefinition* market = FindMarket(venue, words);
  for (const FlowConfig& other : venue.flows) {
    if (market != nullptr && other.market == market->id) market = nullptr;
  }
  if (market == nullptr) fields.Refuse("market", words, kExpected);
  return market;
}

// A number of billionths, above zero. Nullopt: it is none.
std::optional<int64_t> Billionths(absl::string_view text, int64_t max) {
  const auto price = engine::ParsePrice(text, kDecimals);
  if (!price.ok() || price->units() <= 0 || price->units() > max) return std::nullopt;
  return price->units();
}

void ReadPace(JsonFields& fields, std::optional<double>& into) {
  const std::string text = fields.Text("pace");
  if (text.empty() || text == "recorded") return;
  if (text == "max") {
    into = std::nullopt;
    return;
  }
  constexpr auto kOne = static_cast<int64_t>(engine::PriceLine::kOne);
  const std::optional<int64_t> pace = Billionths(text, kOne * kMillion);
  if (!pace.has_value()) {
    return fields.Refuse("pace", text, "recorded, max, or a factor above 0, at most 1000000");
  }
  into = static_cast<double>(*pace) / static_cast<double>(kOne);
}

void ReadRounds(JsonFields& fields, uint64_t& into) {
  const std::string text = fields.Text("repeat");
  if (text.empty()) return;
  uint64_t rounds = 0;
  const bool is_forever = text == "forever";
  if (!is_forever && (!engine::ParseInteger(text, rounds) || rounds == 0)) {
    return fields.Refuse("repeat", text, "forever, or how many times, from 1");
  }
  into = rounds;
}

void ReadLine(JsonFields& fields, const engine::MarketDefinition& market,
              std::optional<engine::PriceLine>& into) {
  const std::string factor = fields.Text("price_factor");
  const bool has_offset = fields.Has("price_offset") || fields.Has("price_offset_units");
  engine::PriceLine line;
  fields.Price("price_offset", market.price_decimals, line.offset);
  if (line.offset.units() > engine::kPriceUnitsMax ||
      line.offset.units() < -engine::kPriceUnitsMax) {
    fields.Refuse("price_offset", "", "a price of at most 10^12 units");
  }
  if (!factor.empty()) {
    const std::optional<int64_t> billionths =
        Billionths(factor, static_cast<int64_t>(engine::PriceLine::kFactorMax));
    if (!billionths.has_value()) {
      return fields.Refuse("price_factor", factor, "a number above 0, at most 1000000");
    }
    line.factor = static_cast<uint64_t>(*billionths);
  }
  if (!factor.empty() || has_offset) into = line;
}

void ReadMoney(JsonFields& fields, engine::Money& into) {
  if (!fields.Has("money")) return;
  const auto money = engine::Money::Parse(fields.Text("money"));
  const bool is_good = money.ok() && *money >= engine::Money() && *money <= engine::kMoneyMax &&
                       money->micros() % engine::kBalanceStepMicros == 0;
  if (!is_good) {
    return fields.Refuse("money", "", "dollars, not below zero, with at most 4 decimals");
  }
  into = *money;
}

void ReadSource(JsonFields& fields, FlowConfig& into) {
  fields.Require("source", "the path of a journal, or of an ITCH file");
  into.source = fields.Text("source");
  if (into.source.empty() || into.source.find('\0') != std::string::npos) {
    fields.Refuse("source", "", "the path of a journal, or of an ITCH file");
  }
  if (fields.Has("from_market")) into.from_market = fields.Text("from_market");
  into.range = fields.Text("range");
  if (into.range.empty()) return;
  if (const auto range = ParseRange(into.range); !range.ok()) {
    fields.Refuse("range", into.range, "a range as of other verbs, e.g. @1..@5000 or @+5m..@+10m");
  }
}

}  // namespace

absl::Status TakeFlow(JsonFields& fields, VenueConfig& venue) {
  const engine::MarketDefinition* const market = ReadMarket(fields, venue);
  if (market == nullptr) return fields.status();
  FlowConfig flow = {.market = market->id, .from_market = market->symbol};
  ReadSource(fields, flow);
  ReadPace(fields, flow.pace);
  ReadRounds(fields, flow.rounds);
  ReadLine(fields, *market, flow.line);
  fields.Flag("leave_out", flow.leaves_out);
  uint32_t first_account = flow.first_account.value();
  fields.Number("first_account", first_account);
  flow.first_account = engine::AccountId(first_account);
  ReadMoney(fields, flow.money);
  RETURN_IF_ERROR(fields.Finish());
  venue.flows.push_back(std::move(flow));
  return absl::OkStatus();
}

absl::Status TakeFlowOption(absl::string_view words, VenueConfig& venue) {
  JsonObject object;
  for (const absl::string_view word : absl::StrSplit(words, ',')) {
    const std::pair<absl::string_view, absl::string_view> field =
        absl::StrSplit(word, absl::MaxSplits('=', 1));
    if (field.first.empty() || field.second.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--flow: '", word, "', expected FIELD=VALUE, e.g. market=ACME"));
    }
    object.Field(field.first, field.second);
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<const JsonText> json,
                   JsonText::Parse(object.Take(), "--flow"));
  JsonFields fields("", json->root(), *json, JsonText::PlaceOf(json->root()));
  return TakeFlow(fields, venue);
}

}  // namespace tools
