#include "engine/wire/pcap/ipv4.h"

#include <cstring>
#include <limits>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/wire/big_endian.h"

namespace engine {
namespace {

using Uint16 = BigEndianInteger<uint16_t>;
using Uint32 = BigEndianInteger<uint32_t>;

struct Ipv4Header {
  uint8_t version_and_words = 0x45;
  uint8_t service = 0;
  Uint16 total_bytes;
  Uint16 identification = 0;
  Uint16 fragment = 0x4000;  // Do not fragment: so the identification has no meaning.
  uint8_t time_to_live = 64;
  uint8_t protocol = 0;
  Uint16 check_sum = 0;
  Uint32 from;
  Uint32 to;
};
static_assert(sizeof(Ipv4Header) == kIpv4HeaderBytes);

// What the check sum of a protocol covers of IPv4.
struct PseudoHeader {
  Uint32 from;
  Uint32 to;
  Uint16 protocol;
  Uint16 bytes;
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

void AppendIpv4Packet(const IpRoute& route, MutableBytes header, size_t check_sum_at, Bytes payload,
                      std::string& out) {
  const size_t bytes = header.size() + payload.size();
  CHECK_LE(kIpv4HeaderBytes + bytes, std::numeric_limits<uint16_t>::max());
  Ipv4Header ip = {.total_bytes = static_cast<uint16_t>(kIpv4HeaderBytes + bytes),
                   .protocol = static_cast<uint8_t>(route.protocol),
                   .from = route.from,
                   .to = route.to};
  ip.check_sum = CheckSum(Sum(AsBytes(ip)));
  const PseudoHeader pseudo = {.from = route.from,
                               .to = route.to,
                               .protocol = uint16_t{ip.protocol},
                               .bytes = static_cast<uint16_t>(bytes)};
  const uint16_t sum = CheckSum(Sum(AsBytes(pseudo)) + Sum(header) + Sum(payload));
  // In UDP zero means that it was not computed, so it has the other number that is zero.
  const Uint16 stored = sum == 0 && route.protocol == IpProtocol::kUdp ? uint16_t{0xffff} : sum;
  std::memcpy(header.data() + check_sum_at, &stored, sizeof(stored));
  for (const Bytes part : {AsBytes(ip), Bytes(header), payload}) {
    absl::StrAppend(&out, AsText(part));
  }
}

}  // namespace engine
