#include "engine/wire/pcap/pcap_writer.h"

#include <cstdint>
#include <string>

#include "absl/strings/escaping.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/wire/pcap/pcap_reader.h"
#include "engine/wire/pcap/udp.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kSecond = 1'000'000'000;

TEST(PcapWriter, HasTheBytesOfTheFormat) {
  std::string file;
  AppendPcapHeader(LinkType::kRawIp, file);
  EXPECT_EQ(absl::BytesToHexString(file),
            "4d3cb2a1"  // Little-endian, nanoseconds.
            "02000400"  // 2.4
            "00000000"
            "00000000"
            "00000400"    // At most 256 KiB a packet.
            "65000000");  // Link type 101.
  file.clear();
  AppendPcapRecord(Timestamp::FromNanos(0x5d400001 * kSecond + 258), AsBytes("abc"), file);
  EXPECT_EQ(absl::BytesToHexString(file),
            "0100405d"
            "02010000"
            "03000000"
            "03000000"
            "616263");
}

TEST(PcapWriter, IsReadAgain) {
  std::string file;
  AppendPcapHeader(LinkType::kEthernet, file);
  const std::string packets[] = {"one", "", std::string(PcapReader::kPacketBytesMax, 'x')};
  for (const std::string& packet : packets) AppendPcapRecord(Timestamp(), AsBytes(packet), file);
  PcapReader reader;
  reader.Feed(AsBytes(file));
  CapturedPacket found;
  for (const std::string& packet : packets) {
    const auto more = reader.Next(found);
    ASSERT_TRUE(more.ok() && *more) << more.status();
    EXPECT_EQ(AsText(found.bytes), packet);
    EXPECT_FALSE(found.is_cut);
  }
  EXPECT_EQ(reader.link_type(), 1u);
  EXPECT_FALSE(*reader.Next(found));
  EXPECT_TRUE(reader.Finish().ok());
}

TEST(PcapWriter, TimesAreUnsigned32BitSeconds) {
  EXPECT_TRUE(IsPcapTime(Timestamp()));
  EXPECT_TRUE(IsPcapTime(Timestamp::FromNanos((int64_t{1} << 32) * kSecond - 1)));
  EXPECT_FALSE(IsPcapTime(Timestamp::FromNanos((int64_t{1} << 32) * kSecond)));
  EXPECT_FALSE(IsPcapTime(Timestamp::FromNanos(-1)));
  EXPECT_FALSE(IsPcapTime(Timestamp::Min()));
  EXPECT_FALSE(IsPcapTime(Timestamp::Max()));
}

}  // namespace
}  // namespace engine
