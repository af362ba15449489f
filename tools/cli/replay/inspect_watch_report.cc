#include "tools/cli/replay/inspect_watch_report.h"

#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/market_definition.h"
#include "tools/cli/base/json.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"

namespace tools {
namespace {

using engine::MarketDefinition;
using Kind = WatchTopic::Kind;
using Standing = engine::DepthView::Standing;

// Returns the market of the watched entity; null if it has none, or nothing has happened there yet.
const MarketDefinition* MarketOf(const WatchedMoment& moment) {
  if (moment.state.standing.has_value()) return moment.markets.Find(moment.state.standing->market);
  return moment.events.empty() ? nullptr : moment.markets.Find(moment.events.front().market);
}

std::string PlaceText(const std::optional<Standing>& standing, const MarketDefinition* market) {
  if (!standing.has_value()) return "no longer in the book";
  const std::string remaining =
      absl::StrCat(engine::NameOf(standing->side), " ", PriceText(standing->price, market), ", ",
                   QuantityText(standing->quantity_remaining, market), " remaining, ");
  if (standing->orders_ahead == 0) return remaining + "first in its queue";
  return absl::StrCat(remaining, standing->orders_ahead,
                      standing->orders_ahead == 1 ? " order" : " orders", " with ",
                      QuantityText(standing->quantity_ahead, market), " ahead");
}

std::string BestText(const std::optional<engine::Price>& price, const MarketDefinition* market) {
  return price.has_value() ? PriceText(*price, market) : "none";
}

std::string StateText(const WatchTopic& topic, const WatchedMoment& moment) {
  const MarketDefinition* market = MarketOf(moment);
  const WatchedState& state = moment.state;
  switch (topic.kind) {
    case Kind::kOrder:
      return PlaceText(state.standing, market);
    case Kind::kLevel:
      return state.orders == 0
                 ? "no order rests there"
                 : absl::StrCat(QuantityText(state.quantity, market), " in ", state.orders,
                                state.orders == 1 ? " order" : " orders");
    case Kind::kAccount:
      if (!state.money.has_value()) return "not opened";
      return absl::StrCat("balance ", state.money->balance.ToString(), ", ",
                          state.money->reserved.ToString(), " of it reserved");
    case Kind::kMarket:
      return absl::StrCat("best bid ", BestText(state.best_bid, market), ", best ask ",
                          BestText(state.best_ask, market));
  }
  return "";
}

void WriteState(JsonObject& json, const WatchTopic& topic, const WatchedMoment& moment) {
  const MarketDefinition* market = MarketOf(moment);
  const WatchedState& state = moment.state;
  json.Field("changed", moment.state_changed);
  switch (topic.kind) {
    case Kind::kOrder:
      json.Field("rests", state.standing.has_value());
      if (!state.standing.has_value()) break;
      json.Field("side", engine::NameOf(state.standing->side));
      WritePrice(json, "price", state.standing->price, market);
      WriteQuantity(json, "remaining", state.standing->quantity_remaining, market);
      json.Field("orders_ahead", state.standing->orders_ahead);
      WriteQuantity(json, "quantity_ahead", state.standing->quantity_ahead, market);
      break;
    case Kind::kLevel:
      WriteQuantity(json, "quantity", state.quantity, market);
      json.Field("orders", state.orders);
      break;
    case Kind::kAccount:
      json.Field("is_open", state.money.has_value());
      if (!state.money.has_value()) break;
      json.Field("balance", state.money->balance.ToString());
      json.Field("reserved", state.money->reserved.ToString());
      break;
    case Kind::kMarket:
      if (state.best_bid.has_value()) WritePrice(json, "best_bid", *state.best_bid, market);
      if (state.best_ask.has_value()) WritePrice(json, "best_ask", *state.best_ask, market);
      break;
  }
}

}  // namespace

void PrintWatched(Console& console, const WatchTopic& topic, const WatchedMoment& moment) {
  const engine::MessageText text(moment.markets);
  const std::string time = moment.command.timestamp.ToString();
  for (const engine::Event& event : moment.events) {
    console.PrintLine(console.Styled(Style::kDim, time), "  ", text.Format(event));
  }
  if (moment.state_changed) console.PrintLine("     ", StateText(topic, moment));
}

void PrintWatchedJson(Console& console, const WatchTopic& topic, absl::string_view topic_text,
                      const WatchedMoment& moment) {
  JsonObject json("ticktape.inspect-watch/1");
  json.Field("watched", topic_text);
  json.Field("sequence", moment.command.sequence.value());
  json.Field("time", moment.command.timestamp.ToString());
  json.BeginArray("events");
  for (const engine::Event& event : moment.events) {
    json.BeginElement();
    WriteEvent(json, event, moment.command.timestamp, moment.markets);
    json.EndElement();
  }
  json.EndArray();
  json.BeginObject("state");
  WriteState(json, topic, moment);
  json.EndObject();
  console.PrintLine(json.Take());
}

}  // namespace tools
