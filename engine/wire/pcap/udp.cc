#include "engine/wire/pcap/udp.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/big_endian.h"

namespace engine {
namespace {

constexpr uint16_t kIpv4 = 0x0800;
constexpr std::byte kUdp = std::byte{17};
constexpr size_t kTypeBytes = 2;
constexpr size_t kTagBytes = 4;
constexpr size_t kIpv4BytesMin = 20;
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

using Uint16 = BigEndianInteger<uint16_t>;
using Uint32 = BigEndianInteger<uint32_t>;

struct Ipv4Header {
  uint8_t version_and_words = 0x45;
  uint8_t service = 0;
  Uint16 total_bytes;
  Uint16 identification = 0;
  Uint16 fragment = 0x4000;  // Do not fragment: so the identification has no meaning.
  uint8_t time_to_live = 64;
  uint8_t protocol = std::to_integer<uint8_t>(kUdp);
  Uint16 check_sum = 0;
  Uint32 from;
  Uint32 to;
};
static_assert(sizeof(Ipv4Header) == kIpv4BytesMin);

struct UdpHeader {
  Uint16 from;
  Uint16 to;
  Uint16 bytes;
  Uint16 check_sum = 0;
};
static_assert(sizeof(UdpHeader) == kUdpBytes);

// What the check sum of UDP covers of IPv4.
struct PseudoHeader {
  Uint32 from;
  Uint32 to;
  Uint16 protocol = std::to_integer<uint16_t>(kUdp);
  Uint16 udp_bytes;
};

// The sum of RFC 1071, carries not yet folded. Only the last of several parts may be of odd size.
uint64_t Sum(Bytes bytes) {
  uint64_t sum = 0;
  for (; bytes.size() >= 2; bytes = bytes.subspan(2)) sum += LoadBigEndian<uint16_t>(bytes.data());
  return bytes.empty() ? sum : sum + (std::to_integer<uint64_t>(bytes.front()) << 8);
}

uint16_t CheckSum(uint64_t sum) {
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

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
  if (!ip.has_value() || ip->size() < kIpv4BytesMin) return std::nullopt;
  const auto first = std::to_integer<size_t>((*ip)[0]);
  const size_t header = (first & 0xf) * 4;
  const size_t total = LoadBigEndian<uint16_t>(ip->data() + 2);
  const auto fragment = LoadBigEndian<uint16_t>(ip->data() + 6);
  if (first >> 4 != 4 || header < kIpv4BytesMin || (fragment & kFragmentMask) != 0 ||
      (*ip)[9] != kUdp || total > ip->size() || total < header + kUdpBytes) {
    return std::nullopt;
  }
  const Bytes udp = ip->subspan(header, total - header);
  const size_t length = LoadBigEndian<uint16_t>(udp.data() + 4);
  if (length < kUdpBytes || length > udp.size()) return std::nullopt;
  return udp.subspan(kUdpBytes, length - kUdpBytes);
}

void AppendUdpPacket(const UdpEndpoint& from, const UdpEndpoint& to, Bytes payload,
                     std::string& out) {
  CHECK_LE(payload.size(), kUdpPayloadBytesMax);
  const auto udp_bytes = static_cast<uint16_t>(kUdpBytes + payload.size());
  Ipv4Header ip = {.total_bytes = static_cast<uint16_t>(kIpv4BytesMin + udp_bytes),
                   .from = from.address,
                   .to = to.address};
  ip.check_sum = CheckSum(Sum(AsBytes(ip)));
  UdpHeader udp = {.from = from.port, .to = to.port, .bytes = udp_bytes};
  const PseudoHeader pseudo = {.from = from.address, .to = to.address, .udp_bytes = udp_bytes};
  const uint16_t sum = CheckSum(Sum(AsBytes(pseudo)) + Sum(AsBytes(udp)) + Sum(payload));
  udp.check_sum = sum == 0 ? 0xffff : sum;  // 0 is: not computed.
  for (const Bytes part : {AsBytes(ip), AsBytes(udp), payload}) {
    const absl::string_view text = AsText(part);
    out.append(text.data(), text.size());
  }
}

}  // namespace engine
