#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/state/resting_order.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "engine/views/order_history.h"
#include "engine/views/queue_place.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/compare/moments.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/market_follower.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/replay/inspect.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {
namespace {

using engine::AccountId;
using engine::Command;
using engine::DepthView;
using engine::Event;
using engine::MarketDefinition;
using engine::MarketDirectory;
using engine::OrderHistory;
using engine::QueuePlace;
using engine::RestingOrder;
using engine::SequenceNumber;
using engine::Side;

// The exchange after one record.
struct Inspection {
  replay::MarketFollower markets;
  DepthView depth;
  std::optional<OrderHistory> history;  // Of the requested order.
  std::optional<OrderHistory> life;     // The same up to the order's end, if requested.
  std::optional<AccountId> account;     // If requested; then also:
  replay::AccountMoney money;
  std::vector<RestingOrder> orders;  // By market, bids first, in priority order.

  Command command;  // The last command applied.
  std::vector<std::byte> attachment;
  std::vector<Event> events;  // Of `command`.

  engine::MarketId busiest;  // See MarketWithMostOrders().
};

// If the first records were deleted, orders created by them cannot be shown.
absl::Status CheckIsWhole(const OpenedJournal& opened, engine::OrderId order) {
  ASSIGN_OR_RETURN(const SequenceNumber oldest,
                   OldestStart(*opened.directory, opened.reader->info()));
  if (order.value() > oldest.value() || oldest == SequenceNumber()) return absl::OkStatus();
  return absl::OutOfRangeError(
      absl::StrCat("--order ", order.value(), ": this journal's records begin after @",
                   oldest.value(), ", and the order with command @", order.value()));
}

// Continues until the order has ended. Markets defined meanwhile do not matter to it.
absl::Status FollowToTheEnd(replay::Driver& driver, journal::Reader& reader, Progress& progress,
                            OrderHistory& life) {
  const auto may_go_on = [&](SequenceNumber at) {
    return life.status() == OrderHistory::Status::kLive || at.value() < life.order().value();
  };
  if (!may_go_on(driver.last_applied())) return absl::OkStatus();
  constexpr SequenceNumber kEnd(std::numeric_limits<uint64_t>::max());
  return driver.Run(reader, kEnd, [&](const journal::Record& record, const auto outputs) {
    life.OnEvents(replay::ToCommand(*record.row), replay::AsEvents(outputs));
    progress.Update(record.sequence().value());
    return may_go_on(record.sequence());
  });
}

absl::Status Inspect(const InspectRequest& request, const OpenedJournal& opened, Console& console,
                     Inspection& inspection) {
  journal::Reader& reader = *opened.reader;
  ASSIGN_OR_RETURN(const SequenceNumber last,
                   ResolvePosition(request.position.value_or("@-1"), reader));
  if (request.account.has_value()) {
    inspection.account = AccountId(static_cast<uint32_t>(*request.account));
    if (inspection.account->value() != *request.account) {
      return absl::InvalidArgumentError(absl::StrCat(
          "--account ", *request.account, " is not an account's number; expected e.g. 17"));
    }
  }
  SequenceNumber before = Before(last);
  if (request.order.has_value()) {
    ASSIGN_OR_RETURN(const engine::OrderId order, ParseOrderNumber(*request.order));
    RETURN_IF_ERROR(CheckIsWhole(opened, order));
    inspection.history.emplace(order);
    // The order's whole history is shown, so the replay starts before its command.
    before = std::min(before, Before(SequenceNumber(order.value())));
  }
  Progress progress(console, "inspect", "records", last.value());
  ASSIGN_OR_RETURN(replay::StartingPoint start, StartFromSnapshot(*opened.directory, reader.info(),
                                                                  before, request.engine, console));
  replay::Machine& machine = *start.machine;
  inspection.markets.Know(machine);
  replay::Driver driver(machine, start.last_applied());
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(driver.Run(reader, last, [&](const journal::Record& record, const auto outputs) {
    const Command command = replay::ToCommand(*record.row);
    const std::span<const Event> events = replay::AsEvents(outputs);
    progress.Update(command.sequence.value());
    inspection.markets.Follow(record);
    if (inspection.history.has_value()) inspection.history->OnEvents(command, events);
    if (command.sequence == last) {
      inspection.command = command;
      inspection.attachment.assign(record.attachment.begin(), record.attachment.end());
      inspection.events.assign(events.begin(), events.end());
    }
    return true;
  }));
  replay::SeedDepth(machine, inspection.depth);
  inspection.busiest = MarketWithMostOrders(machine);
  if (inspection.account.has_value()) {
    inspection.money = replay::MoneyOf(machine, *inspection.account);
    replay::ExchangeOf(machine).VisitAllOrders([&](const RestingOrder& order) {
      if (order.account == *inspection.account) inspection.orders.push_back(order);
    });
  }
  if (!request.whole_life || !inspection.history.has_value()) return absl::OkStatus();
  inspection.life.emplace(*inspection.history);
  return FollowToTheEnd(driver, reader, progress, *inspection.life);
}

// ---- What is shown of it

absl::StatusOr<const MarketDefinition*> ChooseMarket(const InspectRequest& request,
                                                     const Inspection& inspection) {
  const MarketDirectory& markets = inspection.markets.markets();
  if (!request.market.empty()) return FindMarket("--market", request.market, markets);
  if (inspection.history.has_value() && !inspection.history->entries().empty()) {
    const auto* market = markets.Find(inspection.history->entries().front().event.market);
    if (market != nullptr) return market;
  }
  if (request.position.has_value()) {
    const auto* market = markets.Find(inspection.command.market);
    if (market != nullptr) return market;
  }
  return markets.Find(inspection.busiest);
}

// An order of which nothing is known is no question about a book. Errors: OUT_OF_RANGE.
absl::Status CheckOrderIsKnown(const Inspection& inspection) {
  const auto knows = [](const std::optional<OrderHistory>& history) {
    return history.has_value() && !history->entries().empty();
  };
  if (!inspection.history.has_value() || knows(inspection.history) || knows(inspection.life)) {
    return absl::OkStatus();
  }
  return absl::OutOfRangeError(absl::StrCat(
      "--order ", inspection.history->order().value(), ": no order has that number up to @",
      inspection.command.sequence.value(), "; an order's number is that of its command"));
}

// A price level whose queue is shown.
struct QueueChoice {
  Side side;
  engine::Price price;
};

// "bid@320.14". Errors: INVALID_ARGUMENT that shows what is expected. `market` may be null.
absl::StatusOr<QueueChoice> ParseQueue(const std::string& queue, const MarketDefinition* market) {
  const std::pair<absl::string_view, absl::string_view> words =
      absl::StrSplit(queue, absl::MaxSplits('@', 1));
  if (words.first != "bid" && words.first != "ask") {
    return absl::InvalidArgumentError(
        absl::StrCat("--queue '", queue, "': expected a side and a price, e.g. bid@320.14"));
  }
  if (market == nullptr) {
    return absl::InvalidArgumentError("--queue: no market is defined up to there");
  }
  const auto price = engine::ParsePrice(words.second, market->price_decimals);
  if (!price.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--queue '", queue, "': ", price.status().message(), "; expected e.g. bid@320.14"));
  }
  return QueueChoice{.side = words.first == "bid" ? Side::kBid : Side::kAsk, .price = *price};
}

// ---- The report

// Adds the events as lines, and as the array `name`.
void AddHistory(Report& report, const char* name, std::span<const OrderHistory::Entry> entries,
                const char* prefix, const MarketDirectory& markets) {
  const engine::MessageText text(markets);
  report.Objects(name, entries, [&](const OrderHistory::Entry& entry) {
    report.Line("   ", Styled(Style::kDim, entry.time.ToString()), prefix,
                text.Format(entry.event));
    WriteEvent(report, entry.event, entry.time, markets);
  });
}

void AddOrder(Report& report, const Inspection& inspection) {
  const OrderHistory& history = *inspection.history;
  const MarketDirectory& markets = inspection.markets.markets();
  const auto market_of = [&](const OrderHistory& of) {
    return of.entries().empty() ? nullptr : markets.Find(of.entries().front().event.market);
  };
  // An order that is created later has no history yet.
  const MarketDefinition* market =
      market_of(inspection.life.has_value() ? *inspection.life : history);
  const std::optional<QueuePlace::Standing> standing =
      QueuePlace(inspection.depth, history.order()).standing();
  report.Line(Styled(Style::kBold, absl::StrCat("order ", history.order().value())), "  ",
              LifeText(history, standing, market, "there"));
  const MarketDefinition* market_so_far = market_of(history);
  report.BeginObject("order");
  report.Field("order", history.order());
  report.Field("status", engine::NameOf(history.status()));
  WriteQuantity(report, "filled", history.quantity_filled(), market_so_far);
  WriteQuantity(report, "remaining", history.quantity_remaining(), market_so_far);
  if (history.replaced_by() != engine::OrderId()) {
    report.Field("replaced_by", history.replaced_by());
  }
  if (standing.has_value()) {
    report.Field("side", engine::NameOf(standing->side));
    WritePrice(report, "price", standing->price, market_so_far);
    report.Field("orders_ahead", standing->orders_ahead);
    WriteQuantity(report, "quantity_ahead", standing->quantity_ahead, market_so_far);
  }
  AddHistory(report, "history", history.entries(), "  ", markets);
  if (inspection.life.has_value()) {
    report.Field("final_status", engine::NameOf(inspection.life->status()));
    const size_t shown = history.entries().size();
    AddHistory(report, "later", inspection.life->entries().subspan(shown), "  later ", markets);
    report.Line("   in the end ", LifeText(*inspection.life, std::nullopt, market, "the end"));
  }
  report.EndObject();
  report.Line();
}

// Adds the account's money, positions and orders.
void AddAccount(Report& report, const Inspection& inspection) {
  const MarketDirectory& markets = inspection.markets.markets();
  const replay::AccountMoney& money = inspection.money;
  report.Line(Styled(Style::kBold, absl::StrCat("account ", inspection.account->value())), "  ",
              money.is_open ? absl::StrCat("balance ", money.balance.ToString(), ", ",
                                           money.reserved.ToString(), " of it reserved, ",
                                           money.available().ToString(), " available")
                            : "was not opened, so it has no money");
  for (const auto& [id, position] : money.positions) {
    const MarketDefinition* market = markets.Find(id);
    report.Line("   position  ", MarketText(id, market), " ", PositionText(position, market));
  }
  report.BeginObject("account");
  report.Field("account", *inspection.account);
  WriteMoney(report, money, markets);
  report.Objects("orders", inspection.orders, [&](const RestingOrder& order) {
    const MarketDefinition* market = markets.Find(order.market);
    report.Line("   order ", order.id, "  ", MarketText(order.market, market), " ",
                engine::NameOf(order.side), " ", PriceText(order.price, market), "  ",
                QuantityText(order.quantity_remaining, market));
    report.Field("order", order.id);
    if (market != nullptr) report.Field("market", market->symbol);
    report.Field("market_id", order.market);
    report.Field("side", engine::NameOf(order.side));
    WritePrice(report, "price", order.price, market);
    WriteQuantity(report, "remaining", order.quantity_remaining, market);
  });
  report.EndObject();
  if (inspection.orders.empty()) report.Line("   no order of it rests");
  report.Line();
}

void WriteSide(Report& report, const DepthView& depth, const MarketDefinition& market, Side side,
               size_t limit) {
  const std::string name = engine::NameOf(side);
  size_t level_count = 0;
  report.BeginArray(absl::StrCat(name, "s"));
  depth.VisitLevels(market.id, side, [&](engine::Price price, const DepthView::Level& level) {
    if (++level_count > limit) return true;
    report.BeginElement();
    WritePrice(report, "price", price, &market);
    WriteQuantity(report, "quantity", level.quantity, &market);
    report.Field("orders", level.order_count());
    report.EndElement();
    return true;
  });
  report.EndArray();
  report.Field(absl::StrCat(name, "_level_count"), level_count);
}

void AddBook(Report& report, const Inspection& inspection, const MarketDefinition& market,
             size_t depth) {
  const auto order =
      inspection.history.has_value() ? inspection.history->order() : engine::OrderId();
  report.Lines(FormatBook(inspection.depth, market, {.depth = depth, .order = order}));
  WriteSide(report, inspection.depth, market, Side::kBid, depth);
  WriteSide(report, inspection.depth, market, Side::kAsk, depth);
}

void AddQueue(Report& report, const DepthView& depth, const MarketDefinition& market,
              const QueueChoice& choice) {
  report.Lines(FormatQueue(depth, market, choice.side, choice.price));
  report.BeginObject("queue");
  report.Field("side", engine::NameOf(choice.side));
  WritePrice(report, "price", choice.price, &market);
  const auto* level = depth.FindLevel(market.id, choice.side, choice.price);
  report.Objects("orders", level == nullptr ? engine::OrderQueue() : level->queue,
                 [&](const DepthView::Place& place) {
                   report.Field("order", place.order);
                   WriteQuantity(report, "remaining", place.quantity_remaining, &market);
                 });
  report.EndObject();
}

}  // namespace

absl::Status ShowPlace(const InspectRequest& request, const OpenedJournal& opened,
                       Console& console) {
  Inspection inspection;
  RETURN_IF_ERROR(Inspect(request, opened, console, inspection));
  RETURN_IF_ERROR(CheckOrderIsKnown(inspection));
  ASSIGN_OR_RETURN(const MarketDefinition* const market, ChooseMarket(request, inspection));
  std::optional<QueueChoice> queue;
  if (!request.queue.empty()) {
    ASSIGN_OR_RETURN(queue, ParseQueue(request.queue, market));
  }

  const Command& command = inspection.command;
  const MarketDirectory& markets = inspection.markets.markets();
  const engine::MessageText text(markets);
  Report report("ticktape.inspect/1");
  report.Line(Styled(Style::kBold, request.path), ", after @", command.sequence);
  report.Line("   ", text.Format(command, inspection.attachment));
  report.Field("path", request.path);
  report.Field("sequence", command.sequence);
  report.Field("time", command.timestamp);
  report.BeginObject("command");
  WriteCommand(report, command, inspection.attachment, markets);
  report.EndObject();
  report.Objects("events", inspection.events, [&](const Event& event) {
    report.Line("   ", text.Format(event));
    WriteEvent(report, event, command.timestamp, markets);
  });
  report.Line();
  if (inspection.history.has_value()) AddOrder(report, inspection);
  if (inspection.account.has_value()) AddAccount(report, inspection);
  if (market == nullptr) {
    report.Line("no market is defined yet");
  } else {
    report.Field("market", market->symbol);
    report.Field("market_id", market->id);
    if (queue.has_value()) {
      AddQueue(report, inspection.depth, *market, *queue);
    } else {
      AddBook(report, inspection, *market, request.depth);
    }
  }
  report.PrintTo(console);
  return absl::OkStatus();
}

}  // namespace tools
