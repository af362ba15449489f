#include "engine/messages/account_codecs.h"

#include "absl/status/status.h"
#include "engine/base/status_macros.h"
#include "engine/messages/canonical_message.h"
#include "engine/messages/messages.capnp.h"

namespace engine {

std::vector<std::byte> EncodeRiskLimits(const RiskLimits& limits) {
  return EncodeCanonical<schema::RiskLimits>([&](schema::RiskLimits::Builder out) {
    out.setOpenOrdersMax(limits.open_orders_max);
    out.setOrderQuantityMax(limits.order_quantity_max.units());
    out.setOrderNotionalMax(limits.order_notional_max.micros());
    out.setOrdersPerSecondMax(limits.orders_per_second_max);
  });
}

std::vector<std::byte> EncodeFeeSchedule(const FeeSchedule& fees) {
  return EncodeCanonical<schema::FeeSchedule>([&](schema::FeeSchedule::Builder out) {
    out.setTakerCoefficient(fees.taker_coefficient);
    out.setMakerCoefficient(fees.maker_coefficient);
    out.setMultiplier(fees.multiplier);
  });
}

absl::StatusOr<RiskLimits> DecodeRiskLimits(Bytes bytes) {
  RiskLimits limits;
  RETURN_IF_ERROR(DecodeCanonical<schema::RiskLimits>(bytes, [&](schema::RiskLimits::Reader in) {
    limits.open_orders_max = in.getOpenOrdersMax();
    limits.order_quantity_max = Quantity::FromUnits(in.getOrderQuantityMax());
    limits.order_notional_max = Money::FromMicros(in.getOrderNotionalMax());
    limits.orders_per_second_max = in.getOrdersPerSecondMax();
  }));
  if (limits.order_notional_max < Money()) {
    return absl::InvalidArgumentError("order_notional_max is below zero");
  }
  return limits;
}

absl::StatusOr<FeeSchedule> DecodeFeeSchedule(Bytes bytes) {
  FeeSchedule fees;
  RETURN_IF_ERROR(DecodeCanonical<schema::FeeSchedule>(bytes, [&](schema::FeeSchedule::Reader in) {
    fees.taker_coefficient = in.getTakerCoefficient();
    fees.maker_coefficient = in.getMakerCoefficient();
    fees.multiplier = in.getMultiplier();
  }));
  if (!IsSound(fees)) {
    return absl::InvalidArgumentError("a fee rate (coefficient × multiplier) must be below 1");
  }
  return fees;
}

}  // namespace engine
