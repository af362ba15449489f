#include "engine/wire/mold/testing/packets.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace engine {
namespace {

std::string Word(uint32_t value, const PcapForm& form) {
  std::string bytes = BigEndian(value, 4);
  if (!form.is_big_endian) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

std::string LinkHeader(Link link) {
  const std::string addresses(12, '\x02');
  const std::string tag = BigEndian(0x8100'0007, 4);
  const std::string ipv4 = BigEndian(0x0800, 2);
  switch (link) {
    case Link::kEthernet:
      return addresses + ipv4;
    case Link::kVlan:
      return addresses + tag + ipv4;
    case Link::kTwoVlans:
      return addresses + BigEndian(0x88a8'0001, 4) + tag + ipv4;
    case Link::kRawIp:
      return "";
    case Link::kLinuxCooked:
      return std::string(14, '\0') + ipv4;
  }
  return "";
}

}  // namespace

std::string BigEndian(uint64_t value, int bytes) {
  std::string text;
  for (int i = bytes - 1; i >= 0; --i) text.push_back(static_cast<char>(value >> (8 * i)));
  return text;
}

std::string Framed(const std::vector<std::string>& messages) {
  std::string framed;
  for (const std::string& message : messages) {
    absl::StrAppend(&framed, BigEndian(message.size(), 2), message);
  }
  return framed;
}

std::string MoldBytes(absl::string_view session, uint64_t sequence, uint16_t count,
                      absl::string_view framed) {
  std::string padded(session);
  padded.resize(10, ' ');
  return absl::StrCat(padded, BigEndian(sequence, 8), BigEndian(count, 2), framed);
}

std::string UdpPacket(absl::string_view payload, Link link) {
  const size_t udp_bytes = 8 + payload.size();
  const std::string udp = absl::StrCat(BigEndian(26400, 2), BigEndian(26400, 2),
                                       BigEndian(udp_bytes, 2), BigEndian(0, 2), payload);
  const std::string ip = absl::StrCat(BigEndian(0x4500, 2), BigEndian(20 + udp_bytes, 2),
                                      BigEndian(0, 4), BigEndian(0x4011, 2), BigEndian(0, 2),
                                      BigEndian(0x0a000001, 4), BigEndian(0xe9360c01, 4));
  std::string packet = absl::StrCat(LinkHeader(link), ip, udp);
  const bool is_padded = link != Link::kRawIp && packet.size() < 60;
  if (is_padded) packet.resize(60, '\0');
  return packet;
}

std::string PcapHeader(const PcapForm& form) {
  const uint32_t magic = form.has_nanoseconds ? 0xa1b23c4d : 0xa1b2c3d4;
  const uint32_t version = form.is_big_endian ? 0x0002'0004 : 0x0004'0002;
  return absl::StrCat(Word(magic, form), Word(version, form), Word(0, form), Word(0, form),
                      Word(form.keep_bytes_max, form), Word(form.link_type, form));
}

std::string PcapRecord(absl::string_view packet, const PcapForm& form) {
  const absl::string_view kept = packet.substr(0, form.keep_bytes_max);
  return absl::StrCat(Word(1'564'493'400, form), Word(7, form),
                      Word(static_cast<uint32_t>(kept.size()), form),
                      Word(static_cast<uint32_t>(packet.size()), form), kept);
}

}  // namespace engine
