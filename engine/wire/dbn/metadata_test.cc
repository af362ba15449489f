#include "engine/wire/dbn/metadata.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/dbn/testing/streams.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <typename T>
std::string Number(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};
}

absl::StatusOr<DbnMetadata> Parse(absl::string_view bytes) {
  const auto prefix = ParseDbnPrefix(AsBytes(bytes.substr(0, kDbnPrefixBytes)));
  if (!prefix.ok()) return prefix.status();
  return ParseDbnMetadata(prefix->first, AsBytes(bytes.substr(kDbnPrefixBytes)));
}

TEST(DbnMetadataTest, EveryVersionIsRead) {
  for (const int version : {1, 2, 3}) {
    const auto metadata = Parse(DbnTestMetadata(version));
    ASSERT_TRUE(metadata.ok()) << metadata.status();
    EXPECT_EQ(metadata->version, version);
    EXPECT_EQ(metadata->dataset, "TICKTAPE");
    EXPECT_EQ(metadata->schema, DbnSchema::kMbo);
    EXPECT_EQ(metadata->start, 1'580'376'606'000'000'000u);
    EXPECT_EQ(metadata->end, 1'580'376'607'000'000'000u);
    EXPECT_EQ(metadata->symbols_in, kDbnRawSymbols);
    EXPECT_EQ(metadata->symbols_out, kDbnInstrumentIds);
    EXPECT_FALSE(metadata->has_send_times);
    EXPECT_THAT(metadata->symbols, ElementsAre("AAPL"));
    ASSERT_EQ(metadata->mappings.size(), 1u);
    EXPECT_EQ(metadata->mappings[0].symbol, "AAPL");
    ASSERT_EQ(metadata->mappings[0].intervals.size(), 1u);
    EXPECT_EQ(metadata->mappings[0].intervals[0].start_date, 20'200'130u);
    EXPECT_EQ(metadata->mappings[0].intervals[0].end_date, 20'200'131u);
    EXPECT_EQ(metadata->mappings[0].intervals[0].symbol, "7");
  }
}

TEST(DbnMetadataTest, Version3IsWritten) {
  const auto metadata = Parse(DbnTestMetadata(3));
  ASSERT_TRUE(metadata.ok()) << metadata.status();
  EXPECT_EQ(EncodeDbnMetadata(*metadata), DbnTestMetadata(3));
}

TEST(DbnMetadataTest, TruncatedMetadataIsRefused) {
  for (const int version : {1, 2}) {
    const std::string whole = DbnTestMetadata(version);
    for (size_t length = kDbnPrefixBytes; length < whole.size(); ++length) {
      EXPECT_EQ(Parse(whole.substr(0, length)).status().code(), absl::StatusCode::kInvalidArgument)
          << length;
    }
  }
}

TEST(DbnMetadataTest, AnErrorSaysWhatWasExpected) {
  const auto error_of = [](std::string bytes) {
    return std::string(Parse(bytes).status().message());
  };
  std::string bytes = DbnTestMetadata(3);
  bytes[0] = 'X';
  EXPECT_EQ(error_of(bytes), "the stream begins with \"XBN\", expected \"DBN\", or zstd of that");
  bytes = DbnTestMetadata(3);
  bytes[3] = 4;
  EXPECT_EQ(error_of(bytes), "version 4 of DBN is not known, expected 1, 2 or 3");
  bytes = DbnTestMetadata(3);
  bytes.replace(4, 4, Number(uint32_t{119}));
  EXPECT_THAT(error_of(bytes), HasSubstr("the metadata has 119 bytes, expected 120 to "));
  bytes = DbnTestMetadata(3);
  bytes.replace(8 + 104, 4, Number(~uint32_t{0}));
  EXPECT_THAT(error_of(bytes),
              HasSubstr("metadata at byte 116: 4294967295 symbols do not fit in the remaining "));
  bytes = DbnTestMetadata(3);
  bytes[8 + 108] = '\x1b';
  EXPECT_THAT(error_of(bytes), HasSubstr("a symbol \"\\x1b\\x41PL\" is not ASCII text"));
}

}  // namespace
}  // namespace engine
