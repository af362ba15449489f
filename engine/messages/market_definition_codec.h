// A market definition as the attachment of its command: struct MarketDefinition of messages.capnp,
// in Cap'n Proto's canonical form (one segment, no framing), so that equal definitions are equal
// bytes.

#ifndef ENGINE_MESSAGES_MARKET_DEFINITION_CODEC_H_
#define ENGINE_MESSAGES_MARKET_DEFINITION_CODEC_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/types/market_definition.h"

namespace engine {

std::vector<std::byte> EncodeMarketDefinition(const MarketDefinition& definition);

// Reads any bytes safely; the definition is sound (Validate).
// Errors: DATA_LOSS when it is no such message, INVALID_ARGUMENT when it is unsound.
absl::StatusOr<MarketDefinition> DecodeMarketDefinition(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_MESSAGES_MARKET_DEFINITION_CODEC_H_
