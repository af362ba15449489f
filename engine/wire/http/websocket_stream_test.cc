#include "engine/wire/http/websocket_stream.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/http/testing/conversations.h"
#include "engine/wire/http/websocket_frame.h"
#include "gtest/gtest.h"
#include "rapidcheck/gtest.h"

namespace engine {
namespace {

using Opcode = WebSocketOpcode;

constexpr unsigned kNotFinal = 0;

std::string Read(absl::string_view bytes) { return ReadWebSocket(bytes, bytes.size() + 1, 1000); }

std::string CloseFrame(absl::string_view payload) { return ClientFrame(Opcode::kClose, payload); }

TEST(WebSocketStream, ReadsMessages) {
  const std::string text(300, 'a');
  EXPECT_EQ(
      Read(absl::StrCat(ClientFrame(Opcode::kText, "{\"id\":1}"), ClientFrame(Opcode::kText, ""),
                        ClientFrame(Opcode::kBinary, "\xFF\xFE", 0x80, 0),
                        ClientFrame(Opcode::kText, text))),
      absl::StrCat("text {\"id\":1}\ntext \nbinary \xFF\xFE\ntext ", text, "\nsent "));
}

TEST(WebSocketStream, ReadsALongMessageInPieces) {
  const std::string text(65536, 'a');
  EXPECT_EQ(ReadWebSocket(ClientFrame(Opcode::kText, text), 1500),
            absl::StrCat("text ", text, "\nsent "));
  EXPECT_EQ(ReadWebSocket(ClientFrame(Opcode::kText, text + "a"), 1500),
            "over 1009\nsent 880203f1");
}

TEST(WebSocketStream, AnswersPingsAndReportsPongsInsideAMessage) {
  EXPECT_EQ(
      Read(absl::StrCat(ClientFrame(Opcode::kText, "ab\xC3", kNotFinal),
                        ClientFrame(Opcode::kPing, "hi"), ClientFrame(Opcode::kPong, "heartbeat"),
                        ClientFrame(Opcode::kContinuation, "\xA4", kNotFinal),
                        ClientFrame(Opcode::kPing, ""), ClientFrame(Opcode::kContinuation, "d"))),
      "pong heartbeat\ntext ab\xC3\xA4"
      "d\nsent 8a0268698a00");
}

TEST(WebSocketStream, EchoesTheCodeOfAClose) {
  EXPECT_EQ(Read(CloseFrame("\x03\xE8"
                            "bye")),
            "over 1000\nsent 880203e8");
  EXPECT_EQ(Read(CloseFrame("\x0F\xA0")), "over 4000\nsent 88020fa0");
  EXPECT_EQ(Read(absl::StrCat(CloseFrame(""), ClientFrame(Opcode::kText, "late"))),
            "over 1005\nsent 8800");
}

TEST(WebSocketStream, EndsAConnectionThatBreaksTheProtocol) {
  const struct {
    std::string bytes;
    int code;
  } kCases[] = {
      {std::string("\x81\x01"
                   "a"),
       1002},                                         // Not masked.
      {ClientFrame(Opcode::kText, "a", 0xC0), 1002},  // Reserved bits.
      {ClientFrame(Opcode::kText, "a", 0x90), 1002},
      {ClientFrame(Opcode::kText, "", 0xA0), 1002},
      {ClientFrame(static_cast<Opcode>(3), "a"), 1002},  // Opcodes.
      {ClientFrame(static_cast<Opcode>(11), "a"), 1002},
      {ClientFrame(Opcode::kContinuation, "a"), 1002},  // No message to go on with.
      {absl::StrCat(ClientFrame(Opcode::kText, "a", kNotFinal), ClientFrame(Opcode::kText, "b")),
       1002},
      {ClientFrame(Opcode::kPing, "a", kNotFinal), 1002},  // Control frames.
      {ClientFrame(Opcode::kPing, std::string(126, 'a')), 1002},
      {CloseFrame("\x03"), 1002},
      {CloseFrame("\x03\xE7"), 1002},  // 999
      {CloseFrame("\x03\xED"), 1002},  // 1005
      {CloseFrame("\x03\xEE"), 1002},  // 1006
      {CloseFrame("\x03\xF7"), 1002},  // 1015
      {CloseFrame("\x13\x88"), 1002},  // 5000
      {CloseFrame("\x03\xE8\xFF"), 1007},
      {std::string("\x81\xFE\x00\x01", 4) + "mask", 1002},  // A length longer than it needs.
      {std::string("\x81\xFF\x80\0\0\0\0\0\0\1", 10) + "mask", 1002},
      {ClientFrame(Opcode::kText, "\xFF"), 1007},  // Text.
      {ClientFrame(Opcode::kText, "\xC3"), 1007},
      {ClientFrame(Opcode::kText, "\xED\xA0\x80"), 1007},
      {ClientFrame(Opcode::kText, "\xC0\x80"), 1007},
      {ClientFrame(Opcode::kText, std::string(1001, 'a')), 1009},
      {absl::StrCat(ClientFrame(Opcode::kText, std::string(600, 'a'), kNotFinal),
                    ClientFrame(Opcode::kContinuation, std::string(401, 'a'))),
       1009},
      {std::string("\x82\xFF\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFFmasky", 15), 1009},
  };
  for (const auto& item : kCases) {
    const std::string bytes = item.bytes + ClientFrame(Opcode::kText, "after");
    const std::string expected =
        absl::StrCat("over ", item.code, "\nsent 880203", absl::Hex(item.code & 0xFF));
    for (const size_t chunk : {size_t{1}, size_t{2}, size_t{5}, bytes.size()}) {
      EXPECT_EQ(ReadWebSocket(bytes, chunk, 1000), expected) << ToHex(AsBytes(item.bytes));
    }
  }
}

TEST(WebSocketStream, ClosesFromItsSide) {
  WebSocketStream stream;
  std::string out;
  stream.SendText({"a", "bc"}, out);
  stream.SendPing("heartbeat", out);
  stream.Close(WebSocketCode::kPolicyViolation, "too many", out);
  const std::string sent = absl::StrCat(
      "\x81\x03"
      "abc\x89\x09heartbeat\x88\x0A\x03\xF0too many");
  EXPECT_EQ(out, sent);
  stream.SendText("d", out);
  stream.SendPing("d", out);
  stream.Close(WebSocketCode::kNormal, "", out);
  const std::string late =
      absl::StrCat(ClientFrame(Opcode::kText, "late"), ClientFrame(Opcode::kPing, ""),
                   ClientFrame(Opcode::kPong, ""));
  EXPECT_EQ(stream.Take(AsBytes(late), out), late.size());
  EXPECT_FALSE(stream.has_message());
  EXPECT_FALSE(stream.is_over());
  stream.Take(AsBytes(CloseFrame("\x03\xE8")), out);
  EXPECT_TRUE(stream.is_over());
  EXPECT_EQ(stream.close_code(), 1008);
  EXPECT_EQ(out, sent);
}

TEST(WebSocketStream, CutsAReasonBetweenCharacters) {
  WebSocketStream stream;
  std::string out;
  stream.Close(WebSocketCode::kNormal, std::string(122, 'a') + "\xC3\xA4", out);
  EXPECT_EQ(out, absl::StrCat("\x88\x7C\x03\xE8", std::string(122, 'a')));
}

TEST(WebSocketStream, KeepsAMessageThatWaitsWhenItCloses) {
  WebSocketStream stream;
  std::string out;
  stream.Take(AsBytes(ClientFrame(Opcode::kText, "abc")), out);
  stream.Close(WebSocketCode::kNormal, "", out);
  EXPECT_EQ(stream.message().payload, "abc");
  stream.Next();
}

TEST(WebSocketFrame, WritesLengthsOfThreeSizes) {
  for (const size_t length : {0, 125, 126, 65535, 65536}) {
    const std::string payload(length, 'a');
    std::string out;
    AppendTextFrame({payload}, out);
    std::string client = ClientFrame(Opcode::kText, payload, 0x80, 0);
    client[1] = static_cast<char>(client[1] & 0x7F);
    const size_t key = length < 126 ? 2 : length < 65536 ? 4 : 10;
    EXPECT_EQ(out, client.erase(key, 4)) << length;
  }
}

RC_GTEST_PROP(WebSocketStream, ReadsRandomMessagesHoweverTheyAreCut, ()) {
  const auto payloads = *rc::gen::arbitrary<std::vector<std::string>>();
  std::string bytes;
  std::string expected;
  for (const std::string& payload : payloads) {
    const size_t cut = *rc::gen::inRange<size_t>(0, payload.size() + 1);
    bytes += ClientFrame(Opcode::kBinary, payload.substr(0, cut), kNotFinal,
                         *rc::gen::arbitrary<uint32_t>());
    if (*rc::gen::arbitrary<bool>())
      bytes += ClientFrame(Opcode::kPing, "", 0x80, *rc::gen::arbitrary<uint32_t>());
    bytes += ClientFrame(Opcode::kContinuation, payload.substr(cut), 0x80,
                         *rc::gen::arbitrary<uint32_t>());
    absl::StrAppend(&expected, "binary ", payload, "\n");
  }
  const std::string read = ReadWebSocket(bytes, *rc::gen::inRange<size_t>(1, bytes.size() + 2));
  RC_ASSERT(read.substr(0, read.rfind("sent ")) == expected);
  RC_ASSERT(read == ReadWebSocket(bytes, bytes.size() + 1));
}

}  // namespace
}  // namespace engine
