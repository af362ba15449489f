// Decodes a downstream packet of MoldUDP64.
//
//   ┌─────────────┬─────────────┬─────────┬────────────────────┬──
//   │ session  10 │ sequence  8 │ count 2 │ length 2 │ message │ …
//   └─────────────┴─────────────┴─────────┴────────────────────┴──
//
// Integers are big-endian. Specified in PROTOCOL.md.

#ifndef ENGINE_WIRE_MOLD_PACKET_H_
#define ENGINE_WIRE_MOLD_PACKET_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

inline constexpr size_t kMoldSessionBytes = 10;
inline constexpr size_t kMoldHeaderBytes =
    kMoldSessionBytes + sizeof(uint64_t) + sizeof(uint16_t);  // Without the messages.
inline constexpr size_t kMoldLengthBytes = 2;                 // Before each message.
inline constexpr uint16_t kMoldEndOfSession = 0xffff;         // In the place of the count.

// Whether a session may have this name: 1 to kMoldSessionBytes printable ASCII characters, the last
// of which is no blank, as these pad it.
bool IsMoldSession(absl::string_view name);

// A value; it refers to the bytes of the packet.
struct MoldPacket {
  enum class Kind : uint8_t { kMessages, kHeartbeat, kEndOfSession };

  Kind kind = Kind::kMessages;
  absl::string_view session = {};  // kMoldSessionBytes characters, padded with blanks.
  uint64_t sequence = 0;           // Of the first message; without one, of the next to be sent.
  uint16_t count = 0;              // Of messages.
  Bytes messages = {};             // Each after its length, of 2 bytes: exactly `count`.

  // Of the message after the last.
  uint64_t next_sequence() const { return sequence + count; }
};

// `payload` is what UDP carries. Errors: INVALID_ARGUMENT that says what was expected.
absl::StatusOr<MoldPacket> ParseMoldPacket(Bytes payload);

// Returns `messages` without the first `count` of them. REQUIRES: there are so many.
Bytes WithoutFirst(Bytes messages, uint64_t count);

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_PACKET_H_
