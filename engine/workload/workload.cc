#include "engine/workload/workload.h"

#include "absl/strings/str_format.h"
#include "engine/base/check.h"
#include "engine/messages/market_definition_codec.h"

namespace bench {

engine::OrderId WorkloadBuilder::Add(engine::Command command, std::vector<std::byte> attachment) {
  const engine::OrderId id = next_order_id();
  command.sequence = engine::SequenceNumber(id.value());
  command.timestamp = now_;
  now_ = engine::Timestamp::FromNanos(now_.nanos() + step_nanos_);
  if (!attachment.empty()) {
    workload_.attachments.emplace_back(workload_.commands.size(), std::move(attachment));
  }
  workload_.commands.push_back(command);
  return id;
}

void WorkloadBuilder::SetNow(engine::Timestamp now) {
  CHECK_GE(now, now_);
  now_ = now;
}

void WorkloadBuilder::Define(const engine::MarketDefinition& definition) {
  engine::Command command;
  command.kind = engine::CommandKind::kDefineMarket;
  command.market = definition.id;
  Add(command, engine::EncodeMarketDefinition(definition));
}

engine::MarketDefinition DefaultMarket(uint32_t id) {
  engine::MarketDefinition definition;
  definition.id = engine::MarketId(id);
  definition.symbol = absl::StrFormat("MKT%05u", id);
  definition.price_decimals = 2;
  definition.price_max = engine::Price::FromUnits(1'000'000);
  return definition;
}

engine::MarketDefinition FineMarket(uint32_t id) {
  engine::MarketDefinition definition = DefaultMarket(id);
  definition.price_decimals = 4;
  definition.price_max = engine::Price::FromUnits(1'000'000 * kUnitsOfCent);
  return definition;
}

}  // namespace bench
