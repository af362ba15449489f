#include "engine/wire/kalshi/book_messages.h"

#include <string_view>

#include "absl/strings/string_view.h"
#include "simdjson.h"

namespace engine::kalshi {
namespace {

using simdjson::dom::array;
using simdjson::dom::element;

absl::string_view View(std::string_view text) { return {text.data(), text.size()}; }

// Reads [[price, count], …] of one side.
void ReadLevels(absl::string_view name, Side side, const FeedForm& form, JsonMembers& message,
                std::vector<FeedLevel>& levels) {
  if (!message.Has(name)) return;
  const array list = message.List(name);
  if (!message.status().ok()) return;
  for (const element each : list) {
    array pair;
    std::string_view price;
    std::string_view count;
    if (each.get(pair) != simdjson::SUCCESS || pair.size() != 2 ||
        pair.at(0).get(price) != simdjson::SUCCESS || pair.at(1).get(count) != simdjson::SUCCESS) {
      return message.Refuse(name, "an entry", "lists of two texts: a price and a count");
    }
    FeedLevel level = {
        .side = side,
        .price = message.ParseTradePrice(name, View(price)),
        .count = message.ParseCount(name, View(count), form.count_max, /*is_signed=*/false)};
    if (!message.status().ok()) return;
    ToYesPrice(form, level);
    levels.push_back(level);
  }
}

}  // namespace

void ReadSnapshot(const FeedForm& form, JsonMembers& message, std::vector<FeedLevel>& levels) {
  ReadLevels("yes_dollars_fp", Side::kBid, form, message, levels);
  ReadLevels("no_dollars_fp", Side::kAsk, form, message, levels);
}

FeedLevel ReadDelta(const FeedForm& form, JsonMembers& message) {
  FeedLevel level;
  level.side = message.OutcomeSide("side");
  level.price = message.ParseTradePrice("price_dollars", message.Text("price_dollars"));
  level.count =
      message.ParseCount("delta_fp", message.Text("delta_fp"), form.count_max, /*is_signed=*/true);
  ToYesPrice(form, level);
  return level;
}

FeedLevel ReadTrade(const FeedForm& form, JsonMembers& message) {
  FeedLevel level;
  level.side =
      message.OutcomeSide(message.Has("taker_outcome_side") ? "taker_outcome_side" : "taker_side");
  level.price = message.ParseTradePrice("yes_price_dollars", message.Text("yes_price_dollars"));
  level.count =
      message.ParseCount("count_fp", message.Text("count_fp"), form.count_max, /*is_signed=*/false);
  return level;
}

std::optional<Timestamp> ReadMessageTime(JsonMembers& message) {
  if (message.HasText("ts")) return message.TimeIfAny("ts");
  if (!message.Has("ts_ms")) return std::nullopt;
  return message.MillisOf("ts_ms");
}

}  // namespace engine::kalshi
