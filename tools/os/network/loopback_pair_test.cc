#include "tools/os/network/loopback_pair.h"

#include <array>
#include <cstddef>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gtest/gtest.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using Kind = LoopbackPair::Kind;
using Waiting = LoopbackPair::Waiting;

TEST(LoopbackPair, BothEndsReceiveWhatTheOtherSends) {
  for (const Kind kind : {Kind::kTcp, Kind::kUdp}) {
    for (const Waiting waiting : {Waiting::kSleep, Waiting::kSpin}) {
      const auto opened = LoopbackPair::Open(kind);
      ASSERT_TRUE(opened.ok()) << opened.status();
      LoopbackPair& pair = **opened;
      for (const size_t end : {0, 1}) {
        std::array<std::byte, 16> buffer;
        ASSERT_TRUE(pair.Send(end, engine::AsBytes(absl::string_view("hello"))));
        const size_t size = pair.Receive(1 - end, buffer, waiting);
        EXPECT_EQ(engine::AsText(engine::Bytes(buffer).first(size)), "hello");
      }
    }
  }
}

TEST(LoopbackPair, TheEndReachesAThreadThatWaits) {
  for (const Kind kind : {Kind::kTcp, Kind::kUdp}) {
    for (const Waiting waiting : {Waiting::kSleep, Waiting::kSpin}) {
      const auto opened = LoopbackPair::Open(kind);
      ASSERT_TRUE(opened.ok()) << opened.status();
      LoopbackPair& pair = **opened;
      size_t received = 1;
      {
        const Thread thread(
            "receiver",
            [&] {
              std::array<std::byte, 16> buffer;
              received = pair.Receive(1, buffer, waiting);
            },
            [&] { pair.End(); });
        ASSERT_TRUE(thread.status().ok());
      }
      EXPECT_EQ(received, 0u);
    }
  }
}

}  // namespace
}  // namespace tools
