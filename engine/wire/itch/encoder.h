// Writes ITCH messages as frames: the inverse of framing.h and parser.h.
//
//   ┌────────────────┬──────┬──────────────────────┐
//   │ length         │ type │ fields               │  length: big-endian, 2 bytes, without itself
//   │ 00 24          │ 41   │ …                    │
//   └────────────────┴──────┴──────────────────────┘

#ifndef ENGINE_WIRE_ITCH_ENCODER_H_
#define ENGINE_WIRE_ITCH_ENCODER_H_

#include <cstddef>
#include <string>

#include "engine/wire/itch/messages.h"

namespace engine {

inline constexpr size_t kItchLengthBytes = 2;

// A message as a frame: AsBytes() of it are the bytes of a stream, and, without the first
// kItchLengthBytes, of a packet. T is an alternative of ItchMessage.
template <typename T>
struct ItchFramed {
  ItchUint16 length = 1 + sizeof(T);
  char type = T::kType;
  T message;
};

// Appends the message as a frame.
void AppendItchFrame(const ItchMessage& message, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_ENCODER_H_
