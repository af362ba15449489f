#include "engine/wire/itch/framing.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/prng.h"
#include "engine/wire/itch/parser.h"
#include "gtest/gtest.h"
// After gtest, which it needs.
#include "rapidcheck/gtest.h"

namespace {
std::atomic<uint64_t> allocation_count = 0;
}  // namespace

void* operator new(size_t bytes) {
  ++allocation_count;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace engine {
namespace {

std::string Hex(absl::string_view digits) { return absl::HexStringToBytes(digits); }

std::string AllTypes() {
  std::ifstream file("testdata/itch/feedforge/all23_types_framed.itch", std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// 00 0c, then 12 bytes of a system event.
std::string SystemEvent() { return Hex("000c5300000304000005060708") + "O"; }

// The result of a stream that is read in chunks of the given size.
struct Reading {
  std::vector<std::string> messages;
  std::vector<uint64_t> offsets;
  std::vector<uint64_t> numbers;
  absl::Status status;
};

Reading Read(const std::string& stream, size_t chunk_bytes = SIZE_MAX) {
  Reading reading;
  ItchFrameReader reader;
  for (size_t at = 0; at < stream.size();) {
    // A chunk of its own, so that the sanitizer sees reads beyond it or after its end.
    const std::vector<std::byte> chunk = [&] {
      const Bytes part = AsBytes(stream).subspan(at, std::min(chunk_bytes, stream.size() - at));
      return std::vector<std::byte>(part.begin(), part.end());
    }();
    at += chunk.size();
    reader.Feed(chunk);
    ItchFrame frame;
    while (true) {
      const absl::StatusOr<bool> more = reader.Next(frame);
      if (!more.ok()) {
        reading.status = more.status();
        reader.Feed(chunk);
        EXPECT_EQ(reader.Next(frame).status(), reading.status) << "sticky";
        EXPECT_EQ(reader.Finish(), reading.status) << "sticky";
        return reading;
      }
      if (!*more) break;
      reading.messages.emplace_back(AsText(frame.message));
      reading.offsets.push_back(frame.offset);
      reading.numbers.push_back(frame.number);
    }
  }
  reading.status = reader.Finish();
  return reading;
}

// The status names each of the words.
void ExpectSays(const absl::Status& status, std::initializer_list<absl::string_view> words) {
  EXPECT_FALSE(status.ok());
  for (const absl::string_view word : words) {
    EXPECT_NE(status.message().find(word), absl::string_view::npos)
        << "'" << word << "' is missing in: " << status.message();
  }
}

TEST(ItchFraming, FindsTheMessagesWithTheirOffsetsAndNumbers) {
  const std::string stream = AllTypes();
  const Reading reading = Read(stream);
  EXPECT_TRUE(reading.status.ok()) << reading.status;
  ASSERT_EQ(reading.messages.size(), kItchTypeCount);
  uint64_t offset = 0;
  for (size_t i = 0; i < kItchTypeCount; ++i) {
    EXPECT_EQ(reading.messages[i][0], kItchTypes[i].letter);
    EXPECT_EQ(reading.messages[i].size(), kItchTypes[i].bytes);
    EXPECT_EQ(reading.numbers[i], i + 1);
    EXPECT_EQ(reading.offsets[i], offset);
    offset += 2 + kItchTypes[i].bytes;
  }
  EXPECT_EQ(offset, stream.size());
}

TEST(ItchFraming, IsIndependentOfTheCuts) {
  const std::string stream = AllTypes();
  const Reading whole = Read(stream);
  for (size_t chunk_bytes = 1; chunk_bytes <= 120; ++chunk_bytes) {
    const Reading reading = Read(stream, chunk_bytes);
    ASSERT_TRUE(reading.status.ok()) << chunk_bytes << ": " << reading.status;
    ASSERT_EQ(reading.messages, whole.messages) << chunk_bytes;
    ASSERT_EQ(reading.offsets, whole.offsets) << chunk_bytes;
    ASSERT_EQ(reading.numbers, whole.numbers) << chunk_bytes;
  }
}

TEST(ItchFraming, AnEmptyStreamHasNoMessages) {
  const Reading reading = Read("");
  EXPECT_TRUE(reading.status.ok());
  EXPECT_TRUE(reading.messages.empty());
}

TEST(ItchFraming, AZeroLengthMayEndTheStream) {
  for (const size_t chunk_bytes : {size_t{1}, size_t{2}, size_t{15}, SIZE_MAX}) {
    const Reading reading = Read(SystemEvent() + Hex("0000"), chunk_bytes);
    EXPECT_TRUE(reading.status.ok()) << reading.status;
    EXPECT_EQ(reading.messages.size(), 1u);
    EXPECT_TRUE(Read(Hex("0000"), chunk_bytes).status.ok());
  }
}

TEST(ItchFraming, AZeroLengthBeforeMoreBytesIsRefused) {
  for (const size_t chunk_bytes : {size_t{1}, size_t{2}, size_t{16}, SIZE_MAX}) {
    ExpectSays(Read(SystemEvent() + Hex("0000deadbeef"), chunk_bytes).status,
               {"message 2 at byte 14", "0 may only end the input"});
    ExpectSays(
        Read(Hex("0000deadbeef"), chunk_bytes).status,
        {"not a length-framed ITCH 5.0 stream", "message 1 at byte 0", "0 may only end the input"});
    ExpectSays(Read(SystemEvent() + Hex("0000") + SystemEvent(), chunk_bytes).status,
               {"message 2 at byte 14"});
    ExpectSays(Read(Hex("00000000"), chunk_bytes).status, {"message 1 at byte 0"});
  }
}

TEST(ItchFraming, ALengthThatIsNotTheTypesIsRefused) {
  for (const size_t chunk_bytes : {size_t{1}, size_t{3}, SIZE_MAX}) {
    ExpectSays(Read(Hex("00014100"), chunk_bytes).status,
               {"message 1 at byte 0", "a length of 1, expected 36 for type 'A' (add_order)"});
    ExpectSays(Read(SystemEvent() + Hex("ffff44"), chunk_bytes).status,
               {"message 2 at byte 14", "a length of 65535, expected 19"});
  }
}

TEST(ItchFraming, LengthsThatCountThemselvesAreNamed) {
  const absl::Status status = Read(Hex("000e5300000304000005060708") + "O").status;
  ExpectSays(status, {"not a length-framed ITCH 5.0 stream", "message 1 at byte 0", "expected 12",
                      "count its own two bytes"});
}

TEST(ItchFraming, AnUnknownTypeIsRefused) {
  ExpectSays(Read(Hex("00013f0000")).status,
             {"message 1 at byte 0", "unknown message type '?' after a length of 1"});
  ExpectSays(Read(SystemEvent() + Hex("000c7f")).status,
             {"message 2 at byte 14", "unknown message type '\\x7f'"});
}

TEST(ItchFraming, OtherFormatsAreReported) {
  for (const absl::string_view text :
       {"order,price,quantity\n", "{\"a\": 1}", "\x1f\x8b\x08", "ELF"}) {
    ExpectSays(Read(std::string(text)).status, {"not a length-framed ITCH 5.0 stream"});
  }
}

TEST(ItchFraming, EveryCutInsideAMessageIsATruncatedTail) {
  const std::string stream = SystemEvent() + SystemEvent();
  for (size_t tail = 1; tail < SystemEvent().size(); ++tail) {
    for (const size_t chunk_bytes : {size_t{1}, size_t{5}, SIZE_MAX}) {
      const Reading reading = Read(stream.substr(0, SystemEvent().size() + tail), chunk_bytes);
      EXPECT_EQ(reading.status.code(), absl::StatusCode::kDataLoss);
      ExpectSays(reading.status,
                 {"inside message 2 at byte 14", absl::StrCat("tail of ", tail, " bytes")});
      EXPECT_EQ(reading.messages.size(), 1u);
    }
  }
}

TEST(ItchFraming, AllocatesNothingPerMessage) {
  std::string stream;
  for (int i = 0; i < 100; ++i) stream += AllTypes();
  const Bytes bytes = AsBytes(stream);
  ItchFrameReader reader;
  uint64_t count = 0;
  const uint64_t before = allocation_count;
  for (size_t at = 0; at < bytes.size(); at += 1000) {
    reader.Feed(bytes.subspan(at, std::min<size_t>(1000, bytes.size() - at)));
    ItchFrame frame;
    while (*reader.Next(frame)) count += ParseItchMessage(frame).ok();
  }
  EXPECT_EQ(allocation_count, before);
  EXPECT_EQ(count, 100 * kItchTypeCount);
  const std::string something(100, 'x');
  EXPECT_GT(allocation_count, before) << "the count does not count";
}

RC_GTEST_PROP(ItchFraming, AnyBytesInAnyChunksGiveTheSame, ()) {
  const uint64_t seed = *rc::gen::arbitrary<uint64_t>();
  const size_t chunk_bytes = *rc::gen::inRange<size_t>(1, 200);
  Prng prng(seed);
  std::string stream = AllTypes();
  const uint64_t flips = prng.Below(4);
  for (uint64_t i = 0; i < flips; ++i) {
    stream[prng.Below(stream.size())] ^= static_cast<char>(1 << prng.Below(8));
  }
  stream.resize(prng.Below(stream.size() + 1));
  const Reading whole = Read(stream);
  const Reading cut = Read(stream, chunk_bytes);
  RC_ASSERT(whole.messages == cut.messages);
  RC_ASSERT(whole.offsets == cut.offsets);
  RC_ASSERT(whole.status.ToString() == cut.status.ToString());
}

RC_GTEST_PROP(ItchFraming, RandomBytesNeverCrash, (const std::string& stream)) {
  const Reading reading = Read(stream, *rc::gen::inRange<size_t>(1, 10));
  uint64_t bytes = 0;
  for (const std::string& message : reading.messages) bytes += 2 + message.size();
  RC_ASSERT(bytes <= stream.size());
}

}  // namespace
}  // namespace engine
