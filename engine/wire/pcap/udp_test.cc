#include "engine/wire/pcap/udp.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr IpEndpoint kFrom = {.address = 0x0a000001, .port = 26400};
constexpr IpEndpoint kTo = {.address = 0xe9360c6f, .port = 26477};

std::string Packet(absl::string_view payload) {
  std::string packet;
  AppendUdpPacket(kFrom, kTo, AsBytes(payload), packet);
  return packet;
}

// The sum of all 16-bit words of sound headers with their check sums is 0xffff (RFC 1071).
uint16_t WordsOf(std::string bytes) {
  if (bytes.size() % 2 != 0) bytes.push_back('\0');
  uint32_t sum = 0;
  for (size_t at = 0; at < bytes.size(); at += 2) {
    sum += LoadBigEndian<uint16_t>(AsBytes(bytes).data() + at);
    sum = (sum & 0xffff) + (sum >> 16);
  }
  return static_cast<uint16_t>(sum);
}

TEST(UdpPacket, HasTheBytesOfTheSpecification) {
  EXPECT_EQ(absl::BytesToHexString(Packet("odd")),
            "4500001f"  // Version, 31 bytes.
            "00004000"  // Do not fragment.
            "4011"      // 64 hops, UDP.
            "3b28"      // Check sum.
            "0a000001"  // 10.0.0.1
            "e9360c6f"  // 233.54.12.111
            "6720676d"  // Ports.
            "000b5e3f"  // 11 bytes, check sum.
            "6f6464");
}

TEST(UdpPacket, IsFoundWithSoundCheckSums) {
  std::string payload;
  for (size_t size = 0; size <= kUdpPayloadBytesMax; size = size < 40 ? size + 1 : size + 9'353) {
    while (payload.size() < size) payload.push_back(static_cast<char>(payload.size() * 251));
    const std::string packet = Packet(payload);
    const std::optional<Bytes> found = UdpPayload(LinkType::kRawIp, AsBytes(packet));
    ASSERT_TRUE(found.has_value()) << size;
    EXPECT_EQ(AsText(*found), payload);
    EXPECT_EQ(WordsOf(packet.substr(0, 20)), 0xffff);
    const std::string pseudo =
        packet.substr(12, 8) + std::string("\0\x11", 2) + packet.substr(24, 2);
    EXPECT_EQ(WordsOf(pseudo + packet.substr(20)), 0xffff) << size;
  }
}

TEST(UdpPacket, ACheckSumThatWouldBeZeroIsAllOnes) {
  // Without the payload the check sum is the payload's word that makes it zero.
  const std::string without = Packet(std::string(2, '\0'));
  const std::string packet = Packet(without.substr(26, 2));
  EXPECT_EQ(packet.substr(26, 2), "\xff\xff");
}

}  // namespace
}  // namespace engine
