#include "engine/wire/itch/stream_reader.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/itch/message_type.h"
#include "engine/wire/mold/testing/packets.h"
#include "engine/wire/testing/compressed.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr char kAllTypes[] = "testdata/itch/feedforge/all23_types_framed.itch";
constexpr char kNasdaqOpen[] = "testdata/itch/nasdaq_itch50_20190730_open_100ms_allsyms.itch.gz";

std::string Contents(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::string contents(std::istreambuf_iterator<char>(file), {});
  EXPECT_FALSE(contents.empty()) << path;
  return contents;
}

struct Reading {
  std::map<char, uint64_t> counts;
  uint64_t message_count = 0;
  std::string compression;
  absl::Status status;
};

Reading Read(const std::string& stream, size_t chunk_bytes = 64 << 10) {
  Reading reading;
  ItchStreamReader reader;
  ItchMessage message;
  bool has_ended = false;
  for (size_t at = 0; !has_ended && reading.status.ok();) {
    const size_t taken = std::min(chunk_bytes, stream.size() - at);
    has_ended = taken == 0;
    reader.Feed(AsBytes(stream).subspan(at, taken));
    at += taken;
    while (true) {
      const absl::StatusOr<bool> more = reader.Next(message);
      reading.status = more.status();
      if (!more.ok()) {
        reader.Feed(AsBytes(stream));
        EXPECT_EQ(reader.Next(message).status(), reading.status) << "sticky";
      }
      if (!more.ok() || !*more) break;
      ++reading.counts[kItchTypes[message.index()].letter];
      ++reading.message_count;
    }
  }
  reading.compression = std::string(reader.compression());
  return reading;
}

TEST(ItchStreamReader, ReadsPlainStreamsHoweverTheyAreCut) {
  const std::string stream = Contents(kAllTypes);
  for (const size_t chunk_bytes : {1, 2, 3, 50, 10'000}) {
    const Reading reading = Read(stream, chunk_bytes);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.message_count, kItchTypeCount);
    EXPECT_EQ(reading.compression, "");
  }
}

// The counts are those that an independent parser found: testdata/itch/README.md.
TEST(ItchStreamReader, ReadsTheWholeOpenOfARealSession) {
  const std::string stream = Contents(kNasdaqOpen);
  const std::map<char, uint64_t> expected = {
      {'A', 18173}, {'C', 26},     {'D', 8811}, {'E', 271},  {'F', 18096}, {'H', 8851},
      {'I', 43},    {'L', 210669}, {'P', 242},  {'Q', 190},  {'R', 8849},  {'S', 3},
      {'U', 8655},  {'V', 1},      {'X', 184},  {'Y', 8849},
  };
  for (const size_t chunk_bytes : {997, 64 << 10, 100 << 20}) {
    const Reading reading = Read(stream, chunk_bytes);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.compression, "gzip");
    EXPECT_EQ(reading.message_count, 291'913u);
    EXPECT_EQ(reading.counts, expected);
  }
}

TEST(ItchStreamReader, ReadsZstd) {
  const Reading reading = Read(Zstandard(Contents(kAllTypes)), 100);
  EXPECT_TRUE(reading.status.ok()) << reading.status;
  EXPECT_EQ(reading.compression, "zstd");
  EXPECT_EQ(reading.message_count, kItchTypeCount);
}

TEST(ItchStreamReader, ReadsCaptures) {
  const std::string stream = Contents(kAllTypes);
  const std::string capture =
      PcapHeader() + PcapRecord(UdpPacket(MoldBytes("S", 1, kItchTypeCount, stream)));
  for (const std::string& input : {capture, Gzipped(capture)}) {
    const Reading reading = Read(input, 100);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.message_count, kItchTypeCount);
  }
  const std::string other =
      PcapHeader() + PcapRecord(UdpPacket(MoldBytes("S", 1, 1, Framed({"not ITCH"}))));
  EXPECT_NE(Read(other).status.message().find(
                "message 1 at byte 0: unknown message type 'n' after a length of 8, counted in the "
                "messages of the capture"),
            absl::string_view::npos)
      << Read(other).status;
}

TEST(ItchStreamReader, ReportsWhereACompressedStreamIsCutShort) {
  const std::string stream = Contents(kNasdaqOpen);
  for (const size_t chunk_bytes : {1, 64 << 10}) {
    const Reading reading = Read(stream.substr(0, 100'000), chunk_bytes);
    EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss);
    EXPECT_NE(reading.status.message().find("byte 100000 of the compressed stream"),
              absl::string_view::npos)
        << reading.status;
    EXPECT_GT(reading.message_count, 0u);
  }
}

TEST(ItchStreamReader, ReportsWhereAPlainStreamIsCutShort) {
  const std::string stream = Contents(kAllTypes);
  const Reading reading = Read(stream.substr(0, stream.size() - 1));
  EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(reading.status.message().find("inside message 23"), absl::string_view::npos);
}

TEST(ItchStreamReader, InvalidFieldsAreNamedWithTheirMessage) {
  std::string stream = Contents(kAllTypes);
  const size_t add_order = stream.find(absl::HexStringToBytes("002441"));
  stream[add_order + 2 + 19] = 'Z';
  const Reading reading = Read(stream);
  EXPECT_NE(reading.status.message().find(absl::StrCat("message 11 at byte ", add_order, ": ")),
            absl::string_view::npos)
      << reading.status;
}

TEST(ItchStreamReader, EmptyAndTinyInputs) {
  EXPECT_TRUE(Read("").status.ok());
  EXPECT_TRUE(Read(std::string(2, '\0')).status.ok()) << "the end of the session alone";
  EXPECT_EQ(Read("S").status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Read("\x1f").status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Read("\x28\xb5\x2f\xfd").status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Read("\x1f\x8b").status.code(), absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace engine
