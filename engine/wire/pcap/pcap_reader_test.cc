#include "engine/wire/pcap/pcap_reader.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/testing/packets.h"
#include "engine/wire/pcap/udp.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

struct Reading {
  std::vector<std::string> packets;
  size_t cut = 0;
  uint32_t link_type = 0;
  absl::Status status;
};

Reading Read(absl::string_view file, size_t chunk_bytes = 7) {
  Reading reading;
  PcapReader reader;
  CapturedPacket packet;
  while (!file.empty()) {
    const absl::string_view chunk = file.substr(0, chunk_bytes);
    file.remove_prefix(chunk.size());
    reader.Feed(AsBytes(chunk));
    while (true) {
      const auto more = reader.Next(packet);
      reading.status = more.status();
      if (!more.ok()) return reading;
      if (!*more) break;
      reading.packets.emplace_back(AsText(packet.bytes));
      reading.cut += packet.is_cut ? 1 : 0;
    }
  }
  reading.status = reader.Finish();
  reading.link_type = reader.link_type();
  return reading;
}

TEST(PcapReaderTest, ReadsEitherByteOrderAndResolution) {
  for (const bool is_big_endian : {false, true}) {
    for (const bool has_nanoseconds : {false, true}) {
      const PcapForm form = {.is_big_endian = is_big_endian,
                             .has_nanoseconds = has_nanoseconds,
                             .link_type = 101,
                             .keep_bytes_max = 9};
      const std::string file = PcapHeader(form) + PcapRecord("one", form) + PcapRecord("", form) +
                               PcapRecord("more than nine", form);
      EXPECT_TRUE(MayBeginPcap(AsBytes(file).front()));
      for (const size_t chunk_bytes : {1, 7, 30, 1000}) {
        const Reading reading = Read(file, chunk_bytes);
        EXPECT_TRUE(reading.status.ok()) << reading.status;
        EXPECT_EQ(reading.packets, std::vector<std::string>({"one", "", "more than"}));
        EXPECT_EQ(reading.cut, 1u);
        EXPECT_EQ(reading.link_type, 101u);
      }
    }
  }
}

TEST(PcapReaderTest, ACutFileSaysWhere) {
  const std::string file = PcapHeader() + PcapRecord("one") + PcapRecord("three");
  const size_t second = 24 + 16 + 3;
  for (size_t length = 0; length < file.size(); ++length) {
    const Reading reading = Read(absl::string_view(file).substr(0, length));
    if (length == 24 || length == second) {
      EXPECT_TRUE(reading.status.ok()) << reading.status;
      continue;
    }
    EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss) << length;
    if (length > second) {
      EXPECT_NE(reading.status.message().find("ends inside packet 2 at byte 43, after "),
                absl::string_view::npos)
          << reading.status;
    }
  }
}

TEST(PcapReaderTest, OtherFilesAreRefusedByName) {
  const auto refused = [](const std::string& file, absl::string_view why) {
    const Reading reading = Read(file);
    EXPECT_EQ(reading.status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_NE(reading.status.message().find(why), absl::string_view::npos) << reading.status;
  };
  refused("MEANT AS A LETTER, NOT AS A CAPTURE", "begins with 4d45414e, expected a1b2c3d4 or");
  refused("\x0a\x0d\x0d\x0a" + std::string(30, '\0'), "pcapng: expected the classic format");
  std::string record = PcapRecord("packet");
  record[8] = 7;
  refused(PcapHeader() + record, "packet 1 at byte 24: 7 bytes captured of 6, expected no more");
}

TEST(UdpPayloadTest, IsFoundBelowEveryLink) {
  for (const auto& [link, number] :
       {std::pair(Link::kEthernet, LinkType::kEthernet),
        std::pair(Link::kVlan, LinkType::kEthernet),
        std::pair(Link::kTwoVlans, LinkType::kEthernet), std::pair(Link::kRawIp, LinkType::kRawIp),
        std::pair(Link::kLinuxCooked, LinkType::kLinuxCooked)}) {
    const std::string packet = UdpPacket("payload", link);
    const auto payload = UdpPayload(number, AsBytes(packet));
    ASSERT_TRUE(payload.has_value());
    EXPECT_EQ(AsText(*payload), "payload") << "without the padding of Ethernet";
  }
  EXPECT_TRUE(CheckLinkType(1).ok());
  EXPECT_EQ(CheckLinkType(127).message(),
            "pcap: link type 127, expected 1 (Ethernet), 101 (raw IP) or 113 (Linux cooked)");
}

TEST(UdpPayloadTest, IsNotFoundInOtherPackets) {
  const std::string sound = UdpPacket("a payload of more than thirty bytes");
  const auto is_found = [](const std::string& packet) {
    return UdpPayload(LinkType::kEthernet, AsBytes(packet)).has_value();
  };
  EXPECT_TRUE(is_found(sound));
  for (size_t length = 0; length < sound.size(); ++length) {
    EXPECT_FALSE(is_found(sound.substr(0, length)));
  }
  const auto changed = [&](size_t at, char to) {
    std::string packet = sound;
    packet[at] = to;
    return packet;
  };
  EXPECT_FALSE(is_found(changed(12, '\x86'))) << "IPv6";
  EXPECT_FALSE(is_found(changed(14, '\x65'))) << "a version that does not fit";
  EXPECT_FALSE(is_found(changed(14, '\x44'))) << "a header of 16 bytes";
  EXPECT_FALSE(is_found(changed(20, '\x20'))) << "more fragments";
  EXPECT_FALSE(is_found(changed(21, '\x01'))) << "a later fragment";
  EXPECT_FALSE(is_found(changed(23, '\x06'))) << "TCP";
  EXPECT_FALSE(is_found(changed(39, '\x07'))) << "UDP of 7 bytes";
  EXPECT_FALSE(is_found(changed(38, '\x07'))) << "UDP beyond IP";
}

}  // namespace
}  // namespace engine
