// Makes the packets of a TCP connection, as a capture between its ends has them: the handshake,
// segments with what each end sends, each of which acknowledges all before it, and the ends.

#ifndef ENGINE_WIRE_PCAP_TCP_H_
#define ENGINE_WIRE_PCAP_TCP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "engine/base/bytes.h"
#include "engine/wire/pcap/ipv4.h"

namespace engine {

// Not thread-safe.
class TcpConnection {
 public:
  enum class End : uint8_t { kClient, kServer };

  // Payload of a segment, in one frame of Ethernet.
  static constexpr size_t kSegmentBytesMax = 1'460;

  // Receives a packet of IPv4, which is valid during the call.
  using Send = absl::FunctionRef<void(Bytes packet)>;

  TcpConnection(const IpEndpoint& client, const IpEndpoint& server) : ends_{client, server} {}

  // The handshake: three packets.
  void Open(Send send);
  // As many segments as it takes. REQUIRES: it is open.
  void Write(End from, Bytes bytes, Send send);
  // Both ends close, the server first. REQUIRES: it is open.
  void Close(Send send);

 private:
  void SendSegment(End from, uint8_t flags, Bytes payload, Send send);

  std::array<IpEndpoint, 2> ends_;
  std::array<uint32_t, 2> next_ = {1'000, 2'000};  // Of each end's bytes; wraps.
  std::string packet_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_PCAP_TCP_H_
