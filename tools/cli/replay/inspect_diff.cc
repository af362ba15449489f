#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/views/order_history.h"
#include "replay/compare/moments.h"
#include "replay/exchange_state.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/replay/inspect.h"

namespace tools {
namespace {

using engine::MarketDefinition;
using engine::MarketDirectory;
using engine::MarketId;
using engine::RestingOrder;
using engine::SequenceNumber;
using replay::AccountMoney;
using replay::Change;
using replay::LeftOrder;
using replay::LevelChange;
using replay::MarketChange;

// Writes the fields of the order, and returns its line.
std::string AddOrder(Report& report, const RestingOrder& order, const MarketDefinition* market) {
  report.Field("order", order.id);
  report.Field("account", order.account);
  report.Field("side", engine::NameOf(order.side));
  WritePrice(report, "price", order.price, market);
  WriteQuantity(report, "remaining", order.quantity_remaining, market);
  return absl::StrCat("order ", order.id.value(), "  ", engine::NameOf(order.side), " ",
                      PriceText(order.price, market), "  ",
                      QuantityText(order.quantity_remaining, market), "  account ",
                      order.account.value());
}

std::string AddAmended(Report& report, const Change<RestingOrder>& amended,
                       const MarketDefinition* market) {
  const auto& [before, after] = amended;
  std::string text = AddOrder(report, before, market);
  WritePrice(report, "price_after", after.price, market);
  WriteQuantity(report, "remaining_after", after.quantity_remaining, market);
  report.Field("lost_priority", after.priority != before.priority);
  if (after.price != before.price) {
    absl::StrAppend(&text, "  now at ", PriceText(after.price, market));
  }
  if (after.quantity_remaining != before.quantity_remaining) {
    absl::StrAppend(&text, "  now ", QuantityText(after.quantity_remaining, market));
  }
  if (after.priority != before.priority) text += "  after the others";
  return text;
}

std::string AddLevel(Report& report, const LevelChange& level, const MarketDefinition* market) {
  const auto& [side, price, size] = level;
  const auto& [before, after] = size;
  report.Field("side", engine::NameOf(side));
  WritePrice(report, "price", price, market);
  WriteQuantity(report, "quantity_before", before.quantity, market);
  WriteQuantity(report, "quantity_after", after.quantity, market);
  report.Field("orders_before", before.orders);
  report.Field("orders_after", after.orders);
  return absl::StrFormat("%s %s  %s -> %s  %s%s", engine::NameOf(side), PriceText(price, market),
                         QuantityText(before.quantity, market),
                         QuantityText(after.quantity, market),
                         before.orders == after.orders ? "" : absl::StrCat(before.orders, " -> "),
                         Counted(after.orders, "order"));
}

// Adds the array `name`: `add` writes the fields of an element and returns its line. Shows at most
// `limit` lines, then the number of the others.
template <typename Items, typename Add>
void AddList(Report& report, const char* name, const Items& items, size_t limit, Add add) {
  if (!items.empty()) report.Line("   ", Styled(Style::kDim, name));
  size_t count = 0;
  report.Objects(name, items, [&](const auto& item) {
    const std::string line = add(item);
    if (++count <= limit) report.Line("      ", line);
  });
  if (count > limit) report.Line("      and ", WithCommas(count - limit), " more");
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
  AddList(report, "levels", change.levels, limit,
          [&](const LevelChange& level) { return AddLevel(report, level, market); });
  AddList(report, "entered", change.entered, limit,
          [&](const RestingOrder& order) { return AddOrder(report, order, market); });
  AddList(report, "left", change.left, limit, [&](const LeftOrder& left) {
    const std::string text = AddOrder(report, left.order, market);
    report.Field("how", engine::NameOf(left.how));
    return absl::StrCat(text, "  ", engine::NameOf(left.how));
  });
  AddList(report, "changed", change.amended, limit,
          [&](const Change<RestingOrder>& amended) { return AddAmended(report, amended, market); });
}

std::string AccountText(const Change<AccountMoney>& change, const MarketDirectory& markets) {
  const auto& [before, after] = change;
  std::vector<std::string> changes;
  const auto add = [&](absl::string_view name, const std::string& was, const std::string& is) {
    if (was != is) changes.push_back(absl::StrCat(name, " ", was, " -> ", is));
  };
  if (!before.is_open && after.is_open) changes.push_back("opened");
  add("balance", before.balance.ToString(), after.balance.ToString());
  add("reserved", before.reserved.ToString(), after.reserved.ToString());
  std::map<MarketId, std::array<int64_t, 2>> positions;  // Before, after.
  for (const auto& [id, position] : before.positions) positions[id][0] = position;
  for (const auto& [id, position] : after.positions) positions[id][1] = position;
  for (const auto& [id, position] : positions) {
    const MarketDefinition* market = markets.Find(id);
    add(absl::StrCat("position ", MarketText(id, market)), PositionText(position[0], market),
        PositionText(position[1], market));
  }
  return absl::StrJoin(changes, ", ");
}

void AddAccounts(Report& report, const std::map<engine::AccountId, Change<AccountMoney>>& accounts,
                 const MarketDirectory& markets, size_t limit) {
  if (!accounts.empty()) {
    report.Line();
    report.Line(Counted(accounts.size(), "account"), " changed");
  }
  size_t count = 0;
  report.Objects("accounts", accounts, [&](const auto& entry) {
    const auto& [account, change] = entry;
    if (++count <= limit) {
      report.Line("   account ", account, "  ", AccountText(change, markets));
    }
    report.Field("account", account);
    report.BeginObject("before");
    WriteMoney(report, change.before, markets);
    report.EndObject();
    report.BeginObject("after");
    WriteMoney(report, change.after, markets);
    report.EndObject();
  });
  if (count > limit) report.Line("   and ", WithCommas(count - limit), " more");
}

}  // namespace

absl::Status ShowDiff(const InspectRequest& request, const OpenedJournal& opened,
                      Console& console) {
  ASSIGN_OR_RETURN(const SequenceNumber from, ResolvePosition(request.diff[0], *opened.reader));
  ASSIGN_OR_RETURN(const SequenceNumber to, ResolvePosition(request.diff[1], *opened.reader));
  if (to < from) {
    return absl::InvalidArgumentError(absl::StrCat("--diff runs backwards: from @", from.value(),
                                                   " to @", to.value(), "; exchange them"));
  }
  Progress progress(console, "inspect", "records", to.value());
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartFromSnapshot(*opened.directory, opened.reader->info(), from, request.engine, console));
  ASSIGN_OR_RETURN(replay::MomentsDiff diff,
                   replay::CompareMoments(start, *opened.reader, from, to,
                                          [&](SequenceNumber at) { progress.Update(at.value()); }));
  const MarketDirectory& markets = replay::ExchangeOf(*start.machine).markets();
  if (!request.market.empty()) {
    ASSIGN_OR_RETURN(const MarketDefinition* only, FindMarket("--market", request.market, markets));
    std::erase_if(diff.markets, [&](const auto& entry) { return entry.first != only->id; });
    diff.accounts.clear();
  }
  Report report("ticktape.inspect-diff/1");
  report.Line(Styled(Style::kBold, request.path), ", from after @", from, " to after @", to, ": ",
              Counted(to - from, "command"), ", ", WithCommas(diff.rejected), " rejected");
  report.Field("path", request.path);
  report.Field("from", from);
  report.Field("to", to);
  report.Field("rejected", diff.rejected);
  report.Objects("markets", diff.markets, [&](const auto& entry) {
    AddMarket(report, entry.first, entry.second, markets.Find(entry.first), request.depth);
  });
  AddAccounts(report, diff.accounts, markets, request.depth);
  if (diff.markets.empty() && diff.accounts.empty()) {
    report.Line("no book and no account is another");
  }
  progress.Clear();
  report.PrintTo(console);
  return absl::OkStatus();
}

}  // namespace tools
