#include "engine/wire/gzip.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/wire/testing/compressed.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Compresses to about half.
std::string SomeText(size_t bytes) {
  Prng prng(bytes);
  std::string text(bytes, '\0');
  for (char& c : text) c = static_cast<char>('a' + prng.Below(16));
  return text;
}

struct Reading {
  std::string plain;
  absl::Status status;
};

Reading Gunzip(const std::string& packed, size_t chunk_bytes = SIZE_MAX, size_t out_bytes = 4096) {
  Reading reading;
  GzipReader reader;
  std::vector<std::byte> out(out_bytes);
  for (size_t at = 0; at < packed.size();) {
    const size_t taken = std::min(chunk_bytes, packed.size() - at);
    reader.Feed(AsBytes(packed).subspan(at, taken));
    at += taken;
    while (true) {
      const absl::StatusOr<size_t> count = reader.Read(out);
      if (!count.ok()) {
        reading.status = count.status();
        reader.Feed(AsBytes(packed));
        EXPECT_EQ(reader.Read(out).status(), reading.status) << "sticky";
        EXPECT_EQ(reader.Finish(), reading.status) << "sticky";
        return reading;
      }
      if (*count == 0) break;
      reading.plain.append(AsText(Bytes(out).first(*count)).data(), *count);
    }
  }
  reading.status = reader.Finish();
  return reading;
}

TEST(GzipWriter, WhatIsWrittenIsReadHoweverItIsCut) {
  const std::string plain = SomeText(300'000);
  for (const size_t piece : {size_t{1000}, size_t{70'000}, plain.size()}) {
    GzipWriter writer;
    std::string packed;
    for (size_t at = 0; at < plain.size(); at += piece) {
      writer.Write(absl::string_view(plain).substr(at, piece), packed);
    }
    writer.Finish(packed);
    EXPECT_LT(packed.size(), plain.size() * 2 / 3);
    const Reading reading = Gunzip(packed);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.plain, plain);
  }
  GzipWriter empty;
  std::string packed;
  empty.Finish(packed);
  EXPECT_TRUE(Gunzip(packed).status.ok());
}

TEST(GzipReader, YieldsTheOriginalHoweverItIsCut) {
  const std::string plain = SomeText(5000);
  const std::string packed = Gzipped(plain);
  for (const size_t chunk_bytes : {1, 2, 3, 7, 100, 10'000}) {
    for (const size_t out_bytes : {1, 13, 4096}) {
      const Reading reading = Gunzip(packed, chunk_bytes, out_bytes);
      EXPECT_TRUE(reading.status.ok()) << reading.status;
      EXPECT_EQ(reading.plain, plain);
    }
  }
}

TEST(GzipReader, ConsecutiveMembersAreOneStream) {
  const std::string packed = Gzipped("one ") + Gzipped("") + Gzipped("two ") + Gzipped("three");
  for (const size_t chunk_bytes : {size_t{1}, size_t{5}, SIZE_MAX}) {
    const Reading reading = Gunzip(packed, chunk_bytes);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.plain, "one two three");
  }
}

TEST(GzipReader, ZerosAfterTheLastMemberArePadding) {
  for (const size_t chunk_bytes : {size_t{1}, SIZE_MAX}) {
    const Reading reading = Gunzip(Gzipped("padded") + std::string(1000, '\0'), chunk_bytes);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.plain, "padded");
  }
}

TEST(GzipReader, OtherBytesAfterTheLastMemberAreDamage) {
  const std::string packed = Gzipped("good");
  for (const size_t chunk_bytes : {size_t{1}, SIZE_MAX}) {
    const Reading reading = Gunzip(packed + "garbage", chunk_bytes);
    EXPECT_EQ(reading.plain.substr(0, 4), "good");
    EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss) << reading.status;
  }
}

TEST(GzipReader, EveryTruncationIsDataLoss) {
  const std::string plain = SomeText(300);
  const std::string packed = Gzipped(plain);
  for (size_t bytes = 0; bytes < packed.size(); ++bytes) {
    for (const size_t chunk_bytes : {size_t{1}, SIZE_MAX}) {
      const Reading reading = Gunzip(packed.substr(0, bytes), chunk_bytes);
      ASSERT_EQ(reading.status.code(), absl::StatusCode::kDataLoss) << bytes;
      ASSERT_EQ(plain.compare(0, reading.plain.size(), reading.plain), 0) << bytes;
    }
  }
}

TEST(GzipReader, ATruncatedLaterMemberIsDataLossToo) {
  const std::string first = Gzipped("first");
  const std::string packed = first + Gzipped("second");
  for (size_t bytes = first.size() + 1; bytes < packed.size(); ++bytes) {
    ASSERT_EQ(Gunzip(packed.substr(0, bytes)).status.code(), absl::StatusCode::kDataLoss) << bytes;
  }
}

TEST(GzipReader, DamageNamesTheOffset) {
  std::string packed = Gzipped(SomeText(3000));
  packed[packed.size() - 6] ^= 1;  // The checksum of the member.
  const Reading reading = Gunzip(packed, 100);
  EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss);
  EXPECT_NE(reading.status.message().find("incorrect data check"), absl::string_view::npos)
      << reading.status;
  EXPECT_NE(reading.status.message().find("at byte "), absl::string_view::npos);
}

TEST(GzipReader, OtherBytesAreDataLoss) {
  EXPECT_EQ(Gunzip("plain text").status.code(), absl::StatusCode::kDataLoss);
  EXPECT_EQ(Gunzip("").status.code(), absl::StatusCode::kDataLoss);
}

TEST(GzipReader, BitFlipsNeverPassForTheOriginal) {
  const std::string plain = SomeText(400);
  const std::string packed = Gzipped(plain);
  for (size_t bit = 0; bit < packed.size() * 8; ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ 1 << bit % 8);
    const Reading reading = Gunzip(damaged, 50);
    // Bits of the header's time, flags and system carry no data.
    EXPECT_TRUE(!reading.status.ok() || reading.plain == plain) << bit;
  }
}

TEST(GzipReader, IsRecognisedByItsFirstTwoBytes) {
  EXPECT_TRUE(LooksLikeGzip(AsBytes(Gzipped("x"))));
  EXPECT_FALSE(LooksLikeGzip(AsBytes(absl::string_view("\x1f"))));
  EXPECT_FALSE(
      LooksLikeGzip(AsBytes(absl::string_view("\x00\x0c"
                                              "S",
                                              3))));
  EXPECT_FALSE(LooksLikeGzip(Bytes()));
}

}  // namespace
}  // namespace engine
