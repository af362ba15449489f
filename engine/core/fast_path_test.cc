// Compares the exchange with the reference in sessions of nothing but orders without special terms,
// their cancels and amends: what the fast path takes. Runs them with digests between commands,
// which send orders to other steps, and without; with risk limits and without; with money and
// without.
//
// Where there is money, accounts have a few dollars, so that about half of the orders can just be
// paid or just not; in every third session they have many. In every fourth session the market has a
// lot, and some quantities are not multiples of it. In every third session there are commands of
// each kind about accounts.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <utility>
#include <vector>

#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/differential/differential.h"
#include "engine/differential/random_commands_parts.h"
#include "engine/differential/session.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/order_type.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr MarketId kMarket(1);
// The holdings of these four have the same slot by their hash in a new table (holding_table_test),
// so that FindPartyFast finds only the holding of the first to trade.
constexpr uint32_t kAccounts[] = {1, 90, 145, 234};

class PlainSession {
 public:
  enum class Limits : uint8_t { kNone, kSome };

  PlainSession(uint64_t seed, MarketKind kind, Limits limits)
      : prng_(seed), lot_(seed % 4 == 0 ? 5 : 1), is_third_(seed % 3 == 0) {
    MarketDefinition market;
    market.id = kMarket;
    market.symbol = "M";
    market.kind = kind;
    market.price_decimals = 2;
    market.price_max = Price::FromUnits(99);
    market.lot = Quantity::FromUnits(lot_);
    Add(Of(CommandKind::kDefineMarket), EncodeMarketDefinition(market));
    if (kind == MarketKind::kBinary) AddMoney();
    if (limits == Limits::kSome) AddLimits();
    has_limits_ = limits == Limits::kSome;
  }

  Session Make(size_t length) {
    while (session_.size() < length) {
      if (has_limits_ && prng_.Below(100) == 0) AddLimits();
      if (is_third_ && prng_.Below(8) == 0) AddAboutAccount();
      if (has_limits_ && is_third_ && prng_.Below(20) == 0) AddPositionLimit();
      const uint64_t choice = prng_.Below(10);
      if (choice < 5) {
        AddOrder();
      } else if (!orders_.empty()) {
        choice < 8 ? AddCancel() : AddAmend();
      }
    }
    return std::move(session_);
  }

 private:
  void AddMoney() {
    const FeeSchedule fees{
        .taker_coefficient = 700,
        .maker_coefficient = prng_.Below(2) == 0 ? 0u : 175u,
    };
    Add(Of(CommandKind::kSetFees), EncodeFeeSchedule(fees));
    const int64_t many = prng_.Below(3) == 0 ? 1'000 : 1;
    for (const uint32_t account : kAccounts) {
      Add(Of(CommandKind::kOpenAccount, account));
      Command deposit = Of(CommandKind::kDeposit, account);
      deposit.set_amount(Money::FromDollars(many * (10 + static_cast<int64_t>(prng_.Below(30)))));
      Add(deposit);
    }
  }

  // Sets limits of half of the accounts, so that some orders exceed one. Each of the four limits is
  // sometimes none.
  void AddLimits() {
    const auto or_none = [this](uint64_t most) { return prng_.Below(5) == 0 ? 0 : most; };
    const RiskLimits limits{
        .open_orders_max = or_none(2 + prng_.Below(4)),
        .order_quantity_max = Quantity::FromUnits(or_none(28)),
        .order_notional_max = Money::FromDollars(static_cast<int64_t>(or_none(14))),
        .orders_per_second_max = or_none(1 + prng_.Below(20)),
    };
    for (const uint32_t account : {kAccounts[0], kAccounts[2]}) {
      Command command = Of(CommandKind::kSetRiskLimits, account);
      command.market = MarketId();
      Add(command, EncodeRiskLimits(limits));
    }
  }

  // Sets or lifts a position limit, so that the fast path must know whose orders it may enter.
  void AddPositionLimit() {
    Command command = Of(CommandKind::kSetPositionLimit, AnAccount());
    command.quantity = Quantity::FromUnits(prng_.Below(3) == 0 ? 0 : prng_.Below(120));
    Add(command);
  }

  // One command of each kind about an account after the other, in the midst of orders.
  void AddAboutAccount() {
    if (about_account_.empty()) {
      for (const Command& command : EachAboutAccount(AccountId(AnAccount()))) {
        about_account_.push_back(command);
      }
    }
    Add(about_account_.front());
    about_account_.pop_front();
  }

  static Command Of(CommandKind kind, uint32_t account = 0) {
    Command command;
    command.kind = kind;
    command.account = AccountId(account);
    if (kind != CommandKind::kOpenAccount && kind != CommandKind::kDeposit) {
      command.market = kMarket;
    }
    return command;
  }

  void Add(Command command, std::vector<std::byte> attachment = {}) {
    command.sequence = SequenceNumber(session_.size() + 1);
    now_ += 1 + static_cast<int64_t>(prng_.Below(100'000'000));  // A second is twenty commands.
    command.timestamp = Timestamp::FromNanos(now_);
    session_.push_back({command, std::move(attachment)});
  }

  // Uses three prices on each side, so that most orders join a level and every sixth crosses.
  void AddOrder() {
    Command order = Of(CommandKind::kNewOrder, AnAccount());
    order.side = prng_.Below(2) == 0 ? Side::kBid : Side::kAsk;
    order.type = OrderType::kLimit;
    order.tif = TimeInForce::kGoodTillCancelled;
    order.price = APrice(order.side);
    order.quantity = AQuantity();
    if (prng_.Below(8) == 0) order.tif = TimeInForce::kImmediateOrCancel;
    if (prng_.Below(8) == 0) {
      order.type = OrderType::kMarket;
      order.tif = TimeInForce::kImmediateOrCancel;
      order.price = Price();
    }
    Add(order);
    orders_.push_back(session_.back().command);
  }
  uint32_t AnAccount() { return kAccounts[prng_.Below(std::size(kAccounts))]; }

  Price APrice(Side side) {
    const int64_t away = static_cast<int64_t>(prng_.Below(3)) + (prng_.Below(6) == 0 ? -4 : 1);
    return Price::FromUnits(side == Side::kBid ? 50 - away : 50 + away);
  }

  Quantity AQuantity() {
    const uint64_t units = 1 + prng_.Below(30);
    return Quantity::FromUnits(prng_.Below(10) == 0 ? units : (units + lot_ - 1) / lot_ * lot_);
  }

  // A command about `order`, which is live or has ended, from its owner or sometimes from another
  // account. In one of 25 cases it names no order and no account.
  Command About(CommandKind kind, const Command& order) {
    if (prng_.Below(25) == 0) {
      Command command = Of(kind, static_cast<uint32_t>(prng_.Below(2)));
      if (prng_.Below(2) == 0) command.market = MarketId();
      command.order_id = OrderId(prng_.Below(2) == 0 ? 0 : ~uint64_t{0});
      return command;
    }
    Command command = Of(kind, prng_.Below(15) != 0 ? order.account.value() : AnAccount());
    command.order_id = OrderIdOf(order.sequence);
    return command;
  }
  const Command& AnyOrder() {
    const size_t newest = std::min<size_t>(orders_.size(), 40);
    return orders_[orders_.size() - 1 - prng_.Below(newest)];
  }

  void AddCancel() { Add(About(CommandKind::kCancel, AnyOrder())); }

  // Amends to any price and quantity, unchanged and forbidden ones included.
  void AddAmend() {
    const Command& order = AnyOrder();
    Command amend = About(CommandKind::kAmend, order);
    amend.price = prng_.Below(3) == 0 ? order.price : APrice(order.side);
    if (prng_.Below(15) == 0) amend.price = Price::FromUnits(100);
    amend.quantity = AQuantity();
    if (prng_.Below(3) == 0) amend.quantity = Quantity::FromUnits(prng_.Below(31));
    if (prng_.Below(4) == 0) amend.quantity = order.quantity;
    Add(amend);
  }

  Prng prng_;
  const uint64_t lot_;
  const bool is_third_;
  bool has_limits_ = false;
  int64_t now_ = 0;
  Session session_;
  std::vector<Command> orders_;  // In the order of entry.
  std::deque<Command> about_account_;
};

using Limits = PlainSession::Limits;

void ExpectAgreement(MarketKind kind, Limits limits, size_t digest_every) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CandidateOf<Exchange> exchange;
    const auto divergence = Compare(PlainSession(seed, kind, limits).Make(400), exchange,
                                    {.digest_every = digest_every, .invariants_every = 1});
    ASSERT_FALSE(divergence.has_value())
        << "seed " << seed << ", command " << divergence->index + 1 << ": " << divergence->what;
  }
}

constexpr size_t kNever = ~size_t{0};

TEST(FastPath, AgreesWithoutMoneyAndLimits) {
  ExpectAgreement(MarketKind::kEquity, Limits::kNone, kNever);
}

TEST(FastPath, AgreesWithMoney) { ExpectAgreement(MarketKind::kBinary, Limits::kNone, kNever); }

TEST(FastPath, AgreesWithMoneyAndDigests) {
  ExpectAgreement(MarketKind::kBinary, Limits::kNone, 7);
}

TEST(FastPath, AgreesWithLimits) { ExpectAgreement(MarketKind::kEquity, Limits::kSome, kNever); }

TEST(FastPath, AgreesWithLimitsAndDigests) {
  ExpectAgreement(MarketKind::kEquity, Limits::kSome, 7);
}

TEST(FastPath, AgreesWithLimitsAndMoney) {
  ExpectAgreement(MarketKind::kBinary, Limits::kSome, 50);
}

}  // namespace
}  // namespace engine
