// What orders need: markets and their states, accounts, limits, groups.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/differential/random_commands.h"
#include "engine/differential/random_commands_parts.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/note_codec.h"
#include "engine/reference/reference_exchange.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/note.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"

namespace engine {

void RandomCommands::QueueMarket(MarketId id, int shape, bool starts_unopened) {
  MarketDefinition market = MarketOfShape(shape);
  market.id = id;
  market.symbol = absl::StrCat("M", Chance(98) ? id.value() : 1);
  market.starts_unopened = starts_unopened;
  market.fok_becomes_ioc = Chance(25);
  market.post_only_change_cancels = Chance(25);
  if (is_mirrored_) market.mirrored = Chance(60);
  Queue(CommandOf(CommandKind::kDefineMarket, AccountId(), id), EncodeMarketDefinition(market));
}

void RandomCommands::QueueFees(MarketId market) {
  FeeSchedule fees;
  fees.taker_coefficient = OneOf<uint32_t>({0, 700, 700, 350, 9999});
  fees.maker_coefficient = OneOf<uint32_t>({0, 175, 175, 700, 9999});
  fees.multiplier = OneOf<uint32_t>({100, 100, 50, 0});
  Queue(CommandOf(CommandKind::kSetFees, AccountId(), market), EncodeFeeSchedule(fees));
}

void RandomCommands::QueueRiskLimits(AccountId account) {
  RiskLimits limits;
  if (Chance(50)) limits.open_orders_max = prng_.Below(6);
  if (Chance(40)) limits.order_quantity_max = Quantity::FromUnits(prng_.Below(300));
  if (Chance(40)) {
    // The notional of a few contracts, or of a few lots in an equity market.
    limits.order_notional_max =
        Money::FromMicros(prng_.Between(0, OneOf<int64_t>({20'000'000, 600'000'000})));
  }
  if (Chance(50)) limits.orders_per_second_max = prng_.Below(5);
  Queue(CommandOf(CommandKind::kSetRiskLimits, account), EncodeRiskLimits(limits));
}

void RandomCommands::QueuePositionLimit(const ReferenceExchange& exchange) {
  const MarketId id = AnyMarket(exchange);
  const MarketDefinition* const market = exchange.markets().Find(id);
  Command command = CommandOf(CommandKind::kSetPositionLimit, AnyAccount(), id);
  // That of a few orders, in the lots of the market.
  const uint64_t lot = market != nullptr ? std::max<uint64_t>(market->lot.units(), 10) : 10;
  if (Chance(80)) command.quantity = Quantity::FromUnits(lot * (1 + prng_.Below(40)));
  if (Chance(3)) command.quantity = kPositionLimitMax + Quantity::FromUnits(prng_.Below(2));
  if (Chance(3)) command.account = AccountId();
  Queue(command);
}

void RandomCommands::QueueSetup() {
  if (Chance(scenario_.fees)) QueueFees(MarketId());
  for (int shape = 0; shape < 4; ++shape) {
    QueueMarket(MarketId(++markets_made_), shape, Chance(scenario_.kind_lifecycle));
    if (Chance(50))
      Queue(CommandOf(CommandKind::kOpenMarket, AccountId(), MarketId(markets_made_)));
  }
  for (uint32_t account = 1; account <= 3; ++account) {
    Queue(CommandOf(CommandKind::kOpenAccount, AccountId(account)));
    Command deposit = CommandOf(CommandKind::kDeposit, AccountId(account));
    deposit.set_amount(Money::FromDollars(Chance(scenario_.poor) ? 20 : 10'000));
    Queue(deposit);
    if (Chance(scenario_.kind_limits * 4)) QueueRiskLimits(AccountId(account));
  }
  for (int i = scenario_.group / 5; i > 0; --i) MakeGroup();
}

void RandomCommands::MakeLifecycle(const ReferenceExchange& exchange) {
  const MarketId id = AnyMarket(exchange);
  const MarketDefinition* const market = exchange.markets().Find(id);
  if (Chance(8)) return QueueFees(Chance(30) ? MarketId() : id);
  if (Chance(4)) {
    return QueueMarket(MarketId(1 + static_cast<uint32_t>(prng_.Below(markets_made_ + 1))), 0,
                       false);
  }
  const auto kind =
      OneOf({CommandKind::kOpenMarket, CommandKind::kPauseMarket, CommandKind::kPauseMarket,
             CommandKind::kCloseMarket, CommandKind::kDetermineMarket, CommandKind::kSettleMarket});
  if (kind == CommandKind::kDetermineMarket && market != nullptr) return QueueDetermine(*market);
  Queue(CommandOf(kind, AccountId(), id));
  // A paused market mostly opens again soon, and a new one mostly follows a settled one: only
  // trading brings markets into deep states.
  if (kind == CommandKind::kPauseMarket && Chance(85)) {
    for (uint64_t i = prng_.Below(6); i > 0; --i) MakeAboutOrder(exchange, Chance(70));
    Queue(CommandOf(CommandKind::kOpenMarket, AccountId(), id));
  }
  if (kind == CommandKind::kCloseMarket && market != nullptr && Chance(85)) QueueEnd(*market);
}

void RandomCommands::QueueDetermine(const MarketDefinition& market) {
  Command command = CommandOf(CommandKind::kDetermineMarket, AccountId(), market.id);
  const int64_t dollar = market.price_max.units() + market.price_min.units();
  command.price = Price::FromUnits(
      OneOf({int64_t{0}, dollar, dollar / 2, int64_t{1}, dollar / 3, dollar + 1, int64_t{-1}}));
  Queue(command);
}

void RandomCommands::QueueEnd(const MarketDefinition& market) {
  if (market.kind == MarketKind::kEquity) {
    return Queue(CommandOf(CommandKind::kOpenMarket, AccountId(), market.id));
  }
  QueueDetermine(market);
  if (Chance(20)) QueueDetermine(market);
  Queue(CommandOf(CommandKind::kSettleMarket, AccountId(), market.id));
  const bool starts_unopened = Chance(30);
  QueueMarket(MarketId(++markets_made_), OneOf({0, 1, 3}), starts_unopened);
  if (starts_unopened) {
    Queue(CommandOf(CommandKind::kOpenMarket, AccountId(), MarketId(markets_made_)));
  }
}

void RandomCommands::MakeAccount(const ReferenceExchange& exchange) {
  if (Chance(8)) return MakeEachAboutAccount(exchange);
  const AccountId id = AnyAccount();
  Command command =
      CommandOf(OneOf({CommandKind::kDeposit, CommandKind::kDeposit, CommandKind::kWithdraw,
                       CommandKind::kWithdraw, CommandKind::kOpenAccount}),
                id);
  if (command.kind == CommandKind::kOpenAccount) return Queue(command);
  command.set_amount(Money::FromMicros(100 * prng_.Between(1, 200'000)));
  const auto account = exchange.FindAccount(command.account);
  if (command.kind == CommandKind::kWithdraw && account.has_value() && Chance(scenario_.poor)) {
    // Everything that is available, or the smallest amount more.
    const Money available = account->balance - account->reserved;
    command.set_amount(available + Money::FromMicros(OneOf<int64_t>({0, 0, kBalanceStepMicros})));
  }
  if (Chance(5)) {
    command.set_amount(OneOf({Money(), Money::FromMicros(-100), Money::FromMicros(150), kMoneyMax,
                              Money::FromMicros(kInt64Max), Money::FromMicros(kInt64Min)}));
  }
  Queue(command);
}

// With orders in between, so that they meet what each kind leads to.
void RandomCommands::MakeEachAboutAccount(const ReferenceExchange& exchange) {
  for (const Command& command : EachAboutAccount(AnyAccount())) {
    Queue(command);
    if (Chance(20)) Queue(command);
    for (uint64_t i = prng_.Below(6); i > 0; --i) {
      Chance(50) ? MakeOrder(exchange) : MakeAboutOrder(exchange, /*leaves=*/Chance(20));
    }
  }
}

void RandomCommands::MakeGroup() {
  Command command = CommandOf(CommandKind::kDefineGroup, AnyAccount());
  command.set_group(AnyGroup());
  if (Chance(50)) {
    command.kind = OneOf({CommandKind::kResetGroup, CommandKind::kResetGroup,
                          CommandKind::kTriggerGroup, CommandKind::kDeleteGroup});
  }
  if (command.kind == CommandKind::kDefineGroup) {
    command.quantity = Quantity::FromUnits(OneOf<uint64_t>({5, 20, 60, 200, 800, 3000}));
    command.set_window_nanos(Chance(90) ? OneOf(kWindows) : kInt64Max);
    if (Chance(3)) command.set_window_nanos(OneOf<int64_t>({0, -1}));
    if (Chance(3)) command.quantity = Quantity();
  }
  Queue(command);
}

// Of any length up to the longest and one more, and now and then unsound.
void RandomCommands::MakeNote() {
  Note note;
  note.name_space = OneOf<std::string>({"venue", "venue.keys-1_b", std::string(32, 'z')});
  note.version = OneOf<uint16_t>({1, 2, 65535});
  note.bytes.resize(Chance(3) ? OneOf({kNoteBytesMax, kNoteBytesMax + 1}) : prng_.Below(20));
  for (std::byte& byte : std::span(note.bytes).first(std::min<size_t>(note.bytes.size(), 20))) {
    byte = static_cast<std::byte>(prng_.Below(256));
  }
  if (Chance(3)) note.name_space = OneOf<std::string>({"", "Venue", "a b", std::string(33, 'z')});
  if (Chance(3)) note.version = 0;
  std::vector<std::byte> attachment = EncodeNote(note);
  if (Chance(3)) attachment.resize(attachment.size() + 8);
  if (Chance(3)) attachment.resize(prng_.Below(attachment.size()));
  // Any account and market: the exchange does not look at them.
  const MarketId market(static_cast<uint32_t>(Chance(50) ? prng_.Below(6) : 0));
  Queue(CommandOf(CommandKind::kNote, Chance(50) ? AnyAccount() : AccountId(), market),
        std::move(attachment));
}

}  // namespace engine
