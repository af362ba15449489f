// Builds downstream packets of MoldUDP64, one after the other in the same memory.

#ifndef ENGINE_WIRE_MOLD_PACKET_BUILDER_H_
#define ENGINE_WIRE_MOLD_PACKET_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// Not thread-safe: owned by the sender. Allocates in the constructor only.
class MoldPacketBuilder {
 public:
  // REQUIRES: IsMoldSession(session); `payload_bytes_max` is at most kUdpPayloadBytesMax.
  MoldPacketBuilder(absl::string_view session, size_t payload_bytes_max);

  // Begins a packet without messages: a heartbeat, until some are added.
  void Begin(uint64_t sequence);

  // Adds a message, which stands after its length. Returns false if it has no room.
  bool Add(Bytes framed);

  // Makes the packet announce the end of the session. REQUIRES: it has no messages.
  void EndSession();

  uint64_t sequence() const { return sequence_; }
  uint16_t count() const { return count_; }

  // The packet. Valid until the next call.
  Bytes Finish();

 private:
  std::vector<std::byte> packet_;
  size_t used_ = 0;
  uint64_t sequence_ = 1;
  uint16_t count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_PACKET_BUILDER_H_
