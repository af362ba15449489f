#include "engine/wire/mold/sender.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/mold/testing/packets.h"
#include "engine/wire/pcap/udp.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using Packets = std::vector<std::string>;

// Calls `what` with a receiver of packets, and returns them.
template <typename What>
Packets Sent(const What& what) {
  Packets packets;
  what([&packets](Bytes packet) { packets.emplace_back(AsText(packet)); });
  return packets;
}

TEST(MoldSender, PacketsFillWhileMessagesWait) {
  // Room for the header and two messages of 4 bytes.
  MoldSender sender("SESSION", 20 + 2 * 6 + 5);
  Packets packets = Sent([&](auto send) {
    for (const char* message : {"one.", "two.", "thre", "four", "five"}) {
      sender.Add(AsBytes(Framed({message})), send);
    }
  });
  EXPECT_EQ(packets, Packets({MoldBytes("SESSION", 1, 2, Framed({"one.", "two."})),
                              MoldBytes("SESSION", 3, 2, Framed({"thre", "four"}))}));
  EXPECT_EQ(sender.waiting(), 1);
  EXPECT_EQ(sender.next_sequence(), 6u);
  packets = Sent([&](auto send) { sender.Flush(send); });
  EXPECT_EQ(packets, Packets({MoldBytes("SESSION", 5, 1, Framed({"five"}))}));
  EXPECT_EQ(sender.waiting(), 0);
  EXPECT_EQ(Sent([&](auto send) { sender.Flush(send); }), Packets());
}

TEST(MoldSender, HeartbeatsAndTheEndTellTheNextNumber) {
  MoldSender sender("S", 100, 41);
  EXPECT_EQ(Sent([&](auto send) { sender.Heartbeat(send); }), Packets({MoldBytes("S", 41, 0)}));
  EXPECT_EQ(Sent([&](auto send) {
              sender.Add(AsBytes(Framed({"one"})), send);
              sender.Heartbeat(send);
            }),
            Packets({MoldBytes("S", 41, 1, Framed({"one"})), MoldBytes("S", 42, 0)}));
  EXPECT_EQ(Sent([&](auto send) { sender.EndSession(send); }),
            Packets({MoldBytes("S", 42, 0xffff)}));
  EXPECT_EQ(Sent([&](auto send) {
              sender.Add(AsBytes(Framed({"two"})), send);
              sender.EndSession(send);
            }),
            Packets({MoldBytes("S", 42, 1, Framed({"two"})), MoldBytes("S", 43, 0xffff)}));
  EXPECT_EQ(sender.next_sequence(), 43u);
}

TEST(MoldSender, TheReceiverHasTheMessagesOfAnySizes) {
  Prng prng(1);
  for (const size_t payload : {size_t{100}, kEthernetPayloadBytes, kUdpPayloadBytesMax}) {
    MoldSender sender("ANY SIZE", payload);
    MoldReceiver receiver;
    std::string sent;
    std::string received;
    const auto receive = [&](Bytes packet) {
      ASSERT_LE(packet.size(), payload);
      const auto parsed = ParseMoldPacket(packet);
      ASSERT_TRUE(parsed.ok()) << parsed.status();
      ASSERT_TRUE(receiver.Take(*parsed).ok());
      while (true) {
        const Bytes messages = receiver.Next();
        if (messages.empty()) return;
        absl::StrAppend(&received, AsText(messages));
      }
    };
    for (int i = 0; i < 5'000; ++i) {
      const std::string message(prng.Below(payload - kMoldHeaderBytes - 2) % 300, 'x');
      sent += Framed({message});
      sender.Add(AsBytes(Framed({message})), receive);
      if (prng.Below(50) == 0) sender.Flush(receive);
    }
    sender.EndSession(receive);
    EXPECT_EQ(received, sent);
    EXPECT_EQ(receiver.session(), "ANY SIZE");
    EXPECT_TRUE(receiver.has_ended());
    EXPECT_EQ(receiver.counters().duplicates, 0u);
    EXPECT_FALSE(receiver.missing().has_value());
  }
}

TEST(MoldSender, ASessionHasAName) {
  EXPECT_TRUE(IsMoldSession("A"));
  EXPECT_TRUE(IsMoldSession("  20190730"));
  for (const absl::string_view name : {"", " ", "A ", "12345678901", "A\n", "\xc3\xa4", "A\x7f"}) {
    EXPECT_FALSE(IsMoldSession(name)) << name;
  }
}

TEST(MoldSenderDeathTest, AMessageThatFitsNoPacketIsABug) {
  MoldSender sender("S", 30);
  EXPECT_DEATH(sender.Add(AsBytes(Framed({"123456789"})), [](Bytes) {}), "11 bytes has no room");
}

}  // namespace
}  // namespace engine
