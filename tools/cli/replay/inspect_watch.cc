// Everything that happens to one entity: an order, a price level, an account, a market.
//
//   order:4711              its events, and its place in the queue whenever that changes
//   level:AAPL:bid:320.14   events that change which orders rest there, or how much
//   account:17              its orders, trades and money
//   market:AAPL             everything in it, and the best prices whenever they change
//
// A market may also be given by its number, as #7.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/decimal.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/views/depth_view.h"
#include "engine/views/queue_place.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/compare/moments.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/machine.h"
#include "replay/market_follower.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/base/report.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/find_market.h"
#include "tools/cli/read/message_forms.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/read/walk.h"
#include "tools/cli/replay/inspect.h"

namespace tools {
namespace {

using engine::Command;
using engine::Event;
using engine::EventKind;
using engine::MarketDefinition;
using engine::MarketDirectory;
using engine::Price;
using engine::SequenceNumber;
using engine::Side;

enum class Kind : uint8_t { kOrder, kLevel, kAccount, kMarket };

struct Topic {
  Kind kind = Kind::kOrder;
  engine::OrderId order;
  engine::AccountId account;
  std::string market;  // Of a level or a market: a symbol, or '#' and a number.
  Side side = {};
  std::string price;  // Of a level, as text: the decimals depend on its market.
};

template <typename Id>
bool ParseId(absl::string_view text, Id& id) {
  decltype(id.value()) value = 0;
  if (!engine::ParseInteger(text, value) || value == 0) return false;
  id = Id(value);
  return true;
}

// "AAPL:bid:320.14"; a symbol may contain colons.
bool ParseLevel(absl::string_view text, Topic& topic) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ':');
  if (words.size() < 3) return false;
  const absl::string_view side = words[words.size() - 2];
  topic.price = std::string(words.back());
  topic.market = std::string(text.substr(0, text.size() - side.size() - topic.price.size() - 2));
  topic.side = side == "bid" ? Side::kBid : Side::kAsk;
  return (side == "bid" || side == "ask") && !topic.market.empty() && !topic.price.empty();
}

absl::StatusOr<Topic> ParseTopic(const std::string& text) {
  Topic topic;
  absl::string_view rest = text;
  bool is_valid = false;
  if (absl::ConsumePrefix(&rest, "order:")) {
    topic.kind = Kind::kOrder;
    is_valid = ParseId(rest, topic.order);
  } else if (absl::ConsumePrefix(&rest, "level:")) {
    topic.kind = Kind::kLevel;
    is_valid = ParseLevel(rest, topic);
  } else if (absl::ConsumePrefix(&rest, "account:")) {
    topic.kind = Kind::kAccount;
    is_valid = ParseId(rest, topic.account);
  } else if (absl::ConsumePrefix(&rest, "market:")) {
    topic.kind = Kind::kMarket;
    topic.market = std::string(rest);
    is_valid = !rest.empty();
  }
  if (is_valid) return topic;
  return absl::InvalidArgumentError(
      absl::StrCat("--watch '", text,
                   "': expected order:4711, level:AAPL:bid:320.14, account:17 or market:AAPL"));
}

// Follows the topic through a log. Apply() must be called with every command, after `markets` has
// learned from it.
class Watcher {
 public:
  Watcher(const Topic& topic, const replay::Machine& machine, const MarketDirectory& markets)
      : topic_(topic), machine_(machine), markets_(markets) {}

  // Takes the initial state. Errors: INVALID_ARGUMENT for a price that its market cannot have.
  absl::Status Begin() {
    replay::SeedDepth(machine_, depth_);
    place_.emplace(depth_, topic_.order);
    RETURN_IF_ERROR(Learn());
    state_ = Look();
    return absl::OkStatus();
  }

  // Errors: as Begin().
  absl::Status Apply(const Command& command, std::span<const Event> events) {
    depth_.OnEvents(command, events);
    place_->OnEvents(events);
    events_.clear();
    state_changed_ = false;
    RETURN_IF_ERROR(Learn());
    bool may_have_changed = false;
    for (const Event& event : events) {
      if (Concerns(command, event)) events_.push_back(event);
      may_have_changed = may_have_changed || MayChange(event);
    }
    if (!may_have_changed && events_.empty()) return absl::OkStatus();
    is_known_ = is_known_ || !events_.empty();
    std::string now = Look();
    state_changed_ = now != state_;
    state_ = std::move(now);
    if (state_changed_ && events_.empty()) {
      // The events of other orders are the cause.
      std::copy_if(events.begin(), events.end(), std::back_inserter(events_), ChangesAnOrder);
    }
    // For a level, only events that changed it are shown.
    if (topic_.kind == Kind::kLevel && !state_changed_) events_.clear();
    return absl::OkStatus();
  }

  // Whether the last command affected the entity.
  bool is_affected() const { return !events_.empty(); }

  // Whether the entity has ever existed.
  bool is_known() const { return is_known_; }

  // Only an order can end.
  bool has_ended(SequenceNumber at) const {
    return topic_.kind == Kind::kOrder && !standing_.has_value() &&
           at.value() >= topic_.order.value();
  }

  // Describes the last command's effect on the entity.
  Report MakeReport(const std::string& watched, const journal::Record& record) const {
    const engine::MessageText text(markets_);
    Report report("ticktape.inspect-watch/1");
    report.Field("watched", watched);
    report.Field("sequence", record.sequence());
    report.Field("time", record.timestamp());
    report.Objects("events", events_, [&](const Event& event) {
      report.Line(Styled(Style::kDim, record.timestamp().ToString()), "  ", text.Format(event));
      WriteEvent(report, event, record.timestamp(), markets_);
    });
    report.BeginObject("state");
    report.Field("changed", state_changed_);
    WriteState(report);
    report.EndObject();
    if (state_changed_) report.Line("     ", state_);
    return report;
  }

 private:
  static bool ChangesAnOrder(const Event& event) {
    return engine::InfoOf(event.kind).changes_an_order;
  }

  // Resolves market and price once the market is defined.
  absl::Status Learn() {
    if (market_ != nullptr || topic_.market.empty()) return absl::OkStatus();
    const auto id = markets_.ParseMarket(topic_.market);
    if (id.has_value()) market_ = markets_.Find(*id);
    is_known_ = market_ != nullptr;
    if (market_ == nullptr || topic_.kind != Kind::kLevel) return absl::OkStatus();
    const auto price = engine::ParsePrice(topic_.price, market_->price_decimals);
    if (!price.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--watch: the price '", topic_.price, "': ", price.status().message()));
    }
    price_ = *price;
    return absl::OkStatus();
  }

  bool Concerns(const Command& command, const Event& event) const {
    switch (topic_.kind) {
      case Kind::kOrder:
        if (event.kind == EventKind::kRejected) {
          return event.order_id == topic_.order || OrderIdOf(event.sequence) == topic_.order;
        }
        return ChangesAnOrder(event) &&
               (event.order_id == topic_.order || event.counter_order_id == topic_.order);
      case Kind::kLevel:
        return market_ != nullptr && ChangesAnOrder(event) && event.market == market_->id &&
               event.side == topic_.side && event.price == price_;
      case Kind::kAccount:
        return event.account == topic_.account ||
               (command.account == topic_.account &&
                (event.kind == EventKind::kTrade || event.kind == EventKind::kRejected));
      case Kind::kMarket:
        return market_ != nullptr && event.market == market_->id;
    }
    return false;
  }

  // Whether an event that does not concern the entity may change its state. The settlements and
  // fills of an account name it.
  bool MayChange(const Event& event) const {
    if (topic_.kind == Kind::kOrder) {
      return standing_.has_value() && ChangesAnOrder(event) && event.market == standing_->market &&
             event.side == standing_->side;
    }
    return topic_.kind == Kind::kLevel && market_ != nullptr && ChangesAnOrder(event) &&
           event.market == market_->id;
  }

  const engine::DepthView::Level* FindLevel() const {
    return market_ == nullptr ? nullptr : depth_.FindLevel(market_->id, topic_.side, price_);
  }

  std::optional<Price> Best(Side side) const {
    return market_ == nullptr ? std::nullopt : depth_.BestPrice(market_->id, side);
  }

  // Returns the state of the entity in words: other words for each other state.
  std::string Look() {
    switch (topic_.kind) {
      case Kind::kOrder: {
        standing_ = place_->standing();
        if (!standing_.has_value()) return "no longer in the book";
        is_known_ = true;
        const MarketDefinition* market = markets_.Find(standing_->market);
        return absl::StrCat(engine::NameOf(standing_->side), " ",
                            PriceText(standing_->price, market), ", ",
                            QuantityText(standing_->quantity_remaining, market), " remaining, ",
                            PlaceText(*standing_, market));
      }
      case Kind::kLevel: {
        const auto* level = FindLevel();
        if (level == nullptr) return "no order rests there";
        return absl::StrCat(QuantityText(level->quantity, market_), " in ", level->order_count(),
                            level->order_count() == 1 ? " order" : " orders");
      }
      case Kind::kAccount: {
        const replay::AccountMoney money = replay::BalanceOf(machine_, topic_.account);
        if (!money.is_open) return "not opened";
        is_known_ = true;
        return absl::StrCat("balance ", money.balance.ToString(), ", ", money.reserved.ToString(),
                            " of it reserved");
      }
      case Kind::kMarket: {
        const auto text = [&](Side side) {
          const std::optional<Price> price = Best(side);
          return price.has_value() ? PriceText(*price, market_) : "none";
        };
        return absl::StrCat("best bid ", text(Side::kBid), ", best ask ", text(Side::kAsk));
      }
    }
    return "";
  }

  // The same as fields.
  void WriteState(JsonObject& json) const {
    switch (topic_.kind) {
      case Kind::kOrder: {
        json.Field("rests", standing_.has_value());
        if (!standing_.has_value()) break;
        const MarketDefinition* market = markets_.Find(standing_->market);
        json.Field("side", engine::NameOf(standing_->side));
        WritePrice(json, "price", standing_->price, market);
        WriteQuantity(json, "remaining", standing_->quantity_remaining, market);
        json.Field("orders_ahead", standing_->orders_ahead);
        WriteQuantity(json, "quantity_ahead", standing_->quantity_ahead, market);
        break;
      }
      case Kind::kLevel: {
        const auto* level = FindLevel();
        WriteQuantity(json, "quantity", level == nullptr ? engine::Quantity() : level->quantity,
                      market_);
        json.Field("orders", level == nullptr ? 0 : level->order_count());
        break;
      }
      case Kind::kAccount: {
        const replay::AccountMoney money = replay::BalanceOf(machine_, topic_.account);
        json.Field("is_open", money.is_open);
        if (!money.is_open) break;
        json.Field("balance", money.balance);
        json.Field("reserved", money.reserved);
        break;
      }
      case Kind::kMarket:
        if (const auto bid = Best(Side::kBid)) WritePrice(json, "best_bid", *bid, market_);
        if (const auto ask = Best(Side::kAsk)) WritePrice(json, "best_ask", *ask, market_);
        break;
    }
  }

  const Topic& topic_;
  const replay::Machine& machine_;
  const MarketDirectory& markets_;
  engine::DepthView depth_;
  const MarketDefinition* market_ = nullptr;  // Of a level or a market, once it is defined.
  Price price_;
  std::optional<engine::QueuePlace> place_;               // Of an order, from Begin() on.
  std::optional<engine::QueuePlace::Standing> standing_;  // Of an order, if it rests.
  std::string state_;
  bool is_known_ = false;
  bool state_changed_ = false;
  std::vector<Event> events_;  // Of the last command.
};

}  // namespace

absl::Status ShowWatched(const InspectRequest& request, const OpenedJournal& opened,
                         Console& console) {
  journal::Reader& reader = *opened.reader;
  ASSIGN_OR_RETURN(const Topic topic, ParseTopic(request.watch));
  ASSIGN_OR_RETURN(const SequenceRange range, ResolveRange(request.position.value_or(""), reader));
  if (range.empty()) return absl::OutOfRangeError("the journal is empty");
  SequenceNumber after = Before(range.first);
  if (topic.kind == Kind::kOrder) {
    const SequenceNumber last = reader.info().last_sequence;
    if (topic.order.value() > last.value()) {
      return absl::OutOfRangeError(
          absl::StrCat("--watch ", request.watch, ": the journal ends at @", last.value()));
    }
    // Nothing happens to an order before its own command.
    after = std::max(after, std::min(range.last, Before(SequenceNumber(topic.order.value()))));
  }
  Progress progress(console, "inspect", "records", range.last.value());
  ASSIGN_OR_RETURN(replay::StartingPoint start, StartFromSnapshot(*opened.directory, reader.info(),
                                                                  after, request.engine, console));
  replay::MarketFollower markets;
  RETURN_IF_ERROR(WalkEventsInParts(
      start, reader, after, markets,
      [&](const Command& command, auto) { progress.Update(command.sequence.value()); }));

  Watcher watcher(topic, *start.machine, markets.markets());
  RETURN_IF_ERROR(watcher.Begin());
  bool is_any = false;
  absl::Status status;
  const auto watch = [&](const journal::Record& record, const auto outputs) {
    progress.Update(record.sequence().value());
    markets.Follow(record);
    status = watcher.Apply(replay::ToCommand(*record.row), replay::AsEvents(outputs));
    if (status.ok() && watcher.is_affected()) {
      if (!std::exchange(is_any, true)) progress.Clear();
      watcher.MakeReport(request.watch, record).PrintTo(console);
    }
    return status.ok() && !watcher.has_ended(record.sequence());
  };
  replay::Driver driver(*start.machine, after);
  if (!watcher.has_ended(after)) RETURN_IF_ERROR(driver.Run(reader, range.last, watch));
  RETURN_IF_ERROR(status);
  if (is_any) return absl::OkStatus();
  const std::string where =
      absl::StrCat("from @", range.first.value(), " to @", range.last.value());
  if (!watcher.is_known()) {
    if (!topic.market.empty()) {
      RETURN_IF_ERROR(FindMarket("--watch", topic.market, markets.markets()).status());
    }
    return absl::OutOfRangeError(absl::StrCat("--watch ", request.watch, ": not found ", where));
  }
  console.Note(request.watch, ": nothing happens to it ", where);
  return absl::OkStatus();
}

}  // namespace tools
