// Answers those who have missed messages of a MoldUDP64 session.
//
//   ┌─────────────┬─────────────┬─────────┐
//   │ session  10 │ sequence  8 │ count 2 │ ─► one downstream packet, to the one who asks
//   └─────────────┴─────────────┴─────────┘
//
// Specified in PROTOCOL.md.

#ifndef ENGINE_WIRE_MOLD_RETRANSMISSION_H_
#define ENGINE_WIRE_MOLD_RETRANSMISSION_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/packet_builder.h"

namespace engine {

// A value; it refers to the bytes of the packet.
struct MoldRequest {
  absl::string_view session = {};  // kMoldSessionBytes characters, padded with blanks.
  uint64_t sequence = 0;           // Of the first message that is asked for; not 0.
  uint16_t count = 0;              // Of messages; not 0.
};

// `payload` is what UDP carries: any bytes. Errors: INVALID_ARGUMENT that says what was expected.
absl::StatusOr<MoldRequest> ParseMoldRequest(Bytes payload);

// What UDP carries to ask for messages. REQUIRES: IsMoldSession(session), and some are asked for.
std::string MoldRequestBytes(absl::string_view session, uint64_t sequence, uint16_t count);

// Has the messages of a session, or makes them again.
class MoldHistory {
 public:
  virtual ~MoldHistory() = default;

  // Calls `take` with message `first` and those after it, each after its length, until it returns
  // false or there are no more. Message `first` may not have been sent yet, or be forgotten: then
  // there is no call.
  virtual void Visit(uint64_t first, absl::FunctionRef<bool(Bytes framed)> take) = 0;
};

// Sans-I/O. Not thread-safe: owned by the server. `history` outlives it. Allocates in the
// constructor only.
class MoldRetransmission {
 public:
  struct Counters {
    uint64_t answered = 0;
    uint64_t messages = 0;   // In the answers.
    uint64_t malformed = 0;  // Packets that are no requests.
    uint64_t of_other_sessions = 0;
    uint64_t without_messages = 0;  // The first message was not sent yet, or is forgotten.
  };

  // REQUIRES: as MoldSender.
  MoldRetransmission(absl::string_view session, size_t payload_bytes_max, MoldHistory& history);

  // Returns the packet that answers what UDP brought: the messages that it asks for, as many as fit
  // into one. Empty if it is not answered. Valid until the next call.
  Bytes Answer(Bytes payload);

  const Counters& counters() const { return counters_; }

 private:
  const std::string session_;
  MoldHistory& history_;
  MoldPacketBuilder packet_;
  Counters counters_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_RETRANSMISSION_H_
