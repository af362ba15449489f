// Codecs for the attachments that concern accounts: risk limits and fee schedules. Canonical bytes,
// as for market definitions.

#ifndef ENGINE_MESSAGES_ACCOUNT_CODECS_H_
#define ENGINE_MESSAGES_ACCOUNT_CODECS_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/risk_limits.h"

namespace engine {

std::vector<std::byte> EncodeRiskLimits(const RiskLimits& limits);
std::vector<std::byte> EncodeFeeSchedule(const FeeSchedule& fees);

// Accept any bytes. Errors: DATA_LOSS if they are not such a message, INVALID_ARGUMENT if the
// values are invalid.
absl::StatusOr<RiskLimits> DecodeRiskLimits(Bytes bytes);
absl::StatusOr<FeeSchedule> DecodeFeeSchedule(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_MESSAGES_ACCOUNT_CODECS_H_
