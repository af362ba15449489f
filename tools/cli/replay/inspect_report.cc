#include "tools/cli/replay/inspect_report.h"

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/decimal.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "tools/cli/base/json.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"
#include "tools/cli/replay/book_printer.h"

namespace tools {
namespace {

using engine::DepthView;
using engine::MarketDefinition;
using engine::OrderHistory;
using engine::Price;
using engine::Side;
using Standing = DepthView::Standing;

engine::OrderId OrderOf(const Inspection& inspection) {
  return inspection.history.has_value() ? inspection.history->order() : engine::OrderId();
}

// ---- For people

// "live, 60 filled, 40 remaining; AAPL bid 320.1400, 2 orders with 300 ahead"
std::string StandingText(const Inspection& inspection, const OrderHistory& history,
                         const MarketDefinition* market) {
  const bool is_now = &history == &*inspection.history;  // Not at its end.
  std::string text(engine::NameOf(history.status()));
  if (history.status() == OrderHistory::Status::kNone) {
    return absl::StrCat("no order has that number up to ", is_now ? "there" : "the end");
  }
  if (history.status() == OrderHistory::Status::kReplaced) {
    absl::StrAppend(&text, " by order ", history.replaced_by().value());
  }
  absl::StrAppend(&text, ", ", QuantityText(history.quantity_filled(), market), " filled, ",
                  QuantityText(history.quantity_remaining(), market), " remaining");
  const auto standing =
      is_now ? inspection.depth.FindOrder(history.order()) : std::optional<Standing>();
  if (standing.has_value()) {
    absl::StrAppend(&text, "; ", MarketText(standing->market, market), " ",
                    engine::NameOf(standing->side), " ", PriceText(standing->price, market), ", ");
    if (standing->orders_ahead == 0) {
      text += "first in its queue";
    } else {
      absl::StrAppend(&text, standing->orders_ahead,
                      standing->orders_ahead == 1 ? " order" : " orders", " with ",
                      QuantityText(standing->quantity_ahead, market), " ahead");
    }
  }
  return text;
}

// Prints the order's events after the position.
void PrintLater(Console& console, const Inspection& inspection, const MarketDefinition* market) {
  const engine::MessageText text(inspection.markets.markets());
  const size_t told = inspection.history->entries().size();
  for (const OrderHistory::Entry& entry : inspection.life->entries().subspan(told)) {
    console.PrintLine("   ", console.Styled(Style::kDim, entry.time.ToString()), "  later ",
                      text.Format(entry.event));
  }
  console.PrintLine("   in the end ", StandingText(inspection, *inspection.life, market));
}

void PrintOrder(Console& console, const Inspection& inspection) {
  const OrderHistory& history = *inspection.history;
  const engine::MarketDirectory& markets = inspection.markets.markets();
  // An order that is created later has no history yet.
  const OrderHistory& life = inspection.life.has_value() ? *inspection.life : history;
  const MarketDefinition* market =
      life.entries().empty() ? nullptr : markets.Find(life.entries().front().event.market);
  console.PrintLine(console.Styled(Style::kBold, absl::StrCat("order ", history.order().value())),
                    "  ", StandingText(inspection, history, market));
  const engine::MessageText text(markets);
  for (const OrderHistory::Entry& entry : history.entries()) {
    console.PrintLine("   ", console.Styled(Style::kDim, entry.time.ToString()), "  ",
                      text.Format(entry.event));
  }
  if (inspection.life.has_value()) PrintLater(console, inspection, market);
  console.PrintLine();
}

}  // namespace

void PrintInspection(Console& console, const Inspection& inspection, const InspectTopic& topic) {
  const engine::MessageText text(inspection.markets.markets());
  console.PrintLine(console.Styled(Style::kBold, topic.path), ", after @",
                    inspection.command.sequence.value());
  console.PrintLine("   ", text.Format(inspection.command, inspection.attachment));
  for (const engine::Event& event : inspection.events) {
    console.PrintLine("   ", text.Format(event));
  }
  console.PrintLine();
  if (inspection.history.has_value()) PrintOrder(console, inspection);
  if (inspection.account.has_value()) {
    PrintAccount(console, *inspection.account, inspection.markets.markets());
  }
  if (topic.market == nullptr) {
    console.PrintLine("no market is defined yet");
  } else if (topic.queue.has_value()) {
    console.Print(FormatQueue(console, inspection.depth, *topic.market, topic.queue->first,
                              topic.queue->second));
  } else {
    console.Print(FormatBook(console, inspection.depth, *topic.market,
                             {.depth = topic.depth, .order = OrderOf(inspection)}));
  }
}

// ---- JSON

namespace {

void AddSide(JsonObject& json, const Inspection& inspection, const InspectTopic& topic, Side side,
             absl::string_view name) {
  size_t level_count = 0;
  json.BeginArray(absl::StrCat(name, "s"));
  inspection.depth.VisitLevels(topic.market->id, side,
                               [&](Price price, const DepthView::Level& level) {
                                 if (++level_count > topic.depth) return true;
                                 json.BeginElement();
                                 WritePrice(json, "price", price, topic.market);
                                 WriteQuantity(json, "quantity", level.quantity, topic.market);
                                 json.Field("orders", level.order_count());
                                 json.EndElement();
                                 return true;
                               });
  json.EndArray();
  json.Field(absl::StrCat(name, "_level_count"), level_count);
}

void AddQueue(JsonObject& json, const Inspection& inspection, const InspectTopic& topic) {
  const auto& [side, price] = *topic.queue;
  json.BeginObject("queue");
  json.Field("side", engine::NameOf(side));
  WritePrice(json, "price", price, topic.market);
  json.BeginArray("orders");
  if (const auto* level = inspection.depth.FindLevel(topic.market->id, side, price)) {
    for (const DepthView::Place& place : level->queue) {
      json.BeginElement();
      json.Field("order", place.order.value());
      WriteQuantity(json, "remaining", place.quantity_remaining, topic.market);
      json.EndElement();
    }
  }
  json.EndArray();
  json.EndObject();
}

void AddLater(JsonObject& json, const Inspection& inspection) {
  json.Field("final_status", engine::NameOf(inspection.life->status()));
  json.BeginArray("later");
  const size_t told = inspection.history->entries().size();
  for (const OrderHistory::Entry& entry : inspection.life->entries().subspan(told)) {
    json.BeginElement();
    WriteEvent(json, entry.event, entry.time, inspection.markets.markets());
    json.EndElement();
  }
  json.EndArray();
}

void AddOrder(JsonObject& json, const Inspection& inspection) {
  const OrderHistory& history = *inspection.history;
  const engine::MarketDirectory& markets = inspection.markets.markets();
  const MarketDefinition* market =
      history.entries().empty() ? nullptr : markets.Find(history.entries().front().event.market);
  json.BeginObject("order");
  json.Field("order", history.order().value());
  json.Field("status", engine::NameOf(history.status()));
  WriteQuantity(json, "filled", history.quantity_filled(), market);
  WriteQuantity(json, "remaining", history.quantity_remaining(), market);
  if (history.replaced_by() != engine::OrderId()) {
    json.Field("replaced_by", history.replaced_by().value());
  }
  if (const auto standing = inspection.depth.FindOrder(history.order()); standing.has_value()) {
    json.Field("side", engine::NameOf(standing->side));
    WritePrice(json, "price", standing->price, market);
    json.Field("orders_ahead", standing->orders_ahead);
    WriteQuantity(json, "quantity_ahead", standing->quantity_ahead, market);
  }
  json.BeginArray("history");
  for (const OrderHistory::Entry& entry : history.entries()) {
    json.BeginElement();
    WriteEvent(json, entry.event, entry.time, markets);
    json.EndElement();
  }
  json.EndArray();
  if (inspection.life.has_value()) AddLater(json, inspection);
  json.EndObject();
}

}  // namespace

void PrintInspectionJson(Console& console, const Inspection& inspection,
                         const InspectTopic& topic) {
  const engine::MarketDirectory& markets = inspection.markets.markets();
  JsonObject json("ticktape.inspect/1");
  json.Field("path", topic.path);
  json.Field("sequence", inspection.command.sequence.value());
  json.Field("time", inspection.command.timestamp.ToString());
  json.BeginObject("command");
  WriteCommand(json, inspection.command, inspection.attachment, markets);
  json.EndObject();
  json.BeginArray("events");
  for (const engine::Event& event : inspection.events) {
    json.BeginElement();
    WriteEvent(json, event, inspection.command.timestamp, markets);
    json.EndElement();
  }
  json.EndArray();
  if (inspection.history.has_value()) AddOrder(json, inspection);
  if (inspection.account.has_value()) {
    json.BeginObject("account");
    WriteAccount(json, *inspection.account, markets);
    json.EndObject();
  }
  if (topic.market != nullptr) {
    json.Field("market", topic.market->symbol);
    json.Field("market_id", topic.market->id.value());
    if (topic.queue.has_value()) {
      AddQueue(json, inspection, topic);
    } else {
      AddSide(json, inspection, topic, Side::kBid, "bid");
      AddSide(json, inspection, topic, Side::kAsk, "ask");
    }
  }
  console.PrintLine(json.Take());
}

}  // namespace tools
