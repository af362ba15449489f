#include "engine/workload/one_market.h"

#include <vector>

#include "engine/base/check.h"
#include "engine/messages/account_codecs.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/money.h"
#include "engine/types/risk_limits.h"
#include "engine/workload/hft_mix.h"
#include "engine/workload/random_numbers.h"

namespace bench {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Money;
using engine::Quantity;

constexpr uint32_t kAccounts = 1'000;
constexpr engine::MarketId kMarket = engine::MarketId(1);

engine::MarketDefinition BinaryMarket() {
  engine::MarketDefinition definition = DefaultMarket(kMarket.value());
  definition.kind = engine::MarketKind::kBinary;
  definition.price_decimals = 4;
  definition.quantity_decimals = 2;
  definition.price_max = engine::Price::FromUnits(9'999);
  return definition;
}

Command Of(CommandKind kind, uint32_t account) {
  Command command;
  command.kind = kind;
  command.account = engine::AccountId(account);
  return command;
}

// Sets all four risk limits, too high to be reached.
void SetLimits(WorkloadBuilder& builder) {
  const std::vector<std::byte> limits =
      engine::EncodeRiskLimits({.open_orders_max = 1'000'000,
                                .order_quantity_max = Quantity::FromUnits(1'000'000),
                                .order_notional_max = Money::FromMicros(1'000'000'000'000'000),
                                .orders_per_second_max = 1'000'000'000});
  for (uint32_t account = 1; account <= kAccounts; ++account) {
    builder.Add(Of(CommandKind::kSetRiskLimits, account), limits);
  }
}

// Sets fees, and deposits ten million dollars into each account.
void Fund(WorkloadBuilder& builder) {
  Command fees;
  fees.kind = CommandKind::kSetFees;
  fees.market = kMarket;
  builder.Add(fees,
              engine::EncodeFeeSchedule({.taker_coefficient = 700, .maker_coefficient = 175}));
  for (uint32_t account = 1; account <= kAccounts; ++account) {
    builder.Add(Of(CommandKind::kOpenAccount, account));
    Command deposit = Of(CommandKind::kDeposit, account);
    deposit.set_amount(Money::FromMicros(10'000'000'000'000));
    builder.Add(deposit);
  }
}

}  // namespace

Workload MakeOneMarket(const OneMarket& options) {
  CHECK(!options.is_fine || options.accounts != OneMarket::Accounts::kFunded);
  RandomNumbers random(options.seed);
  WorkloadBuilder builder(options.name);
  HftMix::Options mix_options{.market = kMarket, .seed_count = options.seed_count};
  if (options.is_fine) mix_options.price_step = kUnitsOfCent;
  const engine::MarketDefinition equity =
      options.is_fine ? FineMarket(kMarket.value()) : DefaultMarket(kMarket.value());
  switch (options.accounts) {
    case OneMarket::Accounts::kNone:
      builder.Define(equity);
      break;
    case OneMarket::Accounts::kLimited:
      builder.Define(equity);
      SetLimits(builder);
      mix_options.account_count = kAccounts;
      break;
    case OneMarket::Accounts::kFunded:
      builder.Define(BinaryMarket());
      Fund(builder);
      mix_options.account_count = kAccounts;
      mix_options.mid = 5'000;
      mix_options.reach = 4'999;
      break;
  }
  HftMix mix(builder, random, mix_options);
  mix.Seed();
  for (size_t i = 0; i < options.warm_up_count; ++i) mix.Next();
  builder.EndWarmUp();
  for (size_t i = 0; i < options.timed_count; ++i) mix.Next();
  return builder.Take();
}

}  // namespace bench
