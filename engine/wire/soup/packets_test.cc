#include "engine/wire/soup/packets.h"

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// The packets of a stream as "T:payload ", and how it ended.
std::string Read(absl::string_view stream, size_t chunk_bytes, size_t payload_bytes_max = 100) {
  SoupReader reader(payload_bytes_max);
  std::string read;
  for (size_t at = 0; at < stream.size(); at += chunk_bytes) {
    reader.Feed(AsBytes(stream.substr(at, chunk_bytes)));
    while (true) {
      SoupPacket packet;
      const auto more = reader.Next(packet);
      if (!more.ok()) return absl::StrCat(read, more.status().message());
      if (!*more) break;
      absl::StrAppend(&read, std::string(1, static_cast<char>(packet.type)), ":",
                      AsText(packet.payload), " ");
    }
  }
  return absl::StrCat(read, reader.is_inside_packet() ? "cut" : "whole");
}

std::string Packet(SoupType type, absl::string_view payload) {
  std::string bytes;
  AppendSoupPacket(type, AsBytes(payload), bytes);
  return bytes;
}

TEST(SoupPackets, HaveTheBytesOfTheWire) {
  EXPECT_EQ(Packet(SoupType::kServerHeartbeat, ""), std::string("\0\1H", 3));
  EXPECT_EQ(Packet(SoupType::kSequencedData, "abc"), std::string("\0\4Sabc", 6));
  const std::string longest(kSoupPayloadBytesMax, 'x');
  EXPECT_EQ(Packet(SoupType::kDebug, longest), "\xff\xff+" + longest);
}

TEST(SoupPackets, AreReadHoweverTheStreamIsCut) {
  const std::string stream = absl::StrCat(Packet(SoupType::kUnsequencedData, "one"),
                                          Packet(SoupType::kClientHeartbeat, ""),
                                          Packet(SoupType::kUnsequencedData, std::string(100, 'x')),
                                          Packet(SoupType::kLogoutRequest, ""));
  const std::string read = absl::StrCat("U:one R: U:", std::string(100, 'x'), " O: whole");
  for (size_t chunk = 1; chunk <= stream.size(); ++chunk) EXPECT_EQ(Read(stream, chunk), read);
}

TEST(SoupPackets, AStreamMayEndInsideAPacket) {
  const std::string packet = Packet(SoupType::kUnsequencedData, "one");
  for (size_t length = 1; length < packet.size(); ++length) {
    EXPECT_EQ(Read(packet.substr(0, length), 1), "cut") << length;
    EXPECT_EQ(Read(packet.substr(0, length), 10), "cut") << length;
  }
}

TEST(SoupPackets, LengthsOutsideTheBoundAreRefusedForEver) {
  const std::string sound = Packet(SoupType::kUnsequencedData, "one");
  for (const size_t chunk : {1, 2, 3, 1000}) {
    EXPECT_EQ(Read(sound + std::string("\0\0S", 3) + sound, chunk),
              "U:one SoupBinTCP: packet 2: length 0, expected 1 to 101");
    EXPECT_EQ(Read(std::string("\0\x66", 2) + sound, chunk),
              "SoupBinTCP: packet 1: length 102, expected 1 to 101");
    EXPECT_EQ(Read("\xff\xff", chunk), "SoupBinTCP: packet 1: length 65535, expected 1 to 101");
  }
  SoupReader reader(100);
  SoupPacket packet;
  reader.Feed(AsBytes(absl::string_view("\0\0", 2)));
  EXPECT_FALSE(reader.Next(packet).ok());
  reader.Feed(AsBytes(sound));
  EXPECT_EQ(reader.Next(packet).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(SoupPackets, AnyTypeIsAPacket) {
  EXPECT_EQ(Read(std::string("\0\1\0\0\2\xff?", 7), 1), std::string("\0: \xff:? whole", 12));
}

}  // namespace
}  // namespace engine
