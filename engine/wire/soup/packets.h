// The packets of SoupBinTCP, both directions: split from a stream of bytes, and written.
//
//   ┌──────────┬────────┬──────────────────┐
//   │ length 2 │ type 1 │ payload          │  length: big-endian, of type and payload
//   └──────────┴────────┴──────────────────┘
//
// Specified in PROTOCOL.md.

#ifndef ENGINE_WIRE_SOUP_PACKETS_H_
#define ENGINE_WIRE_SOUP_PACKETS_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// The letter of a packet. What a stream has may be any byte.
enum class SoupType : char {
  // Of a client.
  kLoginRequest = 'L',
  kUnsequencedData = 'U',
  kClientHeartbeat = 'R',
  kLogoutRequest = 'O',
  // Of a server.
  kLoginAccepted = 'A',
  kLoginRejected = 'J',
  kSequencedData = 'S',
  kServerHeartbeat = 'H',
  kEndOfSession = 'Z',
  // Of both.
  kDebug = '+',
};

inline constexpr size_t kSoupLengthBytes = 2;
inline constexpr size_t kSoupPayloadBytesMax = 65'534;

struct SoupPacket {
  SoupType type = {};
  Bytes payload;  // Valid until the next call of the reader.
};

// Sans-I/O: feed a chunk, take packets until there is none, feed the next. Not thread-safe: owned
// by the reader of the stream. Keeps at most one packet.
//
// Failure is sticky: after an error the boundaries of packets are lost, so every call returns the
// same error, and further input is ignored.
class SoupReader {
 public:
  // A packet with a longer payload is an error, as soon as its length is there.
  explicit SoupReader(size_t payload_bytes_max = kSoupPayloadBytesMax)
      : payload_bytes_max_(payload_bytes_max) {}

  // `chunk` stays valid until Next() has returned false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk) { rest_ = chunk; }

  // Takes the next packet, of any type. Returns false if the chunk is used up.
  // Errors: INVALID_ARGUMENT with the packet's number, what was found and what was expected: for a
  // length of zero or one that is too large.
  absl::StatusOr<bool> Next(SoupPacket& packet);

  // Whether the stream has ended inside a packet if no more comes.
  bool is_inside_packet() const { return gathered_.size() > taken_; }

 private:
  // The size of the packet that begins with these bytes, its length included, or how many of its
  // bytes are needed to know.
  absl::StatusOr<size_t> SizeOf(Bytes begun);

  const size_t payload_bytes_max_;
  Bytes rest_;            // The unread part of the chunk.
  std::string gathered_;  // A packet that began in an earlier chunk.
  size_t taken_ = 0;      // Of gathered_: all of it, once it was returned.
  uint64_t packet_count_ = 0;
  absl::Status status_;  // Sticky; see the class comment.
};

// Appends a packet. REQUIRES: at most kSoupPayloadBytesMax.
void AppendSoupPacket(SoupType type, Bytes payload, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_SOUP_PACKETS_H_
