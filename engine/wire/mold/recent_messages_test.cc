#include "engine/wire/mold/recent_messages.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/mold/retransmission.h"
#include "engine/wire/mold/sender.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::string From(MoldRecentMessages& messages, uint64_t first, size_t count_max = 100) {
  std::string framed;
  size_t count = 0;
  messages.Visit(first, [&](Bytes message) {
    absl::StrAppend(&framed, AsText(message));
    return ++count < count_max;
  });
  return framed;
}

TEST(MoldRecentMessages, KeepsTheNewest) {
  MoldRecentMessages messages(3, 8, 5);
  EXPECT_EQ(messages.oldest(), 5u);
  EXPECT_EQ(From(messages, 5), "");
  for (const char* message : {"five", "six", "seven", "", "nine"}) {
    messages.Add(AsBytes(Framed({message})));
  }
  EXPECT_EQ(messages.oldest(), 7u);
  EXPECT_EQ(messages.next_sequence(), 10u);
  EXPECT_EQ(From(messages, 7), Framed({"seven", "", "nine"}));
  EXPECT_EQ(From(messages, 7, 2), Framed({"seven", ""}));
  EXPECT_EQ(From(messages, 9), Framed({"nine"}));
  for (const uint64_t none : {uint64_t{0}, uint64_t{6}, uint64_t{10}, UINT64_MAX}) {
    EXPECT_EQ(From(messages, none), "") << none;
  }
}

TEST(MoldRecentMessagesDeathTest, AMessageThatFitsNoPlaceIsABug) {
  MoldRecentMessages messages(3, 8);
  EXPECT_DEATH(messages.Add(AsBytes(Framed({"1234567"}))), "9");
}

// Half of the packets are lost, requests and answers too: the receiver asks until it has
// everything.
TEST(MoldRecentMessages, AReceiverThatMissesPacketsAsksForThem) {
  constexpr uint64_t kMessages = 5'000;
  Prng prng(1);
  MoldSender sender("LOSSY", 200);
  MoldRecentMessages messages(kMessages, 64);
  MoldRetransmission server("LOSSY", 200, messages);
  MoldReceiver receiver;
  std::string sent;
  std::string received;
  const auto receive = [&](Bytes packet) {
    const bool is_first = receiver.first_sequence() == 0;
    if (!is_first && prng.Below(2) == 0) return;
    const auto parsed = ParseMoldPacket(packet);
    ASSERT_TRUE(parsed.ok()) << parsed.status();
    ASSERT_TRUE(receiver.Take(*parsed).ok());
    while (true) {
      const Bytes next = receiver.Next();
      if (next.empty()) return;
      absl::StrAppend(&received, AsText(next));
    }
  };
  const auto ask = [&] {
    const auto missing = receiver.missing();
    if (!missing.has_value() || prng.Below(2) == 0) return;
    const auto count = static_cast<uint16_t>(missing->last - missing->first + 1);
    const Bytes answer = server.Answer(AsBytes(MoldBytes("LOSSY", missing->first, count)));
    ASSERT_FALSE(answer.empty());
    receive(answer);
  };
  for (uint64_t i = 1; i <= kMessages; ++i) {
    const std::string framed = Framed({absl::StrCat("message ", i)});
    sent += framed;
    messages.Add(AsBytes(framed));
    sender.Add(AsBytes(framed), receive);
    if (prng.Below(4) == 0) sender.Flush(receive);
    if (prng.Below(8) == 0) ask();
  }
  sender.Flush(receive);
  while (receiver.next_sequence() <= kMessages) {
    sender.Heartbeat(receive);
    ask();
  }
  EXPECT_EQ(received, sent);
  EXPECT_GT(server.counters().answered, 500u);
}

}  // namespace
}  // namespace engine
