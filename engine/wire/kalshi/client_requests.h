// What a client sends: values to JSON. The other direction: requests.h and commands.h, whose
// structs these are. What is written here is read there as an equal value.
//
//   CreateOrder ─► {"ticker":"KX-1","side":"bid","count":"10.00","price":"0.5600",…}
//
// A member with its default is left out where the API allows that. Every Write() appends one JSON
// object. Nothing is checked: that is for the venue to do.

#ifndef ENGINE_WIRE_KALSHI_CLIENT_REQUESTS_H_
#define ENGINE_WIRE_KALSHI_CLIENT_REQUESTS_H_

#include "engine/wire/kalshi/commands.h"
#include "engine/wire/kalshi/json_writer.h"
#include "engine/wire/kalshi/requests.h"

namespace engine::kalshi {

// The body of POST /portfolio/events/orders. REQUIRES: a time in force that CreateOrder names, and
// kCancelTaker or kCancelMaker.
void Write(const CreateOrder& order, JsonWriter& json);

// The body of POST /portfolio/events/orders/{order_id}/amend.
void Write(const AmendOrder& amend, JsonWriter& json);

// A message on the WebSocket.
void Write(const SocketCommand& command, JsonWriter& json);

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_CLIENT_REQUESTS_H_
