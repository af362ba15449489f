#include "tools/cli/replay/inspect_diff.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/state/resting_order.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/output.h"
#include "replay/snapshot/snapshot_file.h"
#include "tools/cli/base/format.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"
#include "tools/cli/replay/inspect_accounts.h"
#include "tools/cli/replay/inspection.h"

namespace tools {
namespace {

using engine::Event;
using engine::EventKind;
using engine::MarketDefinition;
using engine::MarketDirectory;
using engine::MarketId;
using engine::OrderId;
using engine::RestingOrder;
using engine::SequenceNumber;
using engine::Side;

struct LevelChange {
  struct Size {
    engine::Quantity quantity;
    uint64_t orders = 0;

    friend bool operator==(const Size&, const Size&) = default;
  };
  engine::Side side = {};
  engine::Price price;
  Size before;  // Zero: the level did not exist.
  Size after;
};

enum class HowItLeft : uint8_t { kFilled, kCancelled, kReplaced };

struct MarketChange {
  std::vector<LevelChange> levels;  // Highest price first.
  std::vector<engine::RestingOrder> entered;
  struct Left {
    engine::RestingOrder order;  // As of @a.
    HowItLeft how = {};
  };
  std::vector<Left> left;
  struct Amended {
    engine::RestingOrder before;
    engine::RestingOrder after;
  };
  std::vector<Amended> amended;  // Orders whose remaining quantity, price or priority differs.
  uint64_t came_and_went = 0;
  uint64_t trades = 0;
  engine::Quantity volume;

  bool is_empty() const {
    return levels.empty() && entered.empty() && left.empty() && amended.empty() &&
           came_and_went == 0 && trades == 0;
  }
};

struct AccountChange {
  AccountMoney before;
  AccountMoney after;
};

struct InspectDiff {
  engine::SequenceNumber from;
  engine::SequenceNumber to;
  uint64_t rejected = 0;
  std::map<engine::MarketId, MarketChange> markets;     // Only those that changed.
  std::map<engine::AccountId, AccountChange> accounts;  // Only those that changed.
};

// ---- The comparison

using Orders = std::map<OrderId, RestingOrder>;

Orders OrdersOf(const replay::Machine& machine) {
  const replay::ExchangeState& exchange = replay::ExchangeOf(machine);
  std::vector<std::pair<OrderId, RestingOrder>> found;
  for (const auto& [id, definition] : exchange.markets().all()) {
    for (const Side side : {Side::kBid, Side::kAsk}) {
      exchange.VisitOrders(id, side,
                           [&](const RestingOrder& order) { found.emplace_back(order.id, order); });
    }
  }
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return {found.begin(), found.end()};
}

// Collects the events between the two moments.
class Between {
 public:
  explicit Between(const Orders& before) : before_(before) {}

  void Add(std::span<const Event> events, InspectDiff& diff) {
    for (const Event& event : events) Add(event, diff);
  }

  HowItLeft HowLeft(OrderId order) const {
    const auto found = how_.find(order);
    return found == how_.end() ? HowItLeft::kFilled : found->second;
  }
  // New orders and their markets.
  const std::map<OrderId, MarketId>& made() const { return made_; }

 private:
  void Add(const Event& event, InspectDiff& diff) {
    switch (event.kind) {
      case EventKind::kAccepted:
        made_[event.order_id] = event.market;
        break;
      case EventKind::kReplaced:
        made_[event.order_id] = event.market;
        Left(event.counter_order_id, HowItLeft::kReplaced);
        break;
      case EventKind::kCancelled:
        Left(event.order_id, HowItLeft::kCancelled);
        break;
      case EventKind::kReduced:
        if (event.quantity_remaining.is_zero()) Left(event.order_id, HowItLeft::kCancelled);
        break;
      case EventKind::kTrade: {
        MarketChange& market = diff.markets[event.market];
        ++market.trades;
        market.volume += event.quantity;
        break;
      }
      case EventKind::kRejected:
        ++diff.rejected;
        break;
      default:
        break;
    }
  }
  // Filled orders are not recorded here: that is HowLeft()'s default.
  void Left(OrderId order, HowItLeft how) {
    if (before_.contains(order)) how_[order] = how;
  }

  const Orders& before_;
  std::map<OrderId, HowItLeft> how_;
  std::map<OrderId, MarketId> made_;
};

void CompareOrders(const Orders& before, const Orders& after, const Between& between,
                   InspectDiff& diff) {
  for (const auto& [id, order] : before) {
    const auto now = after.find(id);
    MarketChange& market = diff.markets[order.market];
    if (now == after.end()) {
      market.left.push_back({.order = order, .how = between.HowLeft(id)});
    } else if (now->second.quantity_remaining != order.quantity_remaining ||
               now->second.price != order.price || now->second.priority != order.priority) {
      market.amended.push_back({.before = order, .after = now->second});
    }
  }
  for (const auto& [id, order] : after) {
    if (!before.contains(id)) diff.markets[order.market].entered.push_back(order);
  }
  for (const auto& [id, market] : between.made()) {
    if (!after.contains(id)) ++diff.markets[market].came_and_went;
  }
}

void CompareLevels(const Orders& before, const Orders& after, InspectDiff& diff) {
  using Key = std::tuple<MarketId, Side, engine::Price>;
  std::map<Key, LevelChange> levels;
  const auto add = [&](const RestingOrder& order, LevelChange::Size LevelChange::*size) {
    LevelChange& level = levels[{order.market, order.side, order.price}];
    (level.*size).quantity += order.quantity_remaining;
    ++(level.*size).orders;
  };
  for (const auto& [id, order] : before) add(order, &LevelChange::before);
  for (const auto& [id, order] : after) add(order, &LevelChange::after);
  for (auto& [key, level] : levels) {
    if (level.before == level.after) continue;
    level.side = std::get<1>(key);
    level.price = std::get<2>(key);
    diff.markets[std::get<0>(key)].levels.push_back(level);
  }
  for (auto& [id, market] : diff.markets) {
    std::sort(market.levels.begin(), market.levels.end(),
              [](const LevelChange& a, const LevelChange& b) {
                return std::tuple(b.side, b.price) < std::tuple(a.side, a.price);
              });
  }
}

void CompareAccounts(const std::map<engine::AccountId, AccountMoney>& before,
                     const std::map<engine::AccountId, AccountMoney>& after, InspectDiff& diff) {
  for (const auto& [account, money] : after) {
    const auto found = before.find(account);
    const AccountMoney was = found == before.end() ? AccountMoney() : found->second;
    if (was != money) diff.accounts[account] = {.before = was, .after = money};
  }
}

absl::StatusOr<InspectDiff> Compare(replay::StartingPoint& start, journal::Reader& reader,
                                    SequenceNumber from, SequenceNumber to, Progress& progress) {
  replay::Machine& machine = *start.machine;
  replay::Driver driver(machine, {.check_state = false});
  if (start.snapshot.has_value()) {
    driver.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
  }
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  const auto pass = [&](const journal::Record& record, std::span<const replay::Output>) {
    progress.Update(record.sequence().value());
    return true;
  };
  RETURN_IF_ERROR(driver.Run(reader, from, pass));
  const Orders before = OrdersOf(machine);
  const auto money_before = MoneyOfAll(machine);

  InspectDiff diff{.from = from, .to = to, .rejected = 0, .markets = {}, .accounts = {}};
  Between between(before);
  RETURN_IF_ERROR(driver.Run(reader, to, [&](const journal::Record& record, const auto outputs) {
    progress.Update(record.sequence().value());
    between.Add(replay::AsEvents(outputs), diff);
    return true;
  }));
  const Orders after = OrdersOf(machine);
  CompareOrders(before, after, between, diff);
  CompareLevels(before, after, diff);
  CompareAccounts(money_before, MoneyOfAll(machine), diff);
  std::erase_if(diff.markets, [](const auto& entry) { return entry.second.is_empty(); });
  return diff;
}

// ---- The report

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

// Adds at most `limit` lines, then the number of the others, and the array `name`: `text` is the
// line of an element, `write` adds its fields.
template <typename Items, typename Text, typename Write>
void AddList(Report& report, const char* name, const Items& items, size_t limit, Text text,
             Write write) {
  if (!items.empty()) report.Line("   ", Styled(Style::kDim, name));
  for (size_t i = 0; i < std::min(items.size(), limit); ++i) report.Line("      ", text(items[i]));
  if (items.size() > limit) {
    report.Line("      and ", WithCommas(items.size() - limit), " more");
  }
  report.Objects(name, items, write);
}

void WriteOrder(JsonObject& json, const RestingOrder& order, const MarketDefinition* market) {
  json.Field("order", order.id);
  json.Field("account", order.account);
  json.Field("side", engine::NameOf(order.side));
  WritePrice(json, "price", order.price, market);
  WriteQuantity(json, "remaining", order.quantity_remaining, market);
}

void AddMarket(Report& report, MarketId id, const MarketChange& change,
               const MarketDefinition* market, size_t limit) {
  report.Line();
  report.Line(Styled(Style::kBold, MarketText(id, market)), "  ", Counted(change.trades, "trade"),
              change.trades == 0 ? "" : absl::StrCat(" of ", QuantityText(change.volume, market)),
              ", ", WithCommas(change.entered.size()), " entered, ", WithCommas(change.left.size()),
              " left, ", WithCommas(change.amended.size()), " changed, ",
              WithCommas(change.came_and_went), " came and went");
  if (market != nullptr) report.Field("market", market->symbol);
  report.Field("market_id", id);
  report.Field("trades", change.trades);
  WriteQuantity(report, "volume", change.volume, market);
  report.Field("came_and_went", change.came_and_went);
  AddList(
      report, "levels", change.levels, limit,
      [&](const LevelChange& level) { return LevelText(level, market); },
      [&](const LevelChange& level) {
        report.Field("side", engine::NameOf(level.side));
        WritePrice(report, "price", level.price, market);
        WriteQuantity(report, "quantity_before", level.before.quantity, market);
        WriteQuantity(report, "quantity_after", level.after.quantity, market);
        report.Field("orders_before", level.before.orders);
        report.Field("orders_after", level.after.orders);
      });
  AddList(
      report, "entered", change.entered, limit,
      [&](const RestingOrder& order) { return OrderText(order, market); },
      [&](const RestingOrder& order) { WriteOrder(report, order, market); });
  AddList(
      report, "left", change.left, limit,
      [&](const MarketChange::Left& left) {
        return absl::StrCat(OrderText(left.order, market), "  ", NameOf(left.how));
      },
      [&](const MarketChange::Left& left) {
        WriteOrder(report, left.order, market);
        report.Field("how", NameOf(left.how));
      });
  AddList(
      report, "changed", change.amended, limit,
      [&](const MarketChange::Amended& amended) { return AmendedText(amended, market); },
      [&](const MarketChange::Amended& amended) {
        WriteOrder(report, amended.before, market);
        WritePrice(report, "price_after", amended.after.price, market);
        WriteQuantity(report, "remaining_after", amended.after.quantity_remaining, market);
        report.Field("lost_priority", amended.after.priority != amended.before.priority);
      });
}

void AddAccounts(Report& report, const InspectDiff& diff, const MarketDirectory& markets,
                 size_t limit) {
  report.Line();
  report.Line(Counted(diff.accounts.size(), "account"), " changed");
  size_t count = 0;
  report.Objects("accounts", diff.accounts, [&](const auto& entry) {
    const auto& [account, change] = entry;
    if (++count <= limit) {
      report.Line("   account ", account, "  ", AccountText(change, markets));
    }
    report.Field("account", account);
    report.BeginObject("before");
    WriteMoneyOf(report, change.before, markets);
    report.EndObject();
    report.BeginObject("after");
    WriteMoneyOf(report, change.after, markets);
    report.EndObject();
  });
  if (count > limit) report.Line("   and ", WithCommas(count - limit), " more");
}

Report MakeReport(const InspectDiff& diff, const MarketDirectory& markets,
                  const InspectDiffTopic& topic, std::optional<MarketId> only) {
  Report report("ticktape.inspect-diff/1");
  report.Line(Styled(Style::kBold, topic.path), ", from after @", diff.from, " to after @", diff.to,
              ": ", Counted(diff.to - diff.from, "command"), ", ", WithCommas(diff.rejected),
              " rejected");
  report.Field("path", topic.path);
  report.Field("from", diff.from);
  report.Field("to", diff.to);
  report.Field("rejected", diff.rejected);
  bool is_any = false;
  report.BeginArray("markets");
  for (const auto& [id, change] : diff.markets) {
    if (only.has_value() && *only != id) continue;
    is_any = true;
    report.BeginElement();
    AddMarket(report, id, change, markets.Find(id), topic.lines);
    report.EndElement();
  }
  report.EndArray();
  if (!only.has_value() && !diff.accounts.empty()) {
    is_any = true;
    AddAccounts(report, diff, markets, topic.lines);
  } else {
    report.Texts("accounts", std::vector<std::string>());
  }
  if (!is_any) report.Line("no book and no account is another");
  return report;
}

}  // namespace

absl::StatusOr<Report> DiffMoments(replay::StartingPoint& start, journal::Reader& reader,
                                   const InspectDiffTopic& topic, Progress& progress) {
  ASSIGN_OR_RETURN(const InspectDiff diff, Compare(start, reader, topic.from, topic.to, progress));
  const MarketDirectory& markets = replay::ExchangeOf(*start.machine).markets();
  std::optional<MarketId> only;
  if (!topic.market.empty()) {
    ASSIGN_OR_RETURN(const MarketDefinition* market, FindMarket(topic.market, markets));
    only = market->id;
  }
  return MakeReport(diff, markets, topic, only);
}

}  // namespace tools
