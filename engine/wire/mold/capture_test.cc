#include "engine/wire/mold/capture.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Messages `first` to `last`, each of which is its number.
std::string Packet(uint64_t first, uint64_t last, absl::string_view session = "S") {
  std::vector<std::string> messages;
  for (uint64_t number = first; number <= last; ++number) messages.push_back(absl::StrCat(number));
  return MoldBytes(session, first, static_cast<uint16_t>(messages.size()), Framed(messages));
}

std::string Heartbeat(uint64_t next) { return MoldBytes("S", next, 0); }
std::string End(uint64_t next) { return MoldBytes("S", next, 0xffff); }

std::string FileOf(const std::vector<std::string>& payloads, const PcapForm& form = {}) {
  std::string file = PcapHeader(form);
  for (const std::string& payload : payloads) {
    absl::StrAppend(&file, PcapRecord(UdpPacket(payload), form));
  }
  return file;
}

struct Reading {
  std::string numbers;  // "1 2 3"
  MoldCapture::Counters counters;
  MoldReceiver::Counters received;
  bool has_ended = false;
  std::string error;
};

Reading Read(const std::string& file, bool allow_gaps = false, size_t chunk_bytes = 50) {
  Reading reading;
  MoldCapture capture(allow_gaps);
  bool has_ended = false;
  for (size_t at = 0; !has_ended; at += chunk_bytes) {
    const Bytes chunk =
        AsBytes(absl::string_view(file).substr(std::min(at, file.size()), chunk_bytes));
    has_ended = chunk.empty();
    capture.Feed(chunk);
    while (true) {
      const auto messages = capture.Next();
      if (!messages.ok()) reading.error = std::string(messages.status().message());
      if (!messages.ok() || messages->empty()) break;
      for (Bytes rest = *messages; !rest.empty();) {
        const size_t length = LoadBigEndian<uint16_t>(rest.data());
        absl::StrAppend(&reading.numbers, reading.numbers.empty() ? "" : " ",
                        AsText(rest.subspan(2, length)));
        rest = rest.subspan(2 + length);
      }
    }
    if (!reading.error.empty()) break;
  }
  reading.counters = capture.counters();
  reading.received = capture.receiver().counters();
  reading.has_ended = capture.receiver().has_ended();
  return reading;
}

TEST(MoldCaptureTest, TwoLinesGiveEachMessageOnce) {
  const Reading reading =
      Read(FileOf({Packet(1, 3), Packet(1, 3), Packet(4, 5), Heartbeat(6), Packet(8, 9),
                   Packet(6, 7), Packet(4, 8), Packet(8, 9), Packet(10, 10), End(11), End(11)}));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.numbers, "1 2 3 4 5 6 7 8 9 10");
  EXPECT_EQ(reading.received.messages, 10u);
  EXPECT_EQ(reading.received.duplicates, 3u + 5u + 2u);
  EXPECT_EQ(reading.received.heartbeats, 1u);
  EXPECT_EQ(reading.counters.packets, 11u);
  EXPECT_EQ(reading.counters.gaps, 0u);
  EXPECT_TRUE(reading.has_ended);
}

TEST(MoldCaptureTest, AnyOrderOfPacketsIsPutInOrder) {
  std::vector<std::string> payloads;
  for (const int at : {1, 6, 9, 3, 12, 6, 15, 3}) {
    const auto first = static_cast<uint64_t>(at);
    payloads.push_back(Packet(first, first + (at == 1 ? 1 : 2)));
  }
  for (const size_t chunk_bytes : {1, 33, 10'000}) {
    const Reading reading = Read(FileOf(payloads), false, chunk_bytes);
    EXPECT_EQ(reading.error, "");
    EXPECT_EQ(reading.numbers, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17");
  }
}

TEST(MoldCaptureTest, ASessionMayBeginInItsMiddle) {
  const Reading reading = Read(FileOf({Packet(50, 51), Packet(48, 49), Packet(52, 52)}));
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.numbers, "50 51 52");
  EXPECT_EQ(reading.received.too_early, 2u);
}

TEST(MoldCaptureTest, MissingMessagesAreAnErrorWithTheirNumbers) {
  const std::string file =
      FileOf({Packet(1, 3), Packet(6, 7), Packet(9, 9), Packet(7, 7), Heartbeat(12)});
  const Reading refused = Read(file);
  EXPECT_EQ(refused.numbers, "1 2 3");
  EXPECT_EQ(refused.error, "messages of session 'S' are missing: 4..5, 8, 10..11");

  const Reading allowed = Read(file, /*allow_gaps=*/true);
  EXPECT_EQ(allowed.error, "");
  EXPECT_EQ(allowed.numbers, "1 2 3 6 7 9");
  EXPECT_EQ(allowed.counters.gaps, 3u);
  EXPECT_EQ(allowed.counters.missing_messages, 5u);
  EXPECT_EQ(allowed.counters.first_gaps, std::vector<MoldRange>({{4, 5}, {8, 8}, {10, 11}}));
}

TEST(MoldCaptureTest, TheMemoryForLaterMessagesIsBounded) {
  MoldCapture capture(/*allow_gaps=*/true);
  const std::string begin = FileOf({Packet(1, 1)});
  capture.Feed(AsBytes(begin));
  EXPECT_FALSE(capture.Next()->empty());
  EXPECT_TRUE(capture.Next()->empty());
  size_t most = 0;
  for (uint64_t at = 10; at < 30'000; at += 2) {
    const std::string record =
        PcapRecord(UdpPacket(MoldBytes("S", at, 1, Framed({std::string(1400, 'x')}))));
    capture.Feed(AsBytes(record));
    while (!capture.Next()->empty()) {
    }
    most = std::max(most, capture.receiver().held_bytes());
  }
  EXPECT_GT(capture.counters().gaps, 1u);
  EXPECT_LT(most, MoldCapture::kHeldBytesMax + 2000);
}

TEST(MoldCaptureTest, OtherPacketsAreSkipped) {
  const std::string arp = std::string(12, '\x02') + "\x08\x06" + std::string(46, '\0');
  const std::string file = FileOf({Packet(1, 1), "a name, please", Packet(2, 2)}) + PcapRecord(arp);
  const Reading reading = Read(file);
  EXPECT_EQ(reading.error, "");
  EXPECT_EQ(reading.numbers, "1 2");
  EXPECT_EQ(reading.counters.other_packets, 2u);
}

TEST(MoldCaptureTest, WhatCannotBeReadSaysWhy) {
  const auto refused = [](const std::string& file, const char* why) {
    EXPECT_NE(Read(file).error.find(why), std::string::npos) << Read(file).error;
  };
  refused(FileOf({Packet(1, 2), Packet(3, 3, "T")}),
          "packet 2 at byte 108: session 'T', expected 'S' as before it; a capture of several");
  refused(FileOf({"no"}), "none of the 1 packets of the capture is MoldUDP64");
  refused(FileOf({Packet(1, 2)}, {.link_type = 127}), "link type 127, expected 1 (Ethernet)");
  refused(
      FileOf({Packet(1, 1), MoldBytes("S", 2, 1, Framed({std::string(100, 'x')})), Packet(3, 3)},
             {.keep_bytes_max = 80}),
      "missing: 2; of 1 packets the capture has the beginning only (its snap length)");
  const std::string whole = FileOf({Packet(1, 2)});
  refused(whole.substr(0, whole.size() - 1), "ends inside packet 1 at byte 24, after ");
}

}  // namespace
}  // namespace engine
