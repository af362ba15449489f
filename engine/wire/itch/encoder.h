// Writes ITCH messages as frames: the inverse of framing.h and parser.h.
//
//   ┌────────────────┬──────┬──────────────────────┐
//   │ length         │ type │ fields               │  length: big-endian, 2 bytes, without itself
//   │ 00 24          │ 41   │ …                    │
//   └────────────────┴──────┴──────────────────────┘

#ifndef ENGINE_WIRE_ITCH_ENCODER_H_
#define ENGINE_WIRE_ITCH_ENCODER_H_

#include <array>
#include <cstddef>
#include <string>

#include "engine/wire/itch/messages.h"

namespace engine {

inline constexpr size_t kItchLengthBytes = 2;

// What ends a snapshot of GLIMPSE 5.0, whose other messages are those of ITCH: the number of the
// feed's message from which a receiver goes on, as decimal digits, padded on the right with spaces.
struct ItchSnapshotEnd {
  static constexpr char kType = 'G';
  std::array<char, 20> next_message = {};
};

// A message as a frame: AsBytes() of it are the bytes of a stream, and, without the first
// kItchLengthBytes, of a packet. T is an alternative of ItchMessage, or ItchSnapshotEnd.
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
