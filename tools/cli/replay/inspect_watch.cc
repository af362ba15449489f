#include "tools/cli/replay/inspect_watch.h"

#include <algorithm>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "engine/core/ledger.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/fields.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/names.h"
#include "engine/messages/text.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/views/depth_view.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/machine.h"
#include "replay/snapshot/snapshot_file.h"
#include "tools/cli/read/book_printer.h"
#include "tools/cli/read/command_fields.h"
#include "tools/cli/read/market_follower.h"
#include "tools/cli/read/message_json.h"
#include "tools/cli/replay/inspect_accounts.h"
#include "tools/cli/replay/inspection.h"

namespace tools {
namespace {

using engine::Command;
using engine::Event;
using engine::EventKind;
using engine::MarketDefinition;
using engine::Price;
using engine::SequenceNumber;
using engine::Side;
using Kind = WatchTopic::Kind;
using Standing = engine::DepthView::Standing;

// The state of the watched entity. Fields of other kinds of topics are empty.
struct WatchedState {
  std::optional<engine::DepthView::Standing> standing = {};  // Of a resting order.
  engine::Quantity quantity = {};                            // Of a level.
  uint64_t orders = 0;
  std::optional<engine::AccountState> money = {};             // Of an open account.
  std::optional<engine::Price> best_bid = {}, best_ask = {};  // Of a market.

  friend bool operator==(const WatchedState& a, const WatchedState& b);
};

bool operator==(const WatchedState& a, const WatchedState& b) {
  const auto standing = [](const WatchedState& state) {
    const auto& at = state.standing.value_or(engine::DepthView::Standing());
    return std::tuple(state.standing.has_value(), at.price, at.quantity_remaining, at.orders_ahead,
                      at.quantity_ahead);
  };
  const auto money = [](const WatchedState& state) {
    const engine::AccountState of = state.money.value_or(engine::AccountState());
    return std::tuple(state.money.has_value(), of.balance, of.reserved);
  };
  return standing(a) == standing(b) && money(a) == money(b) && a.quantity == b.quantity &&
         a.orders == b.orders && a.best_bid == b.best_bid && a.best_ask == b.best_ask;
}

absl::Status InvalidTopic(absl::string_view text) {
  return absl::InvalidArgumentError(
      absl::StrCat("--watch '", text,
                   "': expected order:4711, level:AAPL:bid:320.14, account:17 or market:AAPL"));
}

template <typename Id>
bool ParseId(absl::string_view text, Id& id) {
  decltype(id.value()) value = 0;
  if (!engine::ParseInteger(text, value) || value == 0) return false;
  id = Id(value);
  return true;
}

// "AAPL:bid:320.14"; a symbol may contain colons.
bool ParseLevel(absl::string_view text, WatchTopic& topic) {
  const size_t before_price = text.rfind(':');
  if (before_price == absl::string_view::npos || before_price == 0) return false;
  const size_t before_side = text.rfind(':', before_price - 1);
  if (before_side == absl::string_view::npos || before_side == 0) return false;
  const absl::string_view side = text.substr(before_side + 1, before_price - before_side - 1);
  topic.market = std::string(text.substr(0, before_side));
  topic.price = std::string(text.substr(before_price + 1));
  topic.side = side == "bid" ? Side::kBid : Side::kAsk;
  return (side == "bid" || side == "ask") && !topic.price.empty();
}

std::string StandingText(const std::optional<Standing>& standing, const MarketDefinition* market) {
  if (!standing.has_value()) return "no longer in the book";
  return absl::StrCat(engine::NameOf(standing->side), " ", PriceText(standing->price, market), ", ",
                      QuantityText(standing->quantity_remaining, market), " remaining, ",
                      PlaceText(*standing, market));
}

std::string BestText(const std::optional<engine::Price>& price, const MarketDefinition* market) {
  return price.has_value() ? PriceText(*price, market) : "none";
}

std::string StateText(Kind kind, const WatchedState& state, const MarketDefinition* market) {
  switch (kind) {
    case Kind::kOrder:
      return StandingText(state.standing, market);
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

void WriteState(JsonObject& json, Kind kind, const WatchedState& state,
                const MarketDefinition* market) {
  switch (kind) {
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

// Follows the topic through a log. Apply() must be called with every command.
class Watcher {
 public:
  Watcher(const WatchTopic& topic, const replay::Machine& machine)
      : topic_(topic), machine_(machine) {
    SeedDepth(machine, depth_);
  }

  // Errors: INVALID_ARGUMENT for a price that its market cannot have.
  absl::Status Apply(const Command& command, std::span<const Event> events,
                     const engine::MarketDirectory& markets) {
    depth_.OnEvents(command, events);
    events_.clear();
    state_changed_ = false;
    RETURN_IF_ERROR(Learn(markets));
    bool may_have_changed = false;
    for (const Event& event : events) {
      if (Concerns(command, event)) events_.push_back(event);
      may_have_changed = may_have_changed || MayChange(event);
    }
    if (!may_have_changed && events_.empty()) return absl::OkStatus();
    WatchedState now = StateNow();
    state_changed_ = now != state_;
    state_ = std::move(now);
    if (state_changed_ && events_.empty()) AddCauses(events);
    // For a level, only events that changed it are shown.
    if (topic_.kind == Kind::kLevel && !state_changed_) events_.clear();
    return absl::OkStatus();
  }

  // Takes the initial state.
  absl::Status Begin(const engine::MarketDirectory& markets) {
    RETURN_IF_ERROR(Learn(markets));
    state_ = StateNow();
    return absl::OkStatus();
  }

  // Whether the last command affected the entity.
  bool is_affected() const { return !events_.empty(); }

  // Describes the last command's effect on the entity.
  Report MakeReport(engine::Timestamp time, SequenceNumber sequence,
                    const engine::MarketDirectory& markets) const {
    const engine::MessageText text(markets);
    const MarketDefinition* market = markets.Find(
        state_.standing.has_value() ? state_.standing->market : events_.front().market);
    Report report("ticktape.inspect-watch/1");
    report.Field("watched", topic_.text);
    report.Field("sequence", sequence);
    report.Field("time", time);
    report.Objects("events", events_, [&](const Event& event) {
      report.Line(Styled(Style::kDim, time.ToString()), "  ", text.Format(event));
      WriteEvent(report, event, time, markets);
    });
    report.BeginObject("state");
    report.Field("changed", state_changed_);
    WriteState(report, topic_.kind, state_, market);
    report.EndObject();
    if (state_changed_) report.Line("     ", StateText(topic_.kind, state_, market));
    return report;
  }

  // Whether the entity has ever existed.
  bool is_known() const {
    return topic_.kind == Kind::kOrder     ? was_there_ || state_.standing.has_value()
           : topic_.kind == Kind::kAccount ? was_there_ || state_.money.has_value()
                                           : market_ != nullptr;
  }

  // Only an order can end.
  bool has_ended(SequenceNumber at) const {
    return topic_.kind == Kind::kOrder && !state_.standing.has_value() &&
           at.value() >= topic_.order.value();
  }

 private:
  // Resolves market and price once the market is defined.
  absl::Status Learn(const engine::MarketDirectory& markets) {
    if (market_ != nullptr || topic_.market.empty()) return absl::OkStatus();
    const auto id = markets.ParseMarket(topic_.market);
    if (id.has_value()) market_ = markets.Find(*id);
    if (market_ == nullptr || topic_.kind != Kind::kLevel) return absl::OkStatus();
    const auto price = engine::ParsePrice(topic_.price, market_->price_decimals);
    if (!price.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat("--watch: the price '", topic_.price, "': ", price.status().message()));
    }
    price_ = *price;
    return absl::OkStatus();
  }

  bool Concerns(const Command& command, const Event& event) {
    switch (topic_.kind) {
      case Kind::kOrder: {
        const bool is_its =
            event.kind == EventKind::kRejected
                ? event.order_id == topic_.order || OrderIdOf(event.sequence) == topic_.order
                : engine::InfoOf(event.kind).changes_an_order &&
                      (event.order_id == topic_.order || event.counter_order_id == topic_.order);
        was_there_ = was_there_ || is_its;
        return is_its;
      }
      case Kind::kLevel:
        return market_ != nullptr && engine::InfoOf(event.kind).changes_an_order &&
               event.market == market_->id && event.side == topic_.side && event.price == price_;
      case Kind::kAccount: {
        const bool is_its =
            event.account == topic_.account ||
            (command.account == topic_.account &&
             (event.kind == EventKind::kTrade || event.kind == EventKind::kRejected));
        was_there_ = was_there_ || is_its;
        return is_its;
      }
      case Kind::kMarket:
        return market_ != nullptr && event.market == market_->id;
    }
    return false;
  }

  // Whether an event that does not concern the entity may change its state.
  bool MayChange(const Event& event) const {
    switch (topic_.kind) {
      case Kind::kOrder:
        return state_.standing.has_value() && engine::InfoOf(event.kind).changes_an_order &&
               event.market == state_.standing->market && event.side == state_.standing->side;
      case Kind::kLevel:
        return market_ != nullptr && engine::InfoOf(event.kind).changes_an_order &&
               event.market == market_->id;
      case Kind::kAccount:  // Its settlements and fills name the account.
      case Kind::kMarket:
        return false;
    }
    return false;
  }

  // Adds the events of other orders, if they changed the state.
  void AddCauses(std::span<const Event> events) {
    for (const Event& event : events) {
      if (engine::InfoOf(event.kind).changes_an_order) events_.push_back(event);
    }
  }

  WatchedState StateNow() const {
    WatchedState state;
    switch (topic_.kind) {
      case Kind::kOrder:
        state.standing = depth_.FindOrder(topic_.order);
        break;
      case Kind::kLevel: {
        const auto* level =
            market_ == nullptr ? nullptr : depth_.FindLevel(market_->id, topic_.side, price_);
        if (level != nullptr) {
          state.quantity = level->quantity;
          state.orders = level->order_count();
        }
        break;
      }
      case Kind::kAccount: {
        const AccountMoney money = MoneyOf(machine_, topic_.account);
        if (money.is_open) state.money = money.state;
        break;
      }
      case Kind::kMarket:
        if (market_ != nullptr) {
          state.best_bid = depth_.BestPrice(market_->id, Side::kBid);
          state.best_ask = depth_.BestPrice(market_->id, Side::kAsk);
        }
        break;
    }
    return state;
  }

  const WatchTopic& topic_;
  const replay::Machine& machine_;
  engine::DepthView depth_;
  const MarketDefinition* market_ = nullptr;
  Price price_;
  WatchedState state_;
  bool was_there_ = false;
  bool state_changed_ = false;
  std::vector<Event> events_;
};

}  // namespace

absl::StatusOr<WatchTopic> ParseWatchTopic(absl::string_view text) {
  WatchTopic topic;
  topic.text = std::string(text);
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
  if (!is_valid) return InvalidTopic(text);
  return topic;
}

absl::StatusOr<bool> Watch(replay::StartingPoint& start, journal::Reader& reader,
                           const WatchTopic& topic, SequenceNumber after, SequenceNumber last,
                           Progress& progress, absl::FunctionRef<void(Report)> show) {
  MarketFollower markets;
  markets.Know(*start.machine);
  replay::Driver driver(*start.machine, {.check_state = false});
  if (start.snapshot.has_value()) {
    driver.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
  }
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(driver.Run(reader, after, [&](const journal::Record& record, auto) {
    progress.Update(record.sequence().value());
    markets.Follow(record);
    return true;
  }));

  Watcher watcher(topic, *start.machine);
  RETURN_IF_ERROR(watcher.Begin(markets.markets()));
  if (watcher.has_ended(after)) return watcher.is_known();
  absl::Status status;
  RETURN_IF_ERROR(driver.Run(reader, last, [&](const journal::Record& record, const auto outputs) {
    progress.Update(record.sequence().value());
    markets.Follow(record);
    status =
        watcher.Apply(replay::ToCommand(*record.row), replay::AsEvents(outputs), markets.markets());
    if (!status.ok()) return false;
    if (watcher.is_affected()) {
      show(watcher.MakeReport(record.timestamp(), record.sequence(), markets.markets()));
    }
    return !watcher.has_ended(record.sequence());
  }));
  RETURN_IF_ERROR(status);
  return watcher.is_known();
}

}  // namespace tools
