#include "replay/testing/busy_session.h"

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_flags.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "replay/command_row.h"

namespace replay {
namespace {

using engine::AccountId;
using engine::Command;
using engine::CommandKind;
using engine::MarketId;
using engine::OrderFlags;
using engine::OrderType;
using engine::Price;
using engine::Quantity;
using engine::SelfTradePrevention;
using engine::Side;
using engine::TimeInForce;
using engine::Timestamp;

constexpr uint32_t kMarkets = 4;  // The last is binary.
constexpr uint32_t kBinary = 4;
constexpr uint32_t kEarlyAccounts = 6;
constexpr int64_t kStartNanos = int64_t{1'767'225'600} * 1'000'000'000;
constexpr engine::GroupId kGroup(65'537);  // More than two bytes have.

struct Placed {
  engine::OrderId order;
  AccountId account;
  MarketId market;
  Side side = {};
  Price price;
  uint64_t quantity = 0;
};

Command CommandOf(CommandKind kind, MarketId market = {}, AccountId account = {}) {
  Command command;
  command.kind = kind;
  command.market = market;
  command.account = account;
  return command;
}

class Session {
 public:
  explicit Session(const BusySessionOptions& options)
      : options_(options), prng_(options.seed), now_nanos_(kStartNanos) {
    mid_.fill(50);
  }

  Log Make() {
    SetUp();
    while (log_.size() < options_.length) Next();
    return std::move(log_);
  }

 private:
  void Add(Command command, std::vector<std::byte> attachment = {}) {
    now_nanos_ += gap_nanos_;
    gap_nanos_ = prng_.Between(0, 2'000'000);
    command.timestamp = Timestamp::FromNanos(now_nanos_);
    command.sequence = engine::SequenceNumber(log_.size() + 1);
    log_.push_back({.row = ToRow(command)});
    if (!attachment.empty()) {
      log_.back().attachment =
          std::make_shared<const std::vector<std::byte>>(std::move(attachment));
    }
  }

  void SetUp() {
    // Before the markets: a market gets the default fees when it is defined.
    Add(CommandOf(CommandKind::kSetFees),
        engine::EncodeFeeSchedule({.taker_coefficient = 700, .maker_coefficient = 175}));
    for (uint32_t id = 1; id <= kMarkets; ++id) {
      engine::MarketDefinition market = {.id = MarketId(id),
                                         .symbol = absl::StrCat("M", id),
                                         .price_decimals = 2,
                                         .quantity_decimals = 0,
                                         .price_max = Price::FromUnits(id == kBinary ? 99 : 1000),
                                         .lot = Quantity::FromUnits(id == 2 ? 5 : 1)};
      if (id == kBinary) market.kind = engine::MarketKind::kBinary;
      Add(CommandOf(CommandKind::kDefineMarket, market.id), engine::EncodeMarketDefinition(market));
    }
    for (uint32_t id = 1; id <= kLateAccount.value(); ++id) {
      if (id > kEarlyAccounts && id < kLateAccount.value()) continue;
      Add(CommandOf(CommandKind::kOpenAccount, {}, AccountId(id)));
      Command deposit = CommandOf(CommandKind::kDeposit, {}, AccountId(id));
      deposit.set_amount(engine::Money::FromMicros(10'000'000'000));
      Add(deposit);
      Command group = CommandOf(CommandKind::kDefineGroup, {}, AccountId(id));
      group.quantity = Quantity::FromUnits(200);
      group.set_group(kGroup);
      group.set_window_nanos(10'000'000'000);
      Add(group);
    }
  }

  void Next() {
    const uint64_t dice = prng_.Below(1000);
    if (placed_.size() > options_.live_orders) {
      const Placed oldest = placed_.front();
      placed_.pop_front();
      About(CommandKind::kCancel, oldest);
    } else if (dice < 640 || placed_.empty()) {
      NewOrder();
    } else if (dice < 970) {
      constexpr std::array kKinds = {
          CommandKind::kCancel,  CommandKind::kCancel, CommandKind::kReduce, CommandKind::kReduceTo,
          CommandKind::kReplace, CommandKind::kAmend,  CommandKind::kAmend};
      About(kKinds[prng_.Below(kKinds.size())], placed_[prng_.Below(placed_.size())]);
    } else {
      Operate();
    }
  }

  AccountId AnyAccount() {
    const bool is_late = log_.size() >= options_.late_from && prng_.Chance(30);
    return is_late ? kLateAccount
                   : AccountId(static_cast<uint32_t>(prng_.Between(1, kEarlyAccounts)));
  }

  void NewOrder() {
    const auto market = static_cast<uint32_t>(prng_.Between(1, kMarkets));
    int64_t& mid = mid_[market - 1];
    mid = std::clamp<int64_t>(mid + prng_.Between(-1, 1), 20, 80);
    const Side side = prng_.Chance(50) ? Side::kBid : Side::kAsk;
    const int64_t away = prng_.Chance(70) ? prng_.Between(0, 8) : prng_.Between(-6, 0);
    Command order = CommandOf(CommandKind::kNewOrder, MarketId(market), AnyAccount());
    order.price = Price::FromUnits(side == Side::kBid ? mid - away : mid + away);
    order.quantity = Quantity::FromUnits(static_cast<uint64_t>(prng_.Between(1, 12) * 5));
    order.client_order_id = engine::ClientOrderId(log_.size());
    order.side = side;
    order.type = OrderType::kLimit;
    order.tif = TimeInForce::kGoodTillCancelled;
    if (prng_.Chance(8)) order.quantity = Quantity::FromUnits(7);  // Off the lot of market 2.
    AddTerms(order);
    Add(order);
    if (engine::Rests(order.tif)) Remember(order);
  }

  void AddTerms(Command& order) {
    const uint64_t dice = prng_.Below(100);
    if (dice < 14) {
      order.tif = TimeInForce::kImmediateOrCancel;
    } else if (dice < 17) {
      order.tif = TimeInForce::kFillOrKill;
    } else if (dice < 20) {
      order.type = OrderType::kMarket;
      order.tif = TimeInForce::kImmediateOrCancel;
      order.price = Price();
    } else if (dice < 26) {
      order.tif = TimeInForce::kGoodTillTime;
      const int64_t lives = prng_.Chance(30) ? 0 : prng_.Between(0, 100'000'000);
      order.set_expires_at(Timestamp::FromNanos(now_nanos_ + gap_nanos_ + lives));
    } else if (dice < 29) {
      order.tif = TimeInForce::kDay;
    }
    if (engine::Rests(order.tif) && prng_.Chance(15)) order.flags = OrderFlags().WithPostOnly();
    if (prng_.Chance(20)) {
      order.flags = order.flags.WithSelfTradePrevention(
          static_cast<SelfTradePrevention>(prng_.Between(1, 3)));
    }
    if (prng_.Chance(15)) order.set_group(kGroup);
  }

  void Remember(const Command& order) {
    placed_.push_back({.order = engine::OrderId(log_.size()),
                       .account = order.account,
                       .market = order.market,
                       .side = order.side,
                       .price = order.price,
                       .quantity = order.quantity.units()});
  }

  void About(CommandKind kind, const Placed placed) {
    Command command = CommandOf(kind, placed.market, placed.account);
    command.order_id = placed.order;
    const uint64_t less = std::max<uint64_t>(5, placed.quantity / 10 * 5);
    if (kind == CommandKind::kReduce || kind == CommandKind::kReduceTo) {
      command.quantity = Quantity::FromUnits(less);
    } else if (kind == CommandKind::kAmend || kind == CommandKind::kReplace) {
      const int64_t move = prng_.Chance(50) ? 0 : prng_.Between(-2, 2);
      command.price = Price::FromUnits(placed.price.units() + move);
      const std::array quantities = {placed.quantity, less, placed.quantity + 5};
      command.quantity = Quantity::FromUnits(quantities[prng_.Below(quantities.size())]);
    }
    Add(command);
    if (kind == CommandKind::kReplace) {
      command.side = placed.side;
      Remember(command);
    }
  }

  void Operate() {
    const MarketId market(static_cast<uint32_t>(prng_.Between(1, kMarkets)));
    const AccountId account = AnyAccount();
    Command command = CommandOf(CommandKind::kAdvanceTime, {}, account);
    switch (prng_.Below(10)) {
      case 0:
        break;
      case 1:
      case 6:
      case 8:
      case 9:
        command = CommandOf(CommandKind::kMassCancel, market, account);
        command.side = prng_.Chance(50) ? Side::kBid : Side::kAsk;
        break;
      case 2:
        Add(CommandOf(CommandKind::kPauseMarket, market));
        command = CommandOf(CommandKind::kOpenMarket, market);
        break;
      case 3:
      case 7:
        command.kind = CommandKind::kResetGroup;
        command.set_group(kGroup);
        break;
      case 4:
        command.kind = CommandKind::kWithdraw;
        command.set_amount(engine::Money::FromMicros(prng_.Between(1, 9) * 1'000'000));
        break;
      default:
        command.kind = CommandKind::kDeposit;
        command.set_amount(engine::Money::FromMicros(50'000'000));
    }
    Add(command);
  }

  const BusySessionOptions options_;
  engine::Prng prng_;
  int64_t now_nanos_;
  int64_t gap_nanos_ = 0;  // To the next command.
  std::array<int64_t, kMarkets> mid_ = {};
  std::deque<Placed> placed_;
  Log log_;
};

}  // namespace

Log BusySession(const BusySessionOptions& options) {
  CHECK_GE(options.length, size_t{100});
  return Session(options).Make();
}

}  // namespace replay
