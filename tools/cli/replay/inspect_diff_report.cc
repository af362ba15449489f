#include "tools/cli/replay/inspect_diff_report.h"

#include <algorithm>
#include <set>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/messages/names.h"
#include "engine/types/decimal.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"

namespace tools {
namespace {

using engine::MarketDefinition;
using engine::MarketDirectory;
using engine::RestingOrder;

std::string Counted(uint64_t count, absl::string_view noun) {
  return absl::StrCat(WithCommas(count), " ", noun, count == 1 ? "" : "s");
}

absl::string_view NameOf(HowItLeft how) {
  switch (how) {
    case HowItLeft::kFilled:
      return "filled";
    case HowItLeft::kCancelled:
      return "cancelled";
    case HowItLeft::kReplaced:
      return "replaced";
  }
  return "";
}

bool IsShown(engine::MarketId id, const InspectDiffTopic& topic) {
  return !topic.market.has_value() || *topic.market == id;
}

// ---- For people

// Prints at most `limit` lines, then the number of the others.
void PrintList(Console& console, absl::string_view title, size_t count, size_t limit,
               absl::FunctionRef<std::string(size_t)> line) {
  if (count == 0) return;
  console.PrintLine("   ", console.Styled(Style::kDim, title));
  for (size_t i = 0; i < std::min(count, limit); ++i) console.PrintLine("      ", line(i));
  if (count > limit) console.PrintLine("      and ", WithCommas(count - limit), " more");
}

std::string OrderText(const RestingOrder& order, const MarketDefinition* market) {
  return absl::StrCat("order ", order.id.value(), "  ", engine::NameOf(order.side), " ",
                      PriceText(order.price, market), "  ",
                      QuantityText(order.quantity_remaining, market), "  account ",
                      order.account.value());
}

std::string AmendedText(const MarketChange::Amended& amended, const MarketDefinition* market) {
  std::string text = OrderText(amended.before, market);
  if (amended.after.price != amended.before.price) {
    absl::StrAppend(&text, "  now at ", PriceText(amended.after.price, market));
  }
  if (amended.after.quantity_remaining != amended.before.quantity_remaining) {
    absl::StrAppend(&text, "  now ", QuantityText(amended.after.quantity_remaining, market));
  }
  if (amended.after.priority != amended.before.priority) text += "  after the others";
  return text;
}

std::string LevelText(const LevelChange& level, const MarketDefinition* market) {
  return absl::StrFormat(
      "%s %s  %s -> %s  %s", engine::NameOf(level.side), PriceText(level.price, market),
      QuantityText(level.before.quantity, market), QuantityText(level.after.quantity, market),
      level.before.orders == level.after.orders
          ? Counted(level.after.orders, "order")
          : absl::StrCat(level.before.orders, " -> ", Counted(level.after.orders, "order")));
}

void PrintMarket(Console& console, engine::MarketId id, const MarketChange& change,
                 const MarketDefinition* market, size_t limit) {
  console.PrintLine(
      console.Styled(Style::kBold, MarketText(id, market)), "  ", Counted(change.trades, "trade"),
      change.trades == 0 ? "" : absl::StrCat(" of ", QuantityText(change.volume, market)), ", ",
      WithCommas(change.entered.size()), " entered, ", WithCommas(change.left.size()), " left, ",
      WithCommas(change.amended.size()), " changed, ", WithCommas(change.came_and_went),
      " came and went");
  PrintList(console, "levels", change.levels.size(), limit,
            [&](size_t i) { return LevelText(change.levels[i], market); });
  PrintList(console, "entered", change.entered.size(), limit,
            [&](size_t i) { return OrderText(change.entered[i], market); });
  PrintList(console, "left", change.left.size(), limit, [&](size_t i) {
    return absl::StrCat(OrderText(change.left[i].order, market), "  ", NameOf(change.left[i].how));
  });
  PrintList(console, "changed", change.amended.size(), limit,
            [&](size_t i) { return AmendedText(change.amended[i], market); });
}

void AddMoneyChange(absl::string_view name, engine::Money before, engine::Money after,
                    std::string& text) {
  if (before == after) return;
  absl::StrAppend(&text, text.empty() ? "" : ", ", name, " ", before.ToString(), " -> ",
                  after.ToString());
}

// Returns the markets in which the account had a position before or has one now.
std::set<engine::MarketId> MarketsOf(const AccountChange& change) {
  std::set<engine::MarketId> markets;
  for (const AccountMoney* money : {&change.before, &change.after}) {
    for (const auto& [id, position] : money->positions) markets.insert(id);
  }
  return markets;
}

int64_t PositionIn(const AccountMoney& money, engine::MarketId market) {
  const auto found = money.positions.find(market);
  return found == money.positions.end() ? 0 : found->second;
}

std::string AccountText(const AccountChange& change, const MarketDirectory& markets) {
  std::string text;
  if (!change.before.is_open && change.after.is_open) text = "opened";
  AddMoneyChange("balance", change.before.state.balance, change.after.state.balance, text);
  AddMoneyChange("reserved", change.before.state.reserved, change.after.state.reserved, text);
  for (const engine::MarketId id : MarketsOf(change)) {
    const int64_t before = PositionIn(change.before, id);
    const int64_t after = PositionIn(change.after, id);
    if (before == after) continue;
    const MarketDefinition* market = markets.Find(id);
    absl::StrAppend(&text, text.empty() ? "" : ", ", "position ", MarketText(id, market), " ",
                    PositionText(before, market), " -> ", PositionText(after, market));
  }
  return text;
}

}  // namespace

void PrintInspectDiff(Console& console, const InspectDiff& diff, const MarketDirectory& markets,
                      const InspectDiffTopic& topic) {
  console.PrintLine(console.Styled(Style::kBold, topic.path), ", from after @", diff.from.value(),
                    " to after @", diff.to.value(), ": ",
                    Counted(diff.to.value() - diff.from.value(), "command"), ", ",
                    WithCommas(diff.rejected), " rejected");
  bool is_any = false;
  for (const auto& [id, change] : diff.markets) {
    if (!IsShown(id, topic)) continue;
    is_any = true;
    console.PrintLine();
    PrintMarket(console, id, change, markets.Find(id), topic.lines);
  }
  if (!topic.market.has_value() && !diff.accounts.empty()) {
    is_any = true;
    console.PrintLine();
    console.PrintLine(Counted(diff.accounts.size(), "account"), " changed");
    size_t shown = 0;
    for (const auto& [account, change] : diff.accounts) {
      if (shown++ == topic.lines) break;
      console.PrintLine("   account ", account.value(), "  ", AccountText(change, markets));
    }
    if (diff.accounts.size() > topic.lines) {
      console.PrintLine("   and ", WithCommas(diff.accounts.size() - topic.lines), " more");
    }
  }
  if (!is_any) console.PrintLine("no book and no account is another");
}

// ---- JSON

namespace {

void WriteOrder(JsonObject& json, const RestingOrder& order, const MarketDefinition* market) {
  json.Field("order", order.id.value());
  json.Field("account", order.account.value());
  json.Field("side", engine::NameOf(order.side));
  WritePrice(json, "price", order.price, market);
  WriteQuantity(json, "remaining", order.quantity_remaining, market);
}

void WriteMarketChange(JsonObject& json, const MarketChange& change,
                       const MarketDefinition* market) {
  json.Field("trades", change.trades);
  WriteQuantity(json, "volume", change.volume, market);
  json.Field("came_and_went", change.came_and_went);
  json.BeginArray("levels");
  for (const LevelChange& level : change.levels) {
    json.BeginElement();
    json.Field("side", engine::NameOf(level.side));
    WritePrice(json, "price", level.price, market);
    WriteQuantity(json, "quantity_before", level.before.quantity, market);
    WriteQuantity(json, "quantity_after", level.after.quantity, market);
    json.Field("orders_before", level.before.orders);
    json.Field("orders_after", level.after.orders);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("entered");
  for (const RestingOrder& order : change.entered) {
    json.BeginElement();
    WriteOrder(json, order, market);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("left");
  for (const MarketChange::Left& left : change.left) {
    json.BeginElement();
    WriteOrder(json, left.order, market);
    json.Field("how", NameOf(left.how));
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("changed");
  for (const MarketChange::Amended& amended : change.amended) {
    json.BeginElement();
    WriteOrder(json, amended.before, market);
    WritePrice(json, "price_after", amended.after.price, market);
    WriteQuantity(json, "remaining_after", amended.after.quantity_remaining, market);
    json.Field("lost_priority", amended.after.priority != amended.before.priority);
    json.EndElement();
  }
  json.EndArray();
}

}  // namespace

void PrintInspectDiffJson(Console& console, const InspectDiff& diff, const MarketDirectory& markets,
                          const InspectDiffTopic& topic) {
  JsonObject json("ticktape.inspect-diff/1");
  json.Field("path", topic.path);
  json.Field("from", diff.from.value());
  json.Field("to", diff.to.value());
  json.Field("rejected", diff.rejected);
  json.BeginArray("markets");
  for (const auto& [id, change] : diff.markets) {
    if (!IsShown(id, topic)) continue;
    const MarketDefinition* market = markets.Find(id);
    json.BeginElement();
    if (market != nullptr) json.Field("market", market->symbol);
    json.Field("market_id", id.value());
    WriteMarketChange(json, change, market);
    json.EndElement();
  }
  json.EndArray();
  json.BeginArray("accounts");
  for (const auto& [account, change] : diff.accounts) {
    if (topic.market.has_value()) break;
    json.BeginElement();
    json.Field("account", account.value());
    json.BeginObject("before");
    WriteMoneyOf(json, change.before, markets);
    json.EndObject();
    json.BeginObject("after");
    WriteMoneyOf(json, change.after, markets);
    json.EndObject();
    json.EndElement();
  }
  json.EndArray();
  console.PrintLine(json.Take());
}

}  // namespace tools
