#include "engine/wire/pcap/tcp.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using ::testing::ElementsAre;
using End = TcpConnection::End;

constexpr size_t kHeaderBytes = 40;

class TcpTest : public ::testing::Test {
 protected:
  auto Keep() {
    return [this](Bytes packet) { packets_.emplace_back(AsText(packet)); };
  }
  // "10000>9000 PA 1001 ack 2001: hello".
  static std::string Text(const std::string& packet) {
    const std::byte* const at = AsBytes(packet).data();
    std::string flags;
    for (const auto& [bit, letter] : {std::pair(1, 'F'), {2, 'S'}, {8, 'P'}, {16, 'A'}}) {
      if ((packet[33] & bit) != 0) flags.push_back(letter);
    }
    return absl::StrCat(LoadBigEndian<uint16_t>(at + 20), ">", LoadBigEndian<uint16_t>(at + 22),
                        " ", flags, " ", LoadBigEndian<uint32_t>(at + 24), " ack ",
                        LoadBigEndian<uint32_t>(at + 28), ": ", packet.substr(kHeaderBytes));
  }
  std::vector<std::string> Texts() const {
    std::vector<std::string> texts;
    for (const std::string& packet : packets_) texts.push_back(Text(packet));
    return texts;
  }

  TcpConnection connection_{{.address = 0xc0000202, .port = 10'000},
                            {.address = 0xc0000201, .port = 9'000}};
  std::vector<std::string> packets_;
};

TEST_F(TcpTest, IsOpenedUsedAndClosed) {
  connection_.Open(Keep());
  connection_.Write(End::kClient, AsBytes(absl::string_view("hello")), Keep());
  connection_.Write(End::kServer, AsBytes(absl::string_view("yes")), Keep());
  connection_.Close(Keep());
  EXPECT_THAT(Texts(),
              ElementsAre("10000>9000 S 1000 ack 0: ", "9000>10000 SA 2000 ack 1001: ",
                          "10000>9000 A 1001 ack 2001: ", "10000>9000 PA 1001 ack 2001: hello",
                          "9000>10000 PA 2001 ack 1006: yes", "9000>10000 FA 2004 ack 1006: ",
                          "10000>9000 FA 1006 ack 2005: ", "9000>10000 A 2005 ack 1007: "));
}

TEST_F(TcpTest, LongBytesAreSeveralSegments) {
  std::string bytes;
  for (int i = 0; i < 4'000; ++i) bytes.push_back(static_cast<char>(i * 7));
  connection_.Open(Keep());
  packets_.clear();
  connection_.Write(End::kServer, AsBytes(bytes), Keep());
  ASSERT_EQ(packets_.size(), 3u);
  std::string received;
  for (const std::string& packet : packets_) received += packet.substr(kHeaderBytes);
  EXPECT_EQ(received, bytes);
  connection_.Write(End::kServer, {}, Keep());
  EXPECT_EQ(packets_.size(), 3u);
}

// Unlike UDP's, which has another number for it.
TEST_F(TcpTest, ACheckSumMayBeZero) {
  connection_.Open(Keep());
  packets_.clear();
  connection_.Write(End::kClient, AsBytes(absl::string_view("\0\0", 2)), Keep());
  const std::string sum = packets_[0].substr(36, 2);
  TcpConnection same({.address = 0xc0000202, .port = 10'000},
                     {.address = 0xc0000201, .port = 9'000});
  same.Open(Keep());
  packets_.clear();
  same.Write(End::kClient, AsBytes(sum), Keep());
  EXPECT_EQ(packets_[0].substr(36, 2), std::string(2, '\0'));
}

}  // namespace
}  // namespace engine
