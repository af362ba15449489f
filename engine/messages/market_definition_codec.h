// Encodes and decodes a market definition, the attachment of its command: struct MarketDefinition
// of messages.capnp, in Cap'n Proto's canonical form (one segment, no framing), so that equal
// definitions have equal bytes.

#ifndef ENGINE_MESSAGES_MARKET_DEFINITION_CODEC_H_
#define ENGINE_MESSAGES_MARKET_DEFINITION_CODEC_H_

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/types/market_definition.h"

namespace engine {

std::vector<std::byte> EncodeMarketDefinition(const MarketDefinition& definition);

// Accepts any bytes; the definition that it returns is valid (Validate). Errors: DATA_LOSS if the
// bytes are not such a message, INVALID_ARGUMENT if the definition is invalid.
absl::StatusOr<MarketDefinition> DecodeMarketDefinition(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_MESSAGES_MARKET_DEFINITION_CODEC_H_
