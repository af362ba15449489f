// Makes MoldUDP64 packets, puts them into UDP, and those into a capture.

#ifndef ENGINE_WIRE_MOLD_TESTING_PACKETS_H_
#define ENGINE_WIRE_MOLD_TESTING_PACKETS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace engine {

// `value` in `bytes` bytes.
std::string BigEndian(uint64_t value, int bytes);

// Each message after its length, as in a packet and as in a file.
std::string Framed(const std::vector<std::string>& messages);

// `framed` has `count` messages; 0 is a heartbeat, 0xffff the end of the session.
std::string MoldBytes(absl::string_view session, uint64_t sequence, uint16_t count,
                      absl::string_view framed = "");

enum class Link { kEthernet, kVlan, kTwoVlans, kRawIp, kLinuxCooked };

// `payload` in UDP, IPv4 and what `link` says.
std::string UdpPacket(absl::string_view payload, Link link = Link::kEthernet);

struct PcapForm {
  bool is_big_endian = false;
  bool has_nanoseconds = false;
  uint32_t link_type = 1;
  uint32_t keep_bytes_max = 1 << 16;  // The snap length.
};

std::string PcapHeader(const PcapForm& form = {});
std::string PcapRecord(absl::string_view packet, const PcapForm& form = {});

}  // namespace engine

#endif  // ENGINE_WIRE_MOLD_TESTING_PACKETS_H_
