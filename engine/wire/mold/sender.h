// Puts the messages of a MoldUDP64 session into packets: as many as wait and fit.
//
//   Add 1 2 3 4 5 ─► [1 2 3] leaves, 4 5 wait ─► Flush ─► [4 5]
//
// The owner adds the messages that wait, and flushes when there are no more: so packets are full
// while messages wait, and none waits for others. It sends a heartbeat when it has sent nothing for
// a second.

#ifndef ENGINE_WIRE_MOLD_SENDER_H_
#define ENGINE_WIRE_MOLD_SENDER_H_

#include <cstddef>
#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/packet_builder.h"

namespace engine {

// Sans-I/O. Not thread-safe: owned by the publisher. Allocates in the constructor only.
class MoldSender {
 public:
  // Receives what UDP carries, which is valid during the call.
  using Send = absl::FunctionRef<void(Bytes packet)>;

  // REQUIRES: IsMoldSession(session); a packet of `payload_bytes_max` has room for any message, and
  // is at most kUdpPayloadBytesMax.
  MoldSender(absl::string_view session, size_t payload_bytes_max, uint64_t first_sequence = 1);

  // Takes the next message, which stands after its length.
  void Add(Bytes framed, Send send);

  // Sends the messages that wait, if any.
  void Flush(Send send);

  // Flushes, then tells the next sequence number.
  void Heartbeat(Send send);
  // Flushes, then tells that there are no more messages.
  void EndSession(Send send);

  // Of the message that is added next.
  uint64_t next_sequence() const { return packet_.sequence() + packet_.count(); }
  // How many messages wait.
  uint16_t waiting() const { return packet_.count(); }

 private:
  MoldPacketBuilder packet_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_SENDER_H_
