// What concerns accounts and travels as attachments: risk limits and fees. Canonical bytes, as of a
// market definition.

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

// Read any bytes safely. Errors: DATA_LOSS when they are no such message, INVALID_ARGUMENT when
// what they say is unsound.
absl::StatusOr<RiskLimits> DecodeRiskLimits(Bytes bytes);
absl::StatusOr<FeeSchedule> DecodeFeeSchedule(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_MESSAGES_ACCOUNT_CODECS_H_
