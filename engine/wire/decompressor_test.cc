#include "engine/wire/decompressor.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/testing/compressed.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

struct Reading {
  std::string plain;
  std::string format;
  absl::Status status;
};

Reading Read(absl::string_view from, size_t chunk_bytes) {
  Reading reading;
  Decompressor stream;
  bool has_ended = false;
  for (size_t at = 0; !has_ended; at += chunk_bytes) {
    const absl::string_view chunk = from.substr(std::min(at, from.size()), chunk_bytes);
    has_ended = chunk.empty();
    stream.Feed(AsBytes(chunk));
    while (true) {
      const absl::StatusOr<Bytes> piece = stream.Next();
      reading.format = std::string(stream.format());
      reading.status = piece.status();
      if (!piece.ok()) {
        stream.Feed(AsBytes(from));
        EXPECT_EQ(stream.Next().status(), reading.status) << "sticky";
        return reading;
      }
      if (piece->empty()) break;
      absl::StrAppend(&reading.plain, AsText(*piece));
    }
  }
  return reading;
}

std::string SomeText() {
  std::string text;
  for (int i = 0; i < 100'000; ++i) absl::StrAppend(&text, i, ",");
  return text;
}

TEST(DecompressorTest, TheFirstBytesDecide) {
  const std::string plain = SomeText();
  const std::vector<std::pair<std::string, std::string>> streams = {
      {"", plain}, {"gzip", Gzipped(plain)}, {"zstd", Zstandard(plain)}};
  for (const auto& [format, stream] : streams) {
    for (const size_t chunk_bytes : {size_t{1}, size_t{3}, size_t{1000}, plain.size()}) {
      const Reading reading = Read(stream, chunk_bytes);
      EXPECT_TRUE(reading.status.ok()) << reading.status;
      EXPECT_EQ(reading.format, format);
      EXPECT_TRUE(reading.plain == plain) << format << " in chunks of " << chunk_bytes;
    }
  }
}

TEST(DecompressorTest, ShortStreamsAreThemselves) {
  for (const absl::string_view stream : {"", "a", "abc", "\x28\xb5\x2f", "\x1f"}) {
    for (const size_t chunk_bytes : {1, 100}) {
      const Reading reading = Read(stream, chunk_bytes);
      EXPECT_TRUE(reading.status.ok()) << reading.status;
      EXPECT_EQ(reading.plain, stream);
    }
  }
}

TEST(DecompressorTest, AFrameToBeSkippedBeginsZstdToo) {
  const std::string skipped("\x50\x2a\x4d\x18\x03\0\0\0abc", 11);
  const Reading reading = Read(skipped + Zstandard("plain"), 2);
  EXPECT_TRUE(reading.status.ok()) << reading.status;
  EXPECT_EQ(reading.plain, "plain");
}

TEST(DecompressorTest, AStreamThatIsCutSaysWhere) {
  for (const std::string& stream : {Gzipped(SomeText()), Zstandard(SomeText())}) {
    for (const size_t chunk_bytes : {size_t{7}, stream.size()}) {
      const size_t length = stream.size() / 2;
      const Reading reading = Read(absl::string_view(stream).substr(0, length), chunk_bytes);
      EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss);
      EXPECT_NE(reading.status.message().find(
                    absl::StrCat(": damaged at byte ", length, " of the compressed stream: ")),
                absl::string_view::npos)
          << reading.status;
    }
  }
}

TEST(DecompressorTest, WhatFollowsACompressedStreamIsRefused) {
  for (const std::string& stream : {Gzipped("plain"), Zstandard("plain")}) {
    const Reading reading = Read(stream + "more", 1000);
    EXPECT_EQ(reading.plain, "plain");
    EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss) << stream.size();
  }
}

}  // namespace
}  // namespace engine
