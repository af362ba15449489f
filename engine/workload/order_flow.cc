#include "engine/workload/order_flow.h"

#include <algorithm>

#include "absl/status/statusor.h"
#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "engine/types/order_type.h"
#include "engine/types/time_in_force.h"

namespace bench {
namespace {

using engine::Command;
using engine::CommandKind;

constexpr int64_t kTickUnits = 100;  // 0.01 with four decimals.
constexpr int64_t kMaxTicks = 1'000'000;
constexpr size_t kRemembered = 4096;

}  // namespace

OrderFlow::OrderFlow(engine::CommandSink& sink, engine::ManualClock& clock, Options options)
    : sink_(sink),
      clock_(clock),
      options_(options),
      prng_(options.seed),
      now_nanos_(options.start.nanos()) {
  CHECK(options.market_count >= 1 && options.market_count <= 1 << 20);
  CHECK(options.account_count >= 1 && options.account_count <= 1 << 20);
  CHECK(options.mean_gap_nanos >= 1 && options.mean_gap_nanos <= 1'000'000'000'000);
  placed_.reserve(kRemembered);
}

absl::Status OrderFlow::Next() {
  now_nanos_ += prng_.Between(1, 2 * options_.mean_gap_nanos - 1);
  clock_.Set(engine::Timestamp::FromNanos(now_nanos_));
  if (markets_.size() < options_.market_count) return DefineNextMarket();
  if (placed_.empty()) return NewOrder();
  const uint64_t dice = prng_.Below(1000);
  if (dice < 500) return NewOrder();
  if (dice < 900) return Change(CommandKind::kCancel);
  if (dice < 940) return Change(CommandKind::kReplace);
  if (dice < 970) return Change(CommandKind::kAmend);
  if (dice < 999) return Change(CommandKind::kReduce);
  Command command;
  command.kind = CommandKind::kAdvanceTime;
  return Send(command);
}

absl::Status OrderFlow::DefineNextMarket() {
  engine::MarketDefinition definition;
  definition.id = engine::MarketId(static_cast<uint32_t>(markets_.size()) + 1);
  definition.symbol = absl::StrFormat("MKT%03u", definition.id.value());
  definition.price_decimals = 4;
  definition.tick = engine::Price::FromUnits(kTickUnits);
  definition.price_min = definition.tick;
  definition.price_max = engine::Price::FromUnits(kMaxTicks * kTickUnits);
  markets_.push_back({.mid_ticks = prng_.Between(1'000, 50'000)});
  Command command;
  command.kind = CommandKind::kDefineMarket;
  command.market = definition.id;
  return sink_.Submit(command, engine::EncodeMarketDefinition(definition)).status();
}

absl::Status OrderFlow::NewOrder() {
  const auto market_index = prng_.Below(markets_.size());
  Market& market = markets_[market_index];
  market.mid_ticks =
      std::clamp<int64_t>(market.mid_ticks + prng_.Between(-1, 1), 100, kMaxTicks - 100);

  Command command;
  command.kind = CommandKind::kNewOrder;
  command.market = engine::MarketId(static_cast<uint32_t>(market_index) + 1);
  command.account =
      engine::AccountId(static_cast<uint32_t>(prng_.Below(options_.account_count)) + 1);
  command.side = prng_.Chance(50) ? engine::Side::kBid : engine::Side::kAsk;
  command.quantity = AnyQuantity();
  command.client_order_id = engine::ClientOrderId(next_client_order_id_++);
  const uint64_t dice = prng_.Below(100);
  const bool takes = dice < 20;
  command.type = dice < 3 ? engine::OrderType::kMarket : engine::OrderType::kLimit;
  command.tif = !takes      ? engine::TimeInForce::kGoodTillCancelled
                : dice < 15 ? engine::TimeInForce::kImmediateOrCancel
                            : engine::TimeInForce::kFillOrKill;
  if (command.type == engine::OrderType::kLimit) {
    command.price = PriceNear(market, command.side, takes);
  }
  return Place(command, command.side);
}

absl::Status OrderFlow::Change(CommandKind kind) {
  const Placed placed = AnyPlaced();
  Command command;
  command.kind = kind;
  command.order_id = placed.order;
  command.account = placed.account;
  command.market = placed.market;
  if (kind != CommandKind::kCancel) command.quantity = AnyQuantity();
  if (kind == CommandKind::kReplace || kind == CommandKind::kAmend) {
    const Market& market = markets_[placed.market.value() - 1];
    command.price =
        prng_.Chance(50) ? placed.price : PriceNear(market, placed.side, /*takes=*/false);
  }
  return kind == CommandKind::kReplace ? Place(command, placed.side) : Send(command);
}

absl::Status OrderFlow::Send(const Command& command) { return sink_.Submit(command, {}).status(); }

absl::Status OrderFlow::Place(const Command& command, engine::Side side) {
  ASSIGN_OR_RETURN(const engine::SequenceNumber sequence, sink_.Submit(command, {}));
  const Placed placed{.order = engine::OrderIdOf(sequence),
                      .account = command.account,
                      .market = command.market,
                      .side = side,
                      .price = command.price};
  if (placed_.size() < kRemembered) {
    placed_.push_back(placed);
  } else {
    placed_[next_placed_] = placed;
    next_placed_ = (next_placed_ + 1) % kRemembered;
  }
  return absl::OkStatus();
}

engine::Price OrderFlow::PriceNear(const Market& market, engine::Side side, bool takes) {
  // The smaller of two draws: most orders are close to the mid price.
  const auto depth = static_cast<int64_t>(std::min(prng_.Below(60), prng_.Below(60)));
  const int64_t away = takes ? -depth : depth + 1;
  const int64_t ticks =
      side == engine::Side::kBid ? market.mid_ticks - away : market.mid_ticks + away;
  return engine::Price::FromUnits(ticks * kTickUnits);
}

engine::Quantity OrderFlow::AnyQuantity() {
  return engine::Quantity::FromUnits(prng_.Below(100) + 1);
}

const OrderFlow::Placed& OrderFlow::AnyPlaced() {
  const uint64_t age = std::min(prng_.Below(placed_.size()), prng_.Below(placed_.size()));
  return placed_[(next_placed_ + placed_.size() - 1 - age) % placed_.size()];
}

}  // namespace bench
