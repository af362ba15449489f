// Finds UDP in a captured packet: Ethernet, with VLAN tags or without, IPv4, UDP.

#ifndef ENGINE_WIRE_PCAP_UDP_H_
#define ENGINE_WIRE_PCAP_UDP_H_

#include <cstdint>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/bytes.h"

namespace engine {

// What precedes IP in each packet of a capture. The numbers are those of pcap.
enum class LinkType : uint32_t { kEthernet = 1, kRawIp = 101, kLinuxCooked = 113 };

// Errors: INVALID_ARGUMENT with the choices for a number that is none of LinkType.
absl::Status CheckLinkType(uint32_t number);

// Returns what UDP carries, within `packet`; nullopt if the packet is no UDP over IPv4, a fragment,
// or not whole. Check sums are not looked at: cards compute them after the capture.
std::optional<Bytes> UdpPayload(LinkType link, Bytes packet);

}  // namespace engine

#endif  // ENGINE_WIRE_PCAP_UDP_H_
