// Makes packets of IPv4, from their first byte on, as LinkType::kRawIp has them.

#ifndef ENGINE_WIRE_PCAP_IPV4_H_
#define ENGINE_WIRE_PCAP_IPV4_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/bytes.h"

namespace engine {

struct IpEndpoint {
  uint32_t address = 0;  // Of IPv4: 10.0.0.1 is 0x0a000001.
  uint16_t port = 0;     // Of UDP or TCP.
};

enum class IpProtocol : uint8_t { kTcp = 6, kUdp = 17 };

struct IpRoute {
  IpProtocol protocol = {};
  uint32_t from = 0;
  uint32_t to = 0;
};

inline constexpr size_t kIpv4HeaderBytes = 20;

// Appends a packet with the protocol's header and what it carries, and computes the check sums of
// IPv4 and, at `check_sum_at`, of the protocol, which is zero before. REQUIRES: at most 65,535
// bytes; the header's size is even.
void AppendIpv4Packet(const IpRoute& route, MutableBytes header, size_t check_sum_at, Bytes payload,
                      std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_PCAP_IPV4_H_
