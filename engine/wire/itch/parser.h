// Parses one ITCH message that a frame reader has found.

#ifndef ENGINE_WIRE_ITCH_PARSER_H_
#define ENGINE_WIRE_ITCH_PARSER_H_

#include "absl/status/statusor.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/messages.h"

namespace engine {

// Allocates only for errors. REQUIRES: `frame` comes from an ItchFrameReader, which has checked its
// type and size.
// Errors: INVALID_ARGUMENT with the byte offset and the message number if the side of an order is
// neither 'B' nor 'S'.
absl::StatusOr<ItchMessage> ParseItchMessage(const ItchFrame& frame);

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_PARSER_H_
