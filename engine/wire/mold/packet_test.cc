#include "engine/wire/mold/packet.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(MoldPacketTest, HasItsMessages) {
  const std::string framed = Framed({"one", "", "three"});
  const std::string bytes = MoldBytes("20190730A", 7, 3, framed);
  const auto packet = ParseMoldPacket(AsBytes(bytes));
  ASSERT_TRUE(packet.ok()) << packet.status();
  EXPECT_EQ(packet->kind, MoldPacket::Kind::kMessages);
  EXPECT_EQ(packet->session, "20190730A ");
  EXPECT_EQ(packet->sequence, 7u);
  EXPECT_EQ(packet->next_sequence(), 10u);
  EXPECT_EQ(AsText(packet->messages), framed);
  EXPECT_EQ(AsText(WithoutFirst(packet->messages, 2)), Framed({"three"}));
  EXPECT_TRUE(WithoutFirst(packet->messages, 3).empty());
}

TEST(MoldPacketTest, HeartbeatsAndTheEndHaveNone) {
  const std::string heartbeat = MoldBytes("S", 7, 0);
  const std::string end = MoldBytes("S", 8, 0xffff);
  EXPECT_EQ(ParseMoldPacket(AsBytes(heartbeat))->kind, MoldPacket::Kind::kHeartbeat);
  EXPECT_EQ(ParseMoldPacket(AsBytes(end))->kind, MoldPacket::Kind::kEndOfSession);
  EXPECT_EQ(ParseMoldPacket(AsBytes(end))->next_sequence(), 8u);
}

TEST(MoldPacketTest, OtherBytesAreRefused) {
  const auto refused = [](const std::string& bytes, absl::string_view why) {
    const auto packet = ParseMoldPacket(AsBytes(bytes));
    ASSERT_FALSE(packet.ok()) << why;
    EXPECT_NE(packet.status().message().find(why), absl::string_view::npos) << packet.status();
  };
  const std::string sound = MoldBytes("S", 1, 2, Framed({"one", "two"}));
  for (size_t length = 0; length < 20; ++length) {
    refused(sound.substr(0, length), "expected at least 20");
  }
  for (size_t length = 20; length < sound.size(); ++length) {
    refused(sound.substr(0, length), "the packet ends inside message ");
  }
  refused(sound + "x", "1 bytes after the last message, expected none");
  refused(MoldBytes("S", 1, 0, "x"), "1 bytes after the last message, expected none");
  refused(MoldBytes("S\x01", 1, 0), "expected printable ASCII");
  refused(MoldBytes("S", 0, 0), "sequence number 0, expected one from 1 on");
  refused(MoldBytes("S", ~0ull, 1, Framed({"one"})), "expected one from 1 on");
}

}  // namespace
}  // namespace engine
