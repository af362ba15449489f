#include "engine/workload/crowd.h"

#include <algorithm>
#include <vector>

#include "engine/base/check.h"
#include "engine/messages/account_codecs.h"
#include "engine/workload/orders.h"

namespace bench {
namespace {

using engine::AccountId;
using engine::Command;
using engine::CommandKind;
using engine::MarketId;
using engine::OrderId;
using engine::Quantity;
using engine::Side;
using engine::TimeInForce;

constexpr MarketId kMarket = MarketId(1);
constexpr uint32_t kOthers = 1'000;           // Accounts 1 to 1,000.
constexpr AccountId kOne = AccountId(1'001);  // Whose commands are timed.
constexpr engine::GroupId kGroup = engine::GroupId(7);
constexpr int64_t kPrice = 100'000'000'000;
constexpr int64_t kFarApart = 1'000'000;  // In price units.
constexpr int64_t kFarthest = 300'000'000;
constexpr uint64_t kHour = 3'600'000'000'000;

constexpr CrowdCaseInfo kCases[] = {
    {CrowdCase::kMovingBest, "moving_best",
     "new and cancel at a moving best price, N distant levels", 10'000},
    {CrowdCase::kAlternatingBest, "alternating_best",
     "new and cancel at two distant best prices, N levels", 100'000},
    {CrowdCase::kMassCancel, "mass_cancel", "of an account without orders, N orders of others",
     1'000'000},
    {CrowdCase::kSetLimits, "set_limits", "of an account without orders, N orders of others",
     1'000'000},
    {CrowdCase::kPauseMarket, "pause_market", "pause, close and open, N orders that stay",
     1'000'000},
    {CrowdCase::kKillOnLevels, "kill_on_levels", "fill-or-kill that N levels cannot fill", 100'000},
    {CrowdCase::kKillInQueue, "kill_in_queue",
     "fill-or-kill with self-trade prevention that N orders cannot fill", 100'000},
    {CrowdCase::kGroupFills, "group_fills", "fills of a group with N fills in its window",
     1'000'000},
    {CrowdCase::kEndAll, "end_all", "N orders, and one command that ends them all", 1'000'000},
};

// A market with room for distant prices, none of them with a common divisor.
engine::MarketDefinition WideMarket() {
  engine::MarketDefinition definition = DefaultMarket(kMarket.value());
  definition.price_decimals = 8;
  definition.price_max = engine::Price::FromUnits(10 * kPrice);
  return definition;
}

class Maker {
 public:
  explicit Maker(const Crowd& options) : options_(options), builder_(options.name) {
    builder_.Define(WideMarket());
  }

  Workload Make() {
    switch (options_.what) {
      case CrowdCase::kMovingBest:
        AddLevels(Side::kBid, kFarApart);
        Time(2, [&](size_t i) { EnterAndLeave(Above(kFarApart * (1 + Cast(i) % 100))); });
        break;
      case CrowdCase::kAlternatingBest:
        AddLevels(Side::kBid, 1);
        Time(2, [&](size_t i) { EnterAndLeave(Above(kFarApart + (i % 2 == 0 ? 0 : kFarthest))); });
        break;
      case CrowdCase::kMassCancel:
        builder_.Add(OfOther(0, Side::kBid, kPrice - 1, 1));
        builder_.Add(OfOne(CommandKind::kMassCancel));  // The first files the orders of all.
        AddOthers();
        Time(1, [&](size_t) { builder_.Add(OfOne(CommandKind::kMassCancel)); });
        break;
      case CrowdCase::kSetLimits:
        builder_.Add(OfOther(0, Side::kBid, kPrice - 1, 1));
        SetLimits();
        AddOthers();
        Time(1, [&](size_t) { SetLimits(); });
        break;
      case CrowdCase::kPauseMarket:
        AddOthers();
        Time(4, [&](size_t) {
          for (const CommandKind kind : {CommandKind::kPauseMarket, CommandKind::kOpenMarket,
                                         CommandKind::kCloseMarket, CommandKind::kOpenMarket}) {
            Command command;
            command.kind = kind;
            command.market = kMarket;
            builder_.Add(command);
          }
        });
        break;
      case CrowdCase::kKillOnLevels:
        AddLevels(Side::kAsk, 1);
        Time(1, [&](size_t) { builder_.Add(FillOrKill()); });
        break;
      case CrowdCase::kKillInQueue:
        AddLevels(Side::kAsk, 0);
        Time(1, [&](size_t) {
          Command command = FillOrKill();
          command.flags =
              command.flags.WithSelfTradePrevention(engine::SelfTradePrevention::kCancelTaker);
          builder_.Add(command);
        });
        break;
      case CrowdCase::kGroupFills:
        AddGroup();
        for (size_t i = 0; i < options_.size; ++i) FillGroup();
        Time(1, [&](size_t) { FillGroup(); });
        break;
      case CrowdCase::kEndAll:
        EnterAndEndAll();
        Time(options_.size + 1, [&](size_t) { EnterAndEndAll(); });
        break;
    }
    return builder_.Take();
  }

 private:
  static int64_t Cast(size_t i) { return static_cast<int64_t>(i); }

  // Ends the warm-up, and adds steps of `count` commands.
  template <typename Step>
  void Time(size_t count, Step step) {
    builder_.EndWarmUp();
    const size_t steps = std::max(size_t{1}, options_.timed_count / count);
    for (size_t i = 0; i < steps; ++i) step(i);
  }

  Command OfOne(CommandKind kind) const {
    Command command;
    command.kind = kind;
    command.account = kOne;
    return command;
  }
  Command OfOther(size_t i, Side side, int64_t price, uint64_t quantity) const {
    Command command = LimitOrder(kMarket, side, price, quantity);
    command.account = AccountId(static_cast<uint32_t>(1 + i % kOthers));
    return command;
  }

  void SetLimits() {
    engine::RiskLimits limits;
    limits.open_orders_max = 10;
    builder_.Add(OfOne(CommandKind::kSetRiskLimits), engine::EncodeRiskLimits(limits));
  }

  // One order of others on each level, best first; all on one if they are not apart.
  void AddLevels(Side side, int64_t apart) {
    const int64_t away = side == Side::kBid ? -apart : apart;
    for (size_t i = 0; i < options_.size; ++i) {
      builder_.Add(OfOther(i, side, kPrice + away * Cast(i) + (apart > 1 ? Cast(i % 3) : 0), 1));
    }
  }
  // Orders of others on a hundred levels on either side.
  void AddOthers() {
    for (size_t i = 0; i < options_.size; ++i) {
      const auto away = Cast(1 + i / 2 % 100);
      const Side side = i % 2 == 0 ? Side::kBid : Side::kAsk;
      builder_.Add(OfOther(i, side, kPrice + (side == Side::kBid ? -away : away), 1));
    }
  }

  static int64_t Above(int64_t distance) { return kPrice + distance + 3; }
  void EnterAndLeave(int64_t price) {
    Command order = LimitOrder(kMarket, Side::kBid, price, 1);
    order.account = kOne;
    Command cancel = Cancel(kMarket, builder_.Add(order));
    cancel.account = kOne;
    builder_.Add(cancel);
  }

  // For more than there is.
  Command FillOrKill() const {
    Command command =
        LimitOrder(kMarket, Side::kBid, 2 * kPrice, options_.size + 1, TimeInForce::kFillOrKill);
    command.account = kOne;
    return command;
  }

  // An order with a group that can be filled in part for as long as it takes.
  void AddGroup() {
    const uint64_t enough = 2 * (options_.size + options_.timed_count);
    Command define = OfOne(CommandKind::kDefineGroup);
    define.set_group(kGroup);
    define.quantity = Quantity::FromUnits(enough);
    define.set_window_nanos(kHour);
    builder_.Add(define);
    Command order = LimitOrder(kMarket, Side::kAsk, kPrice, enough);
    order.account = kOne;
    order.set_group(kGroup);
    builder_.Add(order);
  }
  void FillGroup() {
    Command command = LimitOrder(kMarket, Side::kBid, kPrice, 1, TimeInForce::kImmediateOrCancel);
    command.account = AccountId(1);
    builder_.Add(command);
  }

  void EnterAndEndAll() {
    for (size_t i = 0; i < options_.size; ++i) {
      Command order = LimitOrder(kMarket, Side::kBid, kPrice - Cast(i % 1'000), 1);
      order.account = kOne;
      builder_.Add(order);
    }
    builder_.Add(OfOne(CommandKind::kMassCancel));
  }

  const Crowd& options_;
  WorkloadBuilder builder_;
};

}  // namespace

std::span<const CrowdCaseInfo> CrowdCases() { return kCases; }

Workload MakeCrowd(const Crowd& options) { return Maker(options).Make(); }

}  // namespace bench
