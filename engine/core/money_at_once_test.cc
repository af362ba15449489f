// Orders that reserve money and have no special terms, in sessions of nothing else: no limits, and
// no digest between commands, either of which would send them the longer way. Accounts have a few
// dollars, so that about half of the orders can just be paid, or just not.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/core/testing/differential.h"
#include "engine/core/testing/session.h"
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
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr MarketId kMarket(1);
constexpr uint32_t kAccounts = 4;

class MoneySession {
 public:
  explicit MoneySession(uint64_t seed) : prng_(seed) {
    MarketDefinition market;
    market.id = kMarket;
    market.symbol = "M";
    market.kind = MarketKind::kBinary;
    market.price_decimals = 2;
    market.price_max = Price::FromUnits(99);
    Add(Of(CommandKind::kDefineMarket), EncodeMarketDefinition(market));
    const FeeSchedule fees{
        .taker_coefficient = 700,
        .maker_coefficient = prng_.Below(2) == 0 ? 0u : 175u,
    };
    Add(Of(CommandKind::kSetFees), EncodeFeeSchedule(fees));
    for (uint32_t account = 1; account <= kAccounts; ++account) {
      Add(Of(CommandKind::kOpenAccount, account));
      Command deposit = Of(CommandKind::kDeposit, account);
      deposit.set_amount(Money::FromDollars(10 + static_cast<int64_t>(prng_.Below(30))));
      Add(deposit);
    }
  }

  Session Make(size_t length) {
    while (session_.size() < length) prng_.Below(5) < 3 ? AddOrder() : AddCancel();
    return std::move(session_);
  }

 private:
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
    command.timestamp = Timestamp::FromNanos(static_cast<int64_t>(session_.size()) + 1);
    session_.push_back({command, std::move(attachment)});
  }

  // Of three prices a side, so that most join a level, and every sixth crosses.
  void AddOrder() {
    Command order = Of(CommandKind::kNewOrder, 1 + static_cast<uint32_t>(prng_.Below(kAccounts)));
    order.side = prng_.Below(2) == 0 ? Side::kBid : Side::kAsk;
    order.type = OrderType::kLimit;
    order.tif = TimeInForce::kGoodTillCancelled;
    const int64_t away = static_cast<int64_t>(prng_.Below(3)) + (prng_.Below(6) == 0 ? -4 : 1);
    order.price = Price::FromUnits(order.side == Side::kBid ? 50 - away : 50 + away);
    order.quantity = Quantity::FromUnits(1 + prng_.Below(30));
    Add(order);
    owners_.emplace_back(session_.size(), order.account);
  }

  void AddCancel() {
    if (owners_.empty()) return;
    const auto [sequence, owner] = owners_[prng_.Below(owners_.size())];
    Command cancel = Of(CommandKind::kCancel, owner.value());
    cancel.order_id = OrderId(sequence);
    Add(cancel);
  }

  Prng prng_;
  Session session_;
  std::vector<std::pair<uint64_t, AccountId>> owners_;  // Of every order.
};

TEST(MoneyAtOnce, IsAskedAndReservedAsTheReferenceDoes) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    CandidateOf<Exchange> exchange;
    const auto divergence = Compare(MoneySession(seed).Make(400), exchange,
                                    {.digest_every = ~size_t{0}, .invariants_every = 1});
    ASSERT_FALSE(divergence.has_value())
        << "seed " << seed << ", command " << divergence->index + 1 << ": " << divergence->what;
  }
}

}  // namespace
}  // namespace engine
