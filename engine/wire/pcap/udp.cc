#include "engine/wire/pcap/udp.h"

#include <cstddef>
#include <span>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/wire/big_endian.h"
#include "engine/wire/pcap/ipv4.h"

namespace engine {
namespace {

constexpr uint16_t kIpv4 = 0x0800;
constexpr size_t kTypeBytes = 2;
constexpr size_t kTagBytes = 4;
constexpr size_t kUdpBytes = 8;
constexpr uint16_t kFragmentMask = 0x3fff;  // More follow, and the offset.

// 802.1Q, 802.1ad, and what came before that.
bool IsTag(uint16_t type) { return type == 0x8100 || type == 0x88a8 || type == 0x9100; }

// The packet from its IPv4 header on.
std::optional<Bytes> Ipv4(LinkType link, Bytes packet) {
  if (link == LinkType::kRawIp) return packet;
  size_t type_at = link == LinkType::kEthernet ? 12 : 14;
  while (packet.size() >= type_at + kTypeBytes) {
    const auto type = LoadBigEndian<uint16_t>(packet.data() + type_at);
    if (type == kIpv4) return packet.subspan(type_at + kTypeBytes);
    if (!IsTag(type)) return std::nullopt;
    type_at += kTagBytes;
  }
  return std::nullopt;
}

struct UdpHeader {
  BigEndianInteger<uint16_t> from;
  BigEndianInteger<uint16_t> to;
  BigEndianInteger<uint16_t> bytes;
  BigEndianInteger<uint16_t> check_sum = 0;
};
static_assert(sizeof(UdpHeader) == kUdpBytes);

}  // namespace

absl::Status CheckLinkType(uint32_t number) {
  for (const LinkType known : {LinkType::kEthernet, LinkType::kRawIp, LinkType::kLinuxCooked}) {
    if (number == static_cast<uint32_t>(known)) return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "pcap: link type ", number, ", expected 1 (Ethernet), 101 (raw IP) or 113 (Linux cooked)"));
}

std::optional<Bytes> UdpPayload(LinkType link, Bytes packet) {
  const std::optional<Bytes> ip = Ipv4(link, packet);
  if (!ip.has_value() || ip->size() < kIpv4HeaderBytes) return std::nullopt;
  const auto first = std::to_integer<size_t>((*ip)[0]);
  const size_t header = (first & 0xf) * 4;
  const size_t total = LoadBigEndian<uint16_t>(ip->data() + 2);
  const auto fragment = LoadBigEndian<uint16_t>(ip->data() + 6);
  if (first >> 4 != 4 || header < kIpv4HeaderBytes || (fragment & kFragmentMask) != 0 ||
      (*ip)[9] != static_cast<std::byte>(IpProtocol::kUdp) || total > ip->size() ||
      total < header + kUdpBytes) {
    return std::nullopt;
  }
  const Bytes udp = ip->subspan(header, total - header);
  const size_t length = LoadBigEndian<uint16_t>(udp.data() + 4);
  if (length < kUdpBytes || length > udp.size()) return std::nullopt;
  return udp.subspan(kUdpBytes, length - kUdpBytes);
}

void AppendUdpPacket(const IpEndpoint& from, const IpEndpoint& to, Bytes payload,
                     std::string& out) {
  CHECK_LE(payload.size(), kUdpPayloadBytesMax);
  UdpHeader udp = {
      .from = from.port, .to = to.port, .bytes = static_cast<uint16_t>(kUdpBytes + payload.size())};
  AppendIpv4Packet({.protocol = IpProtocol::kUdp, .from = from.address, .to = to.address},
                   std::as_writable_bytes(std::span(&udp, 1)), offsetof(UdpHeader, check_sum),
                   payload, out);
}

}  // namespace engine
