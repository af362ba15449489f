#include "engine/wire/mold/retransmission.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/packet.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Messages from number `first` on.
class ListedMessages final : public MoldHistory {
 public:
  ListedMessages(uint64_t first, std::vector<std::string> messages)
      : first_(first), messages_(std::move(messages)) {}

  void Visit(uint64_t first, absl::FunctionRef<bool(Bytes framed)> take) override {
    if (first < first_) return;
    for (uint64_t at = first - first_; at < messages_.size(); ++at) {
      ++visited;
      if (!take(AsBytes(Framed({messages_[at]})))) return;
    }
  }

  size_t visited = 0;

 private:
  const uint64_t first_;
  const std::vector<std::string> messages_;
};

// Requests and heartbeats have the same form.
std::string Request(uint64_t sequence, uint16_t count, absl::string_view session = "SESSION") {
  return MoldBytes(session, sequence, count);
}

class MoldRetransmissionTest : public testing::Test {
 protected:
  std::string Answer(const std::string& request) {
    return std::string(AsText(server_.Answer(AsBytes(request))));
  }

  ListedMessages history_{3, {"three", "four", "five", "six", "seven"}};
  MoldRetransmission server_{"SESSION", 20 + 3 * 7, history_};
};

TEST_F(MoldRetransmissionTest, AnswersWithTheMessagesAskedFor) {
  EXPECT_EQ(Answer(Request(4, 2)), MoldBytes("SESSION", 4, 2, Framed({"four", "five"})));
  EXPECT_EQ(Answer(Request(7, 1)), MoldBytes("SESSION", 7, 1, Framed({"seven"})));
  EXPECT_EQ(server_.counters().answered, 2u);
  EXPECT_EQ(server_.counters().messages, 3u);
}

TEST_F(MoldRetransmissionTest, ARequestIsReadAsItWasWritten) {
  EXPECT_EQ(MoldRequestBytes("SESSION", 4, 2), Request(4, 2));
  EXPECT_EQ(MoldRequestBytes("TEN LETTER", UINT64_MAX, 0xffff),
            Request(UINT64_MAX, 0xffff, "TEN LETTER"));
}

TEST_F(MoldRetransmissionTest, AnAnswerIsOnePacket) {
  const std::string expected = MoldBytes("SESSION", 3, 3, Framed({"three", "four", "five"}));
  EXPECT_EQ(Answer(Request(3, 4)), expected);
  EXPECT_EQ(Answer(Request(3, 0xffff)), expected);
  EXPECT_LE(history_.visited, 8u) << "no more than fit";
}

TEST_F(MoldRetransmissionTest, WhatWasNotSentOrIsForgottenIsNotAnswered) {
  EXPECT_EQ(Answer(Request(6, 10)), MoldBytes("SESSION", 6, 2, Framed({"six", "seven"})));
  EXPECT_EQ(Answer(Request(8, 1)), "");
  EXPECT_EQ(Answer(Request(2, 1)), "");
  EXPECT_EQ(Answer(Request(UINT64_MAX, 0xffff)), "");
  EXPECT_EQ(server_.counters().without_messages, 3u);
}

TEST_F(MoldRetransmissionTest, OtherPacketsAreNotAnswered) {
  EXPECT_EQ(Answer(Request(3, 1, "SESSION2")), "");
  EXPECT_EQ(Answer(Request(3, 1, "SESSIO")), "");
  EXPECT_EQ(Answer(Request(3, 1, "session")), "");
  EXPECT_EQ(server_.counters().of_other_sessions, 3u);
  for (const std::string& packet :
       {std::string(), std::string(19, '1'), Request(3, 1) + "x", Request(0, 1), Request(3, 0),
        MoldBytes("SESSION", 3, 1, Framed({"three"}))}) {
    EXPECT_EQ(Answer(packet), "");
  }
  EXPECT_EQ(server_.counters().malformed, 6u);
}

TEST(MoldRequest, SaysWhatWasExpected) {
  const std::string request = Request(7, 0xffff);
  const auto parsed = ParseMoldRequest(AsBytes(request));
  ASSERT_TRUE(parsed.ok()) << parsed.status();
  EXPECT_EQ(parsed->session, "SESSION   ");
  EXPECT_EQ(parsed->sequence, 7u);
  EXPECT_EQ(parsed->count, 0xffff);
  const auto refused = [](const std::string& packet, absl::string_view why) {
    const absl::Status status = ParseMoldRequest(AsBytes(packet)).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
    EXPECT_TRUE(absl::StrContains(status.message(), why)) << status;
  };
  refused("short", "a request of 5 bytes, expected 20");
  refused(Request(0, 1, "\x01"), R"(session '\x01         ' for 1 messages from 0 on)");
  refused(Request(9, 0), "for 0 messages from 9 on");
}

}  // namespace
}  // namespace engine
