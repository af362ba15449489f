// Parses one ITCH message.

#ifndef ENGINE_WIRE_ITCH_PARSER_H_
#define ENGINE_WIRE_ITCH_PARSER_H_

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/wire/itch/messages.h"

namespace engine {

// `message` is the whole message including its type, without the frame's length. Accepts any bytes;
// allocates only for errors.
// Errors: INVALID_ARGUMENT if the type is unknown, the size is not exactly that of the type, or the
// side of an order is neither 'B' nor 'S'.
absl::StatusOr<ItchMessage> ParseItchMessage(Bytes message);

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_PARSER_H_
