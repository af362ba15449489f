// Finds UDP in a captured packet: Ethernet, with VLAN tags or without, IPv4, UDP. Makes packets of
// IPv4 and UDP.

#ifndef ENGINE_WIRE_PCAP_UDP_H_
#define ENGINE_WIRE_PCAP_UDP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/wire/pcap/ipv4.h"

namespace engine {

// What precedes IP in each packet of a capture. The numbers are those of pcap.
enum class LinkType : uint32_t { kEthernet = 1, kRawIp = 101, kLinuxCooked = 113 };

// Errors: INVALID_ARGUMENT with the choices for a number that is none of LinkType.
absl::Status CheckLinkType(uint32_t number);

// Returns what UDP carries, within `packet`; nullopt if the packet is no UDP over IPv4, a fragment,
// or not whole. Check sums are not looked at: cards compute them after the capture.
std::optional<Bytes> UdpPayload(LinkType link, Bytes packet);

// What UDP over IPv4 can carry, and what it carries in one frame of Ethernet.
inline constexpr size_t kUdpPayloadBytesMax = 65'507;
inline constexpr size_t kEthernetPayloadBytes = 1'472;

// Appends a packet from its IPv4 header on, as LinkType::kRawIp has it, with both check sums.
// REQUIRES: at most kUdpPayloadBytesMax bytes.
void AppendUdpPacket(const IpEndpoint& from, const IpEndpoint& to, Bytes payload, std::string& out);

}  // namespace engine

#endif  // ENGINE_WIRE_PCAP_UDP_H_
