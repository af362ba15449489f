#include "tools/cli/replay/inspection.h"

#include <limits>
#include <span>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "engine/messages/event.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/state/resting_order.h"
#include "engine/types/decimal.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "tools/cli/base/json.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/message_json.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/walk.h"

namespace tools {
namespace {

// Returns an error that lists some markets that exist.
absl::Status NoSuchMarket(absl::string_view name, const engine::MarketDirectory& markets) {
  constexpr size_t kShown = 8;
  std::vector<std::string> symbols;
  for (const auto& [id, market] : markets.all()) {
    if (symbols.size() == kShown) break;
    symbols.push_back(market.symbol);
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "no market '", name, "' is defined up to there; ",
      symbols.empty() ? "none is"
                      : absl::StrCat("there ", markets.all().size() == 1 ? "is " : "are ",
                                     absl::StrJoin(symbols, ", "),
                                     markets.all().size() > kShown ? ", ..." : "")));
}

}  // namespace

absl::StatusOr<const engine::MarketDefinition*> FindMarket(const std::string& words,
                                                           const engine::MarketDirectory& markets) {
  const auto id = markets.ParseMarket(words);
  const engine::MarketDefinition* market = id.has_value() ? markets.Find(*id) : nullptr;
  if (market == nullptr) return NoSuchMarket(words, markets);
  return market;
}

const engine::MarketDefinition* Inspection::BusiestMarket() const {
  const engine::MarketDefinition* busiest = nullptr;
  uint64_t most = 0;
  for (const auto& [id, count] : command_counts) {
    const engine::MarketDefinition* market = markets.markets().Find(id);
    if (market == nullptr || count <= most) continue;
    busiest = market;
    most = count;
  }
  return busiest;
}

void SeedDepth(const replay::Machine& machine, engine::DepthView& depth) {
  const replay::ExchangeState& exchange = replay::ExchangeOf(machine);
  for (const auto& [id, definition] : exchange.markets().all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      exchange.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        engine::Event event;
        event.kind = engine::EventKind::kAccepted;
        event.order_id = order.id;
        event.account = order.account;
        event.market = order.market;
        event.side = order.side;
        event.price = order.price;
        event.quantity = event.quantity_remaining = order.quantity_remaining;
        depth.OnEvents({}, {&event, 1});
      });
    }
  }
}

namespace {

void CountOrders(const replay::Machine& machine, Inspection& inspection) {
  const replay::ExchangeState& exchange = replay::ExchangeOf(machine);
  for (const auto& [id, definition] : exchange.markets().all()) {
    for (const engine::Side side : {engine::Side::kBid, engine::Side::kAsk}) {
      exchange.VisitOrders(id, side, [&](const engine::RestingOrder& order) {
        ++inspection.command_counts[order.market];
      });
    }
  }
}

constexpr engine::SequenceNumber kEnd(std::numeric_limits<uint64_t>::max());

// Continues from `last` with the machine until the order has ended. Markets defined meanwhile do
// not matter to it.
absl::Status FollowToTheEnd(replay::Machine& machine, journal::Reader& reader,
                            engine::SequenceNumber last, Progress& progress,
                            engine::OrderHistory& life) {
  const auto may_go_on = [&](engine::SequenceNumber at) {
    return life.status() == engine::OrderHistory::Status::kLive ||
           at.value() < life.order().value();
  };
  RETURN_IF_ERROR(reader.SeekToSequence(last.Next()));
  if (!may_go_on(last)) return absl::OkStatus();
  replay::Driver driver(machine, last);
  return driver.Run(reader, kEnd, [&](const journal::Record& record, const auto outputs) {
    life.OnEvents(replay::ToCommand(*record.row), replay::AsEvents(outputs));
    progress.Update(record.sequence().value());
    return may_go_on(record.sequence());
  });
}

}  // namespace

absl::StatusOr<std::unique_ptr<Inspection>> Inspect(replay::StartingPoint& start,
                                                    journal::Reader& reader,
                                                    const InspectRequest& request,
                                                    Progress& progress) {
  auto inspection = std::make_unique<Inspection>();
  if (request.order.has_value()) inspection->history.emplace(*request.order);
  SeedDepth(*start.machine, inspection->depth);
  CountOrders(*start.machine, *inspection);
  RETURN_IF_ERROR(
      WalkEventsFrom(start, reader, request.last, inspection->markets,
                     [&](const engine::Command& command, std::span<const engine::Event> events) {
                       progress.Update(command.sequence.value());
                       inspection->depth.OnEvents(command, events);
                       if (inspection->history.has_value())
                         inspection->history->OnEvents(command, events);
                       ++inspection->command_counts[command.market];
                       if (command.sequence != request.last) return;
                       inspection->command = command;
                       inspection->events.assign(events.begin(), events.end());
                     }));
  // The definition of a market is in the attachment, not in the row.
  RETURN_IF_ERROR(reader.SeekToSequence(request.last));
  ASSIGN_OR_RETURN(const std::optional<journal::Record> record, reader.Next());
  if (record.has_value()) {
    inspection->attachment.assign(record->attachment.begin(), record->attachment.end());
  }
  if (request.account.has_value()) {
    inspection->account = InspectAccount(*start.machine, *request.account);
  }
  if (request.whole_life && inspection->history.has_value()) {
    inspection->life.emplace(*inspection->history);
    RETURN_IF_ERROR(
        FollowToTheEnd(*start.machine, reader, request.last, progress, *inspection->life));
  }
  return inspection;
}

// ---- The report

namespace {

using engine::DepthView;
using engine::Event;
using engine::MarketDefinition;
using engine::OrderHistory;
using engine::Side;

// Adds the events as lines, and as the array `name`.
void AddHistory(Report& report, const char* name, std::span<const OrderHistory::Entry> entries,
                const char* prefix, const engine::MarketDirectory& markets) {
  const engine::MessageText text(markets);
  report.Objects(name, entries, [&](const OrderHistory::Entry& entry) {
    report.Line("   ", Styled(Style::kDim, entry.time.ToString()), prefix,
                text.Format(entry.event));
    WriteEvent(report, entry.event, entry.time, markets);
  });
}

void AddOrder(Report& report, const Inspection& inspection) {
  const OrderHistory& history = *inspection.history;
  const engine::MarketDirectory& markets = inspection.markets.markets();
  const auto market_of = [&](const OrderHistory& of) {
    return of.entries().empty() ? nullptr : markets.Find(of.entries().front().event.market);
  };
  // An order that is created later has no history yet.
  const MarketDefinition* market =
      market_of(inspection.life.has_value() ? *inspection.life : history);
  const std::optional<DepthView::Standing> standing = inspection.depth.FindOrder(history.order());
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

void WriteSide(Report& report, const Inspection& inspection, const InspectTopic& topic, Side side,
               absl::string_view name) {
  size_t level_count = 0;
  report.BeginArray(absl::StrCat(name, "s"));
  inspection.depth.VisitLevels(topic.market->id, side,
                               [&](engine::Price price, const DepthView::Level& level) {
                                 if (++level_count > topic.depth) return true;
                                 report.BeginElement();
                                 WritePrice(report, "price", price, topic.market);
                                 WriteQuantity(report, "quantity", level.quantity, topic.market);
                                 report.Field("orders", level.order_count());
                                 report.EndElement();
                                 return true;
                               });
  report.EndArray();
  report.Field(absl::StrCat(name, "_level_count"), level_count);
}

void AddQueue(Report& report, const Inspection& inspection, const InspectTopic& topic) {
  const auto& [side, price] = *topic.queue;
  report.Lines(FormatQueue(inspection.depth, *topic.market, side, price));
  report.BeginObject("queue");
  report.Field("side", engine::NameOf(side));
  WritePrice(report, "price", price, topic.market);
  report.BeginArray("orders");
  if (const auto* level = inspection.depth.FindLevel(topic.market->id, side, price)) {
    for (const DepthView::Place& place : level->queue) {
      report.BeginElement();
      report.Field("order", place.order);
      WriteQuantity(report, "remaining", place.quantity_remaining, topic.market);
      report.EndElement();
    }
  }
  report.EndArray();
  report.EndObject();
}

void AddMarket(Report& report, const Inspection& inspection, const InspectTopic& topic) {
  if (topic.market == nullptr) return report.Line("no market is defined yet");
  report.Field("market", topic.market->symbol);
  report.Field("market_id", topic.market->id);
  if (topic.queue.has_value()) return AddQueue(report, inspection, topic);
  const auto order =
      inspection.history.has_value() ? inspection.history->order() : engine::OrderId();
  report.Lines(FormatBook(inspection.depth, *topic.market, {.depth = topic.depth, .order = order}));
  WriteSide(report, inspection, topic, Side::kBid, "bid");
  WriteSide(report, inspection, topic, Side::kAsk, "ask");
}

}  // namespace

Report MakeReport(const Inspection& inspection, const InspectTopic& topic) {
  const engine::Command& command = inspection.command;
  const engine::MarketDirectory& markets = inspection.markets.markets();
  const engine::MessageText text(markets);
  Report report("ticktape.inspect/1");
  report.Line(Styled(Style::kBold, topic.path), ", after @", command.sequence);
  report.Line("   ", text.Format(command, inspection.attachment));
  report.Field("path", topic.path);
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
  if (inspection.account.has_value()) AddAccount(report, *inspection.account, markets);
  AddMarket(report, inspection, topic);
  return report;
}

}  // namespace tools
