#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"
#include "replay/retime/latency_histogram.h"

namespace replay {
namespace {

LatencyHistogram Random(uint64_t seed, int count) {
  engine::Prng prng(seed);
  LatencyHistogram histogram;
  for (int i = 0; i < count; ++i) histogram.Record(prng.Below(uint64_t{1} << prng.Below(40)));
  return histogram;
}

void ExpectEqual(const LatencyHistogram& a, const LatencyHistogram& b) {
  EXPECT_TRUE(std::equal(a.slots().begin(), a.slots().end(), b.slots().begin(), b.slots().end()));
  EXPECT_EQ(a.count(), b.count());
  EXPECT_EQ(a.max(), b.max());
}

std::string MessageOf(const std::string& text) {
  const auto histogram = DecodeHistogram(text, 1);
  return histogram.ok() ? "ok" : std::string(histogram.status().message());
}

TEST(HdrText, WhatIsWrittenIsRead) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const LatencyHistogram histogram = Random(seed, static_cast<int>(seed * 37));
    const auto read = DecodeHistogram(EncodeHistogram(histogram), histogram.max());
    ASSERT_TRUE(read.ok()) << read.status();
    ExpectEqual(*read, histogram);
  }
}

TEST(HdrText, AnEmptyHistogramIsReadAsEmpty) {
  const auto read = DecodeHistogram(EncodeHistogram({}), 0);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(read->count(), 0u);
}

TEST(HdrText, HugeCountsAndTheLastSlotSurvive) {
  std::vector<uint64_t> slots(LatencyHistogram::kSlots);
  slots[0] = 1;
  slots[1] = (uint64_t{1} << 62) + 12345;
  slots[3] = 127;
  slots.back() = 64;
  const LatencyHistogram histogram(slots, 7);
  const auto read = DecodeHistogram(EncodeHistogram(histogram), 7);
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectEqual(*read, histogram);
}

TEST(HdrText, BeginsAsEveryCompressedVersionTwoHistogramDoes) {
  EXPECT_EQ(EncodeHistogram(Random(1, 100)).substr(0, 7), "HISTFAA");
}

// Written by the Python library hdrhistogram 0.10.
TEST(HdrText, ReadsWhatAnotherLibraryWrote) {
  LatencyHistogram expected;
  for (const uint64_t value : {1u, 5u, 255u, 256u, 300u, 12'345u, 1'000'000'000u}) {
    for (int i = 0; i < 3; ++i) expected.Record(value);
  }
  for (int i = 0; i < 3; ++i) expected.Record(100'000'000'000);
  const auto read = DecodeHistogram(
      "HISTFAAAADB4nJNpmSzMwMAAwiDABKUZgfg/CNh/gAqwsbJ9ZGZj02S7yMV2U4FtKi8bACPiC1A=",
      expected.max());
  ASSERT_TRUE(read.ok()) << read.status();
  ExpectEqual(*read, expected);
}

TEST(HdrText, DamageIsReportedWithWhatWasExpected) {
  const std::string good = EncodeHistogram(Random(3, 500));
  std::string bytes;
  ASSERT_TRUE(absl::Base64Unescape(good, &bytes));
  EXPECT_EQ(MessageOf("?"), "histogram: not base64");
  EXPECT_EQ(MessageOf(""), "histogram: 0 bytes, expected at least 8");
  EXPECT_EQ(MessageOf(absl::Base64Escape("0123456789")),
            "histogram: begins with 30313233, expected 1c849314 (compressed, version 2)");
  EXPECT_NE(MessageOf(absl::Base64Escape(bytes.substr(0, bytes.size() - 1))).find("bytes follow"),
            std::string::npos);
  bytes[20] = static_cast<char>(bytes[20] ^ 0x55);
  EXPECT_EQ(MessageOf(absl::Base64Escape(bytes)), "histogram: its compressed part cannot be read");
}

// The format's only checksum, that of zlib, does not see every change of so short a text.
TEST(HdrText, ABitFlippedAnywhereIsAnErrorOrAnotherHistogram) {
  const LatencyHistogram histogram = Random(5, 2000);
  std::string bytes;
  ASSERT_TRUE(absl::Base64Unescape(EncodeHistogram(histogram), &bytes));
  size_t accepted = 0;
  for (size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    accepted += DecodeHistogram(absl::Base64Escape(flipped), histogram.max()).ok();
  }
  EXPECT_LE(accepted, bytes.size() * 8 / 100);
}

TEST(HdrText, ThePercentileTableEndsWithEverything) {
  LatencyHistogram histogram;
  for (uint64_t value = 1; value <= 1000; ++value) histogram.Record(value * 1000);
  const std::string table = PercentileTable(histogram);
  EXPECT_NE(table.find("Value     Percentile TotalCount 1/(1-Percentile)"), std::string::npos);
  EXPECT_NE(table.find("    1000.000 1.000000000000       1000\n"), std::string::npos) << table;
}

}  // namespace
}  // namespace replay
