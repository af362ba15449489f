#include "tools/cli/replay/inspect_watch.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "engine/types/decimal.h"
#include "engine/types/market_definition.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/snapshot/snapshot_file.h"
#include "tools/cli/read/market_follower.h"
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

absl::Status RefuseTopic(absl::string_view text) {
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

bool IsAboutOrders(EventKind kind) {
  return kind == EventKind::kAccepted || kind == EventKind::kTrade ||
         kind == EventKind::kCancelled || kind == EventKind::kReduced ||
         kind == EventKind::kReplaced || kind == EventKind::kAmended;
}

// Follows the topic through a log. Hear() must be called with every command.
class Watcher {
 public:
  Watcher(const WatchTopic& topic, const replay::Machine& machine)
      : topic_(topic), machine_(machine) {
    SeedDepth(machine, depth_);
  }

  // Errors: INVALID_ARGUMENT for a price that its market cannot have.
  absl::Status Hear(const Command& command, std::span<const Event> events,
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

  const std::vector<Event>& events() const { return events_; }
  bool state_changed() const { return state_changed_; }
  const WatchedState& state() const { return state_; }

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
    uint32_t id = 0;
    market_ =
        absl::StartsWith(topic_.market, "#") && engine::ParseInteger(topic_.market.substr(1), id)
            ? markets.Find(engine::MarketId(id))
            : markets.FindSymbol(topic_.market);
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
                : IsAboutOrders(event.kind) &&
                      (event.order_id == topic_.order || event.counter_order_id == topic_.order);
        was_there_ = was_there_ || is_its;
        return is_its;
      }
      case Kind::kLevel:
        return market_ != nullptr && IsAboutOrders(event.kind) && event.market == market_->id &&
               event.side == topic_.side && event.price == price_;
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
        return state_.standing.has_value() && IsAboutOrders(event.kind) &&
               event.market == state_.standing->market && event.side == state_.standing->side;
      case Kind::kLevel:
        return market_ != nullptr && IsAboutOrders(event.kind) && event.market == market_->id;
      case Kind::kAccount:  // Its settlements and fills name the account.
      case Kind::kMarket:
        return false;
    }
    return false;
  }

  // Adds the events of other orders, if they changed the state.
  void AddCauses(std::span<const Event> events) {
    for (const Event& event : events) {
      if (IsAboutOrders(event.kind)) events_.push_back(event);
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

absl::StatusOr<WatchTopic> ParseWatchTopic(absl::string_view text) {
  WatchTopic topic;
  absl::string_view rest = text;
  bool is_sound = false;
  if (absl::ConsumePrefix(&rest, "order:")) {
    topic.kind = Kind::kOrder;
    is_sound = ParseId(rest, topic.order);
  } else if (absl::ConsumePrefix(&rest, "level:")) {
    topic.kind = Kind::kLevel;
    is_sound = ParseLevel(rest, topic);
  } else if (absl::ConsumePrefix(&rest, "account:")) {
    topic.kind = Kind::kAccount;
    is_sound = ParseId(rest, topic.account);
  } else if (absl::ConsumePrefix(&rest, "market:")) {
    topic.kind = Kind::kMarket;
    topic.market = std::string(rest);
    is_sound = !rest.empty();
  }
  if (!is_sound) return RefuseTopic(text);
  return topic;
}

absl::StatusOr<bool> Watch(replay::StartingPoint& start, journal::Reader& reader,
                           const WatchTopic& topic, SequenceNumber after, SequenceNumber last,
                           Progress& progress, absl::FunctionRef<void(const WatchedMoment&)> show) {
  MarketFollower markets;
  markets.Know(*start.machine);
  replay::Driver driver(*start.machine, {.check_state = false});
  if (start.snapshot.has_value()) {
    driver.ResumeAt(replay::CheckpointOf(*start.snapshot), start.snapshot->event_count);
  }
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  RETURN_IF_ERROR(
      driver.Run(reader, after, [&](const journal::Record& record, std::span<const Event>) {
        progress.Update(record.sequence().value());
        markets.Follow(record);
        return true;
      }));

  Watcher watcher(topic, *start.machine);
  RETURN_IF_ERROR(watcher.Begin(markets.markets()));
  if (watcher.has_ended(after)) return watcher.is_known();
  absl::Status heard;
  RETURN_IF_ERROR(
      driver.Run(reader, last, [&](const journal::Record& record, std::span<const Event> events) {
        progress.Update(record.sequence().value());
        markets.Follow(record);
        const Command command = replay::ToCommand(*record.row);
        heard = watcher.Hear(command, events, markets.markets());
        if (!heard.ok()) return false;
        if (!watcher.events().empty()) {
          show({.command = command,
                .events = watcher.events(),
                .state_changed = watcher.state_changed(),
                .state = watcher.state(),
                .markets = markets.markets()});
        }
        return !watcher.has_ended(record.sequence());
      }));
  RETURN_IF_ERROR(heard);
  return watcher.is_known();
}

}  // namespace tools
