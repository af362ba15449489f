// A strategy that wants anything, at a venue where anything happens: calls and replies are late, in
// another order, or lost; the connection breaks; lists are of an earlier moment. Whenever all is
// quiet, the strategy must believe what the venue has.
//
// Runs a sample of the seeds unless TICKTAPE_CAMPAIGN=all (engine/base/testing/campaign_size.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/testing/campaign_size.h"
#include "engine/base/timestamp.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_flags.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "engine/wire/kalshi/feed_frame.h"
#include "engine/wire/kalshi/numbers.h"
#include "engine/wire/kalshi/portfolio_objects.h"
#include "gtest/gtest.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/output.h"
#include "tools/client/call.h"
#include "tools/client/order_calls.h"
#include "tools/client/order_link.h"
#include "tools/client/testing/model_venue.h"
#include "tools/client/testing/order_transcript.h"
#include "tools/client/ticker_table.h"
#include "tools/strategy/action.h"
#include "tools/strategy/input.h"
#include "tools/strategy/orders.h"
#include "tools/strategy/strategy.h"
#include "tools/strategy/strategy_machine.h"

namespace client {
namespace {

using engine::MarketId;
using engine::Price;
using engine::Prng;
using engine::Quantity;
using engine::Side;
using engine::Timestamp;
using strategy::Action;
using strategy::ActionKind;
using strategy::ConnectionState;
using strategy::Input;
using strategy::InputKind;
using strategy::OrderNumber;

constexpr int64_t kMilli = 1'000'000;
constexpr absl::string_view kRun = "run";

// Wants something else all the time, until it is to be quiet.
class RandomStrategy final : public strategy::Strategy {
 public:
  explicit RandomStrategy(uint64_t seed) : prng_(seed) {}

  void BeQuiet() { is_quiet_ = true; }

 private:
  void OnConnection(ConnectionState state) override {
    if (state == ConnectionState::kLive) SetTimer(kTimer, now());
  }
  void OnTimer(strategy::TimerId /*timer*/) override {
    if (is_quiet_) return;
    const int64_t pause = prng_.Between(1, 400);
    SetTimer(kTimer, Timestamp::FromNanos(now().nanos() + pause * kMilli));
    const auto market = MarketId(static_cast<uint32_t>(1 + prng_.Below(2)));
    const Side side = prng_.Chance(50) ? Side::kBid : Side::kAsk;
    const Price price = Price::FromUnits(prng_.Between(1, 99) * 100);
    const Quantity quantity = Quantity::FromUnits(prng_.Chance(20) ? 0 : 1 + prng_.Below(2'000));
    const size_t level = prng_.Below(3);
    switch (prng_.Below(10)) {
      case 0:
        return PullQuotes(market);
      case 1:
        if (!quantity.is_zero()) {
          Send({.market = market,
                .side = side,
                .price = price,
                .quantity = quantity,
                .tif = prng_.Chance(50) ? engine::TimeInForce::kImmediateOrCancel
                                        : engine::TimeInForce::kFillOrKill});
        }
        return;
      case 2:
        for (const strategy::Order& order : orders().all()) {
          if (order.is_live()) return Cancel(order.number);
        }
        return;
      default: {
        engine::OrderFlags flags;
        if (prng_.Chance(30)) flags = flags.WithPostOnly();
        return Quote(market, side, price, quantity, level, flags);
      }
    }
  }

  static constexpr strategy::TimerId kTimer = strategy::TimerId(1);
  Prng prng_;
  bool is_quiet_ = false;
};

// What the strategy may hear of an order after what it has heard, and the sum of it.
class Listener {
 public:
  // Empty, or what is wrong.
  std::string OnAction(const Action& action) {
    State& state = states_[action.order];
    if (action.kind == ActionKind::kNewOrder) {
      state.is_live = true;
      state.remaining = action.quantity;
      return "";
    }
    if (state.is_live && state.has_request) return "a second request";
    state.has_request = true;
    return "";
  }

  std::string OnInput(const Input& input) {
    State& state = states_[input.order];
    switch (input.kind) {
      case InputKind::kOrderAccepted:
        if (!state.is_live) return "accepted after its end";
        if (std::exchange(state.is_accepted, true)) return "accepted twice";
        return "";
      case InputKind::kOrderFilled:
        fills_[input.order].emplace_back(input.price.units(), input.quantity.units(), input.amount);
        if (!state.is_live || state.is_late) ++late_fills_;
        if (!state.is_live) return "";
        if (input.quantity > state.remaining) return "filled more than remains";
        state.remaining -= input.quantity;
        if (state.remaining.is_zero()) return state.End();
        return "";
      case InputKind::kOrderAmended:
        if (!state.is_live) return "amended after its end";
        state.remaining = input.quantity;
        state.has_request = false;
        return input.quantity.is_zero() ? state.End() : "";
      case InputKind::kOrderFound:
        // The desk has forgotten it, and cancels it.
        state.is_late = state.is_late || !state.is_live;
        state.is_live = state.is_accepted = true;
        state.remaining = input.quantity;
        state.has_request = false;
        return "";
      case InputKind::kOrderRefused:
      case InputKind::kOrderCancelled:
        return state.End();
      case InputKind::kRequestRefused:
        if (!std::exchange(state.has_request, false)) return "refused, but nothing was requested";
        return "";
      default:
        return "";
    }
  }

  // When the connection is lost, requests are without an answer.
  void OnDown() {
    for (auto& [number, state] : states_) state.has_request = false;
  }

  // Empty, or how the orders of the desk differ.
  std::string Compare(const strategy::Orders& orders) const {
    for (const strategy::Order& order : orders.all()) {
      if (!order.is_live()) continue;
      const auto found = states_.find(order.number);
      if (found == states_.end() || !found->second.is_live) {
        return absl::StrCat("the desk has order ", order.number.value());
      }
      if (found->second.remaining != order.remaining) {
        return absl::StrCat("of order ", order.number.value(), " remains ",
                            found->second.remaining.units(), ", the desk has ",
                            order.remaining.units());
      }
    }
    for (const auto& [number, state] : states_) {
      if (state.is_live && !state.is_late && orders.Find(number) == nullptr) {
        return absl::StrCat("the desk does not have order ", number.value());
      }
    }
    return "";
  }

  bool HasOpenRequest() const {
    return std::ranges::any_of(
        states_, [](const auto& each) { return each.second.is_live && each.second.has_request; });
  }
  bool IsLive(OrderNumber number) const {
    const auto found = states_.find(number);
    return found != states_.end() && found->second.is_live;
  }
  using Fills = std::vector<std::tuple<int64_t, uint64_t, int64_t>>;
  const std::map<OrderNumber, Fills>& fills() const { return fills_; }
  size_t late_fills() const { return late_fills_; }

 private:
  struct State {
    bool is_live = false;
    bool is_accepted = false;
    bool has_request = false;
    bool is_late = false;
    Quantity remaining = {};

    std::string End() {
      if (!std::exchange(is_live, false)) return "ended twice";
      has_request = false;
      return "";
    }
  };

  std::map<OrderNumber, State> states_;
  std::map<OrderNumber, Fills> fills_;
  size_t late_fills_ = 0;
};

// A run: strategy, link, network, venue, in virtual time.
class World final : private LinkHost {
 public:
  explicit World(uint64_t seed)
      : prng_(seed),
        venue_(seed + 1),
        strategy_(new RandomStrategy(seed + 2)),
        machine_("random", std::unique_ptr<strategy::Strategy>(strategy_)) {
    for (const std::string& name : names_) AddMarket(name);
    Connect();
    ScheduleVenue();
  }

  void Run() {
    for (int round = 0; round < 3; ++round) {
      RunUntil(now_.nanos() + 20'000 * kMilli);
      if (::testing::Test::HasFailure()) return;
    }
    strategy_->BeQuiet();
    venue_.BeKind();
    is_kind_ = true;
    // Longer than all that waits.
    RunUntil(now_.nanos() + 60'000 * kMilli);
    if (!::testing::Test::HasFailure()) Check();
  }

  struct Counts {
    size_t events = 0, fills = 0, late_fills = 0, losses = 0, fetches = 0, orders = 0;
  };
  Counts counts() const {
    return {events_,
            venue_.fills().size(),
            listener_.late_fills(),
            losses_,
            fetches_,
            venue_.OrdersAt(Timestamp::Max()).size()};
  }

 private:
  using Step = std::function<void()>;

  // ---- Time.

  void After(int64_t nanos, Step step) { steps_.emplace(now_.nanos() + nanos, std::move(step)); }
  int64_t Delay() {
    const int64_t most = prng_.Chance(5) ? 1'500 : 100;
    return prng_.Between(1, most) * kMilli;
  }

  void RunUntil(int64_t end) {
    while (!::testing::Test::HasFailure()) {
      const int64_t timer = std::min(machine_.NextTimer().nanos(), link_.next_time().nanos());
      const int64_t step = steps_.empty() ? INT64_MAX : steps_.begin()->first;
      const int64_t at = std::max(now_.nanos(), std::min(timer, step));
      if (at > end) break;
      now_ = Timestamp::FromNanos(at);
      ++events_;
      if (step <= timer) {
        const Step next = std::move(steps_.begin()->second);
        steps_.erase(steps_.begin());
        next();
      } else {
        if (link_.next_time() <= now_) link_.OnTime(now_);
        if (machine_.NextTimer() <= now_) inputs_.push_back({.kind = InputKind::kTime});
      }
      Flush();
      if (link_.is_unclear() && state_ == ConnectionState::kLive) LoseConnection();
    }
    now_ = Timestamp::FromNanos(end);
  }

  // ---- The strategy.

  void AddMarket(const std::string& name) {
    const auto id = tickers_.Find(name);
    engine::MarketDefinition definition{.id = id, .symbol = name};
    definition.price_decimals = 4;
    definition.quantity_decimals = 2;
    definition.tick = Price::FromUnits(100);
    definition.price_min = Price::FromUnits(100);
    definition.price_max = Price::FromUnits(9'900);
    definition.kind = engine::MarketKind::kBinary;
    const std::vector<std::byte> bytes = engine::EncodeMarketDefinition(definition);
    Apply({.market = id, .kind = InputKind::kMarket}, bytes);
    Apply({.market = id, .kind = InputKind::kBookClear, .flags = Input::kLast});
  }

  // Applies what was heard, and sends what the strategy decides, until nothing is left.
  void Flush() {
    while (!inputs_.empty() && !::testing::Test::HasFailure()) {
      const Input input = inputs_.front();
      inputs_.pop_front();
      if (input.kind >= InputKind::kOrderAccepted && input.kind <= InputKind::kOrderFound) {
        Trace(HeardText(input));
        Expect(listener_.OnInput(input), input.order);
      }
      std::vector<Action> actions;
      for (const replay::Output& output : Apply(input)) {
        const Action action = strategy::ToAction(output);
        if (action.kind <= ActionKind::kCancel) actions.push_back(action);
      }
      for (const Action& action : actions) {
        Trace(absl::StrCat("  wants ", static_cast<int>(action.kind), " ", action.order.value(),
                           " ", action.price.units(), " ", action.quantity.units()));
        Expect(listener_.OnAction(action), action.order);
        if (::testing::Test::HasFailure()) return;
        link_.Act(action, now_);
      }
      machine_.CheckInvariants();
      if (inputs_.empty()) Expect(listener_.Compare(machine_.desk().orders()), input.order);
    }
  }

  std::span<const replay::Output> Apply(Input input, engine::Bytes attachment = {}) {
    last_ = engine::SequenceNumber(last_.value() + 1);
    input.sequence = last_;
    input.time = now_;
    row_ = strategy::ToRow(input);
    return driver_.Apply({.row = &row_, .attachment = attachment});
  }

  void Hear(const Input& input) override { inputs_.push_back(input); }

  // ---- The network.

  void Start(const Call& call) override {
    const uint64_t epoch = epoch_;
    if (state_ == ConnectionState::kDown || (!is_kind_ && prng_.Chance(1))) {
      const uint64_t id = call.id;
      return After(0, [=, this] { Deliver(epoch, [=, this] { Fail(id, false); }); });
    }
    const bool is_lost = !is_kind_ && prng_.Chance(1);
    After(Delay(), [=, this, call = call] {
      if (is_lost) return Deliver(epoch, [&] { Fail(call.id, true); });
      Arrive(call, epoch);
    });
  }

  void Arrive(const Call& call, uint64_t epoch) {
    const bool is_down = !is_kind_ && prng_.Chance(1);
    ModelVenue::Reply reply;
    if (!is_down || prng_.Chance(50)) reply = venue_.Execute(call, now_);
    if (is_down) reply = {.status = 503, .body = "{}"};
    Publish();
    const bool is_lost = !is_kind_ && prng_.Chance(1);
    const uint64_t id = call.id;
    After(Delay(), [=, this] {
      Deliver(epoch, [&] {
        if (is_lost) return Fail(id, true);
        Trace(absl::StrCat("    reply ", id & 0xffffff, " ", reply.status, " ", reply.body));
        EXPECT_TRUE(link_.OnReply({.id = id, .status = reply.status, .body = reply.body}, now_));
      });
    });
  }

  void Fail(uint64_t id, bool may_have_arrived) {
    Trace(absl::StrCat("    failed ", id & 0xffffff, may_have_arrived ? " perhaps" : " not sent"));
    EXPECT_TRUE(link_.OnCallFailed(id, may_have_arrived, now_));
  }

  // Calls of an earlier epoch were dropped.
  template <typename Function>
  void Deliver(uint64_t epoch, const Function& function) {
    if (epoch == epoch_) function();
  }

  // What the venue publishes arrives in order on each channel.
  void Publish() {
    const std::vector<ModelVenue::Order> orders = venue_.TakeOrderMessages();
    const std::vector<ModelVenue::Fill> fills = venue_.TakeFillMessages();
    if (!is_feed_open_) return;
    const uint64_t feed = feed_;
    for (const ModelVenue::Order& order : orders) {
      orders_at_ = std::max(orders_at_, now_.nanos() + Delay());
      steps_.emplace(orders_at_, [=, this] { OnOrderMessage(feed, order); });
    }
    for (const ModelVenue::Fill& fill : fills) {
      fills_at_ = std::max(fills_at_, now_.nanos() + Delay());
      const int times = prng_.Chance(3) ? 2 : 1;
      for (int i = 0; i < times; ++i) {
        steps_.emplace(fills_at_, [=, this] { OnFillMessage(feed, fill); });
      }
    }
  }

  void OnOrderMessage(uint64_t feed, const ModelVenue::Order& order) {
    if (feed != feed_) return;
    Trace(absl::StrCat("    user_order ", order.client_order_id, " ",
                       engine::kalshi::ToText(order.status), " ", order.price.units(), " ",
                       order.filled.hundredths(), " ", order.remaining().hundredths()));
    const engine::kalshi::FeedOrder message = {.order_id = order.id,
                                               .client_order_id = order.client_order_id,
                                               .side = order.side,
                                               .status = order.status,
                                               .price = order.price,
                                               .fill_count = order.filled,
                                               .remaining_count = order.remaining()};
    link_.OnUserOrder(order.ticker, message, now_);
  }

  void OnFillMessage(uint64_t feed, const ModelVenue::Fill& fill) {
    if (feed != feed_) return;
    Trace(absl::StrCat("    fill ", fill.client_order_id, " ", fill.count.hundredths()));
    const bool is_named = !prng_.Chance(5);
    const engine::kalshi::FeedFill message = {
        .trade_id = fill.trade_id,
        .order_id = fill.order_id,
        .client_order_id = is_named ? fill.client_order_id : absl::string_view(),
        .side = fill.side,
        .price = fill.price,
        .count = fill.count,
        .fee = fill.fee};
    link_.OnFill(fill.ticker, message, fill.time, now_);
  }

  void ScheduleVenue() {
    After(prng_.Between(1, 300) * kMilli, [this] {
      if (is_kind_) return;
      venue_.ActByItself(now_);
      Publish();
      if (prng_.Chance(1) && state_ == ConnectionState::kLive) LoseConnection();
      ScheduleVenue();
    });
  }

  // ---- The owner of the link.

  void SetState(ConnectionState state) {
    state_ = state;
    Trace(absl::StrCat("connection ", static_cast<int>(state)));
    inputs_.push_back({.kind = InputKind::kConnection, .detail = static_cast<uint8_t>(state)});
    Flush();
  }

  void LoseConnection() {
    ++losses_;
    ++epoch_;
    listener_.OnDown();
    if (prng_.Chance(60)) {
      ++feed_;
      is_feed_open_ = false;
    }
    SetState(ConnectionState::kDown);
    After(Delay(), [this] { Connect(); });
  }

  void Connect() {
    if (!is_feed_open_) {
      is_feed_open_ = true;
      feed_at_ = now_;
      orders_at_ = fills_at_ = 0;
    }
    SetState(ConnectionState::kConnecting);
    link_.BeginReconciling();
    Fetch();
  }

  // A moment of the last second that the feed covers.
  Timestamp SomeMoment() {
    const int64_t age = is_kind_ ? 0 : prng_.Between(0, 1'000) * kMilli;
    return std::max(feed_at_, Timestamp::FromNanos(now_.nanos() - age));
  }

  void Fetch() {
    ++fetches_;
    const uint64_t epoch = epoch_;
    After(Delay(), [=, this] {
      if (epoch != epoch_) return;
      for (const ModelVenue::Order& order : venue_.OrdersAt(SomeMoment())) List(order);
      After(Delay(), [=, this] {
        if (epoch != epoch_) return;
        for (const ModelVenue::Fill& fill : venue_.FillsAt(SomeMoment())) List(fill);
        if (!link_.EndReconciling(now_)) return Fetch();
        Flush();
        SetState(ConnectionState::kLive);
      });
    });
  }

  void List(const ModelVenue::Order& order) {
    Trace(absl::StrCat("    listed ", order.client_order_id, " ",
                       engine::kalshi::ToText(order.status), " ", order.price.units(), " ",
                       order.filled.hundredths(), " ", order.remaining().hundredths()));
    link_.OnOrder({.order_id = order.id,
                   .client_order_id = order.client_order_id,
                   .ticker = order.ticker,
                   .side = order.side,
                   .status = order.status,
                   .price = order.price,
                   .fill_count = order.filled,
                   .remaining_count = order.remaining()});
  }

  void List(const ModelVenue::Fill& fill) {
    link_.OnListedFill({.fill_id = fill.trade_id,
                        .order_id = fill.order_id,
                        .ticker = fill.ticker,
                        .side = fill.side,
                        .count = fill.count,
                        .price = fill.price,
                        .fee = fill.fee,
                        .time = fill.time});
  }

  // ---- What must be.

  void Check() {
    EXPECT_FALSE(link_.is_unclear());
    EXPECT_FALSE(listener_.HasOpenRequest());
    EXPECT_EQ(state_, ConnectionState::kLive);
    const strategy::Orders& orders = machine_.desk().orders();
    EXPECT_EQ(link_.live_count(), orders.live_count());
    size_t resting = 0;
    for (const ModelVenue::Order& order : venue_.OrdersAt(Timestamp::Max())) {
      const OrderNumber number = NumberOf(kRun, order.client_order_id);
      const strategy::Order* const own = orders.Find(number);
      EXPECT_EQ(own != nullptr, order.is_resting()) << number;
      EXPECT_EQ(listener_.IsLive(number), order.is_resting()) << number;
      if (!order.is_resting() || own == nullptr) continue;
      ++resting;
      EXPECT_EQ(own->state, strategy::OrderState::kLive) << number;
      EXPECT_EQ(own->price, order.price) << number;
      EXPECT_EQ(own->remaining, order.remaining().ToQuantity()) << number;
    }
    EXPECT_EQ(resting, orders.live_count());
    CheckFills();
    if (::testing::Test::HasFailure()) PrintTrace();
  }

  void CheckFills() {
    std::map<OrderNumber, Listener::Fills> expected;
    std::map<MarketId, int64_t> positions;
    for (const ModelVenue::Fill& fill : venue_.fills()) {
      expected[NumberOf(kRun, fill.client_order_id)].emplace_back(
          fill.price.units(), fill.count.ToQuantity().units(), fill.fee.micros());
      positions[tickers_.Find(fill.ticker)] +=
          fill.side == Side::kBid ? fill.count.hundredths() : -fill.count.hundredths();
    }
    std::map<OrderNumber, Listener::Fills> heard = listener_.fills();
    for (auto* const fills : {&expected, &heard}) {
      for (auto& [number, each] : *fills) std::ranges::sort(each);
    }
    EXPECT_EQ(heard, expected);
    if (listener_.late_fills() != 0) return;  // The venue's position corrects these.
    for (const auto& [market, position] : positions) {
      const auto* const known = machine_.desk().Find(market);
      ASSERT_NE(known, nullptr);
      EXPECT_EQ(known->position.units(), position) << market;
    }
  }

  void Expect(const std::string& wrong, OrderNumber order) {
    if (wrong.empty()) return;
    ADD_FAILURE() << order << ": " << wrong;
    PrintTrace();
  }

  void Trace(const std::string& line) {
    trace_.push_back(absl::StrCat(now_.nanos() / kMilli, " ", line));
    if (trace_.size() > 400) trace_.pop_front();
  }
  void PrintTrace() {
    for (const std::string& line : trace_) std::cerr << line << "\n";
  }

  const std::vector<std::string> names_ = {"RAIN", "SNOW"};
  TickerTable tickers_{names_};
  Prng prng_;
  ModelVenue venue_;
  RandomStrategy* const strategy_;
  strategy::StrategyMachine machine_;
  replay::Driver driver_{machine_};
  OrderLink link_{std::string(kRun), tickers_, *this};
  Listener listener_;
  Timestamp now_ = Timestamp::FromNanos(1'000'000 * kMilli);
  std::multimap<int64_t, Step> steps_;
  std::deque<Input> inputs_;
  engine::SequenceNumber last_;
  journal::Row row_ = {};
  ConnectionState state_ = ConnectionState::kDown;
  bool is_kind_ = false;  // Nothing fails any more.
  bool is_feed_open_ = false;
  uint64_t epoch_ = 0;  // Of calls.
  uint64_t feed_ = 0;
  Timestamp feed_at_;
  int64_t orders_at_ = 0;  // When the last message of the channel arrives.
  int64_t fills_at_ = 0;
  size_t events_ = 0;
  size_t losses_ = 0;
  size_t fetches_ = 0;
  std::deque<std::string> trace_;
};

TEST(OrderLinkRandomTest, TheStrategyBelievesWhatTheVenueHas) {
  constexpr uint64_t kSeeds = 5'000;
  constexpr uint64_t kOneIn = 100;
  const engine::CampaignSize size = engine::GetCampaignSize();
  World::Counts sum;
  for (uint64_t seed = 1; seed <= kSeeds; ++seed) {
    if (!size.Has(seed, kOneIn)) continue;
    SCOPED_TRACE(absl::StrCat("seed ", seed));
    World world(seed);
    world.Run();
    const World::Counts counts = world.counts();
    sum.events += counts.events;
    sum.fills += counts.fills;
    sum.late_fills += counts.late_fills;
    sum.losses += counts.losses;
    sum.fetches += counts.fetches;
    sum.orders += counts.orders;
    ASSERT_FALSE(HasFailure());
  }
  std::cerr << sum.events << " events, " << sum.orders << " orders, " << sum.fills << " fills, "
            << sum.late_fills << " of them late, " << sum.losses << " losses, " << sum.fetches
            << " fetches\n";
  // Otherwise this tests nothing.
  EXPECT_GT(sum.fills, 1'000u);
  EXPECT_GT(sum.losses, 100u);
  EXPECT_GT(sum.fetches, sum.losses);
}

}  // namespace
}  // namespace client
