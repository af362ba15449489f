// A message of OUCH as text: members of a JSON object.
//
//   "message":"cancelled","timestamp_ns":34200000000000,"token":"T1","decrement":5,"reason":"U"

#ifndef ENGINE_WIRE_OUCH_MESSAGE_JSON_H_
#define ENGINE_WIRE_OUCH_MESSAGE_JSON_H_

#include <string>

#include "engine/wire/ouch/messages.h"

namespace engine::ouch {

// Append without braces. Members are those of the message's struct, in its order and units; text is
// without its padding.
void AppendJsonMembers(const Inbound& message, std::string& out);
void AppendJsonMembers(const Outbound& message, std::string& out);

}  // namespace engine::ouch

#endif  // ENGINE_WIRE_OUCH_MESSAGE_JSON_H_
