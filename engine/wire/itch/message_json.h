// An ITCH message as text: one JSON object.
//
//   {"type":"X","stock_locate":13,"tracking_number":0,"timestamp_ns":34200000000000,
//    "order_reference":17,"cancelled_shares":34}

#ifndef ENGINE_WIRE_ITCH_MESSAGE_JSON_H_
#define ENGINE_WIRE_ITCH_MESSAGE_JSON_H_

#include <string>

#include "engine/wire/itch/messages.h"

namespace engine {

// Appends the message without a line feed. Members are those of the message's struct, in its order
// and units; text is without its padding.
void AppendItchJson(const ItchMessage& message, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_MESSAGE_JSON_H_
