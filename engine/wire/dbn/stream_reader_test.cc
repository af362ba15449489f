#include "engine/wire/dbn/stream_reader.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/dbn/metadata.h"
#include "engine/wire/dbn/records.h"
#include "engine/wire/dbn/testing/streams.h"
#include "engine/wire/zstd.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using ::testing::HasSubstr;

struct Read {
  std::vector<DbnMbo> records = {};
  absl::Status status = {};
};

Read ReadAll(DbnStreamReader& reader, absl::string_view stream, size_t chunk_bytes) {
  Read read;
  while (!stream.empty()) {
    const absl::string_view chunk = stream.substr(0, chunk_bytes);
    reader.Feed(AsBytes(chunk));
    stream.remove_prefix(chunk.size());
    DbnMbo record;
    while (true) {
      const auto more = reader.Next(record);
      read.status = more.status();
      if (!more.ok()) return read;
      if (!*more) break;
      read.records.push_back(record);
    }
  }
  read.status = reader.Finish();
  return read;
}

std::string ErrorOf(absl::string_view stream) {
  DbnStreamReader reader;
  return std::string(ReadAll(reader, stream, stream.size() + 1).status.message());
}

std::vector<DbnMbo> TwoRecords() {
  return {DbnTestRecord(kDbnAdd, kDbnBid), DbnTestRecord(kDbnCancel, kDbnBid)};
}

// A record of another type, with that many words.
std::string Other(uint8_t words, uint8_t rtype) {
  std::string bytes(words * size_t{4}, '\0');
  bytes[0] = static_cast<char>(words);
  bytes[1] = static_cast<char>(rtype);
  return bytes;
}

std::string Compressed(absl::string_view plain) {
  std::string out;
  ZstdWriter writer;
  writer.Write(plain, out);
  writer.Finish(out);
  return out;
}

TEST(DbnStreamReader, EveryVersionIsReadInChunksOfAnySize) {
  for (const int version : {1, 2, 3}) {
    const std::string plain = DbnTestMetadata(version) + DbnTestBytes(TwoRecords());
    for (const std::string& stream : {plain, Compressed(plain)}) {
      for (const size_t chunk_bytes : {size_t{1}, size_t{7}, size_t{64}, stream.size()}) {
        DbnStreamReader reader;
        const Read read = ReadAll(reader, stream, chunk_bytes);
        EXPECT_TRUE(read.status.ok()) << read.status;
        EXPECT_EQ(read.records, TwoRecords());
        EXPECT_EQ(reader.metadata()->version, version);
        EXPECT_EQ(reader.is_zstd(), stream != plain);
      }
    }
  }
}

TEST(DbnStreamReader, OtherTypesAreCounted) {
  const std::string stream = DbnTestMetadata(3) + Other(12, 0x00) + Other(4, 0x7f) +
                             DbnTestBytes(TwoRecords()) + Other(255, 0x13) + Other(12, 0x00);
  for (const size_t chunk_bytes : {size_t{5}, stream.size()}) {
    DbnStreamReader reader;
    EXPECT_EQ(ReadAll(reader, stream, chunk_bytes).records, TwoRecords());
    EXPECT_EQ(reader.counts()[0x00], 2u);
    EXPECT_EQ(reader.counts()[0x7f], 1u);
    EXPECT_EQ(reader.counts()[0x13], 1u);
    EXPECT_EQ(reader.counts()[kDbnMboType], 2u);
  }
  EXPECT_EQ(DbnTypeName(0x13), "definition");
  EXPECT_EQ(DbnTypeName(0x7f), "");
}

TEST(DbnStreamReader, BytesAfterTheKnownFieldsAreSkipped) {
  std::string record = DbnTestBytes({DbnTestRecord(kDbnAdd, kDbnAsk)}) + "ts_out!!";
  record[0] = 16;
  DbnStreamReader reader;
  const std::string stream = DbnTestMetadata(3) + record + record;
  const Read read = ReadAll(reader, stream, stream.size());
  EXPECT_TRUE(read.status.ok()) << read.status;
  ASSERT_EQ(read.records.size(), 2u);
  EXPECT_EQ(read.records[1].order_id, 1u);
}

TEST(DbnStreamReader, MalformedStreamsAreRefusedWithTheByte) {
  const std::string metadata = DbnTestMetadata(2);
  const std::string record = DbnTestBytes({DbnTestRecord(kDbnAdd, kDbnBid)});
  ASSERT_EQ(metadata.size(), 353u);
  EXPECT_EQ(ErrorOf(metadata + record + Other(3, 1)),
            "record at byte 409: its length is 12 bytes, expected 16 or more");
  std::string none = record;
  none[0] = 0;
  EXPECT_EQ(ErrorOf(metadata + none),
            "record at byte 353: its length is 0 bytes, expected 16 or more");
  EXPECT_EQ(ErrorOf(metadata + Other(13, kDbnMboType)),
            "record at byte 353: a record of type mbo has 52 bytes, expected 56 or more");
  std::string trades = metadata;
  trades[24] = 4;
  EXPECT_EQ(ErrorOf(trades + record),
            "metadata at byte 24: the records are of schema 4, expected 0 (mbo)");
  EXPECT_THAT(ErrorOf("id,price\n7,100\n"), HasSubstr("the stream begins with \"id,\""));
}

TEST(DbnStreamReader, TruncatedStreamsAreRefused) {
  const std::string stream = DbnTestMetadata(1) + DbnTestBytes(TwoRecords());
  const size_t metadata_bytes = DbnTestMetadata(1).size();
  for (size_t length = 0; length < stream.size(); ++length) {
    DbnStreamReader reader;
    const Read read = ReadAll(reader, stream.substr(0, length), 50);
    const bool is_whole = length == metadata_bytes || length == metadata_bytes + sizeof(DbnMbo);
    EXPECT_EQ(read.status.code(), is_whole ? absl::StatusCode::kOk : absl::StatusCode::kDataLoss)
        << length << read.status;
  }
  EXPECT_EQ(ErrorOf(""), "the input has 0 bytes, expected DBN, which begins with \"DBN\"");
  EXPECT_EQ(ErrorOf(stream.substr(0, 100)),
            "metadata at byte 8: it has 198 bytes, and the input ends after 92");
  EXPECT_EQ(ErrorOf(stream.substr(0, stream.size() - 1)),
            "record at byte 262: its length is 56 bytes, and the input ends after 55");
  const std::string compressed = Compressed(stream);
  DbnStreamReader reader;
  EXPECT_EQ(ReadAll(reader, compressed.substr(0, compressed.size() - 1), 50).status.code(),
            absl::StatusCode::kDataLoss);
}

TEST(DbnStreamReader, AnErrorStays) {
  DbnStreamReader reader;
  EXPECT_FALSE(ReadAll(reader, "DBX 1234", 8).status.ok());
  reader.Feed(AsBytes("DBN"));
  DbnMbo record;
  EXPECT_FALSE(reader.Next(record).ok());
  EXPECT_FALSE(reader.Finish().ok());
}

}  // namespace
}  // namespace engine
