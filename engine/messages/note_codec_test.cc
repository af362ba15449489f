#include "engine/messages/note_codec.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

std::vector<std::byte> BytesOf(absl::string_view text) {
  return {AsBytes(text).begin(), AsBytes(text).end()};
}

Note SampleNote() {
  return {.name_space = "venue", .version = 1, .bytes = {std::byte{0}, std::byte{0xff}}};
}

absl::StatusCode ErrorOf(const Note& note) { return DecodeNote(EncodeNote(note)).status().code(); }

TEST(NoteCodec, ReadsWhatItWrites) {
  for (const size_t size : {0u, 1u, 7u, 8u, 9u, 65'535u, 65'536u}) {
    for (const size_t length : {1u, 7u, 8u, 31u, 32u}) {
      const Note note{.name_space = std::string(length, 'z'),
                      .version = 65'535,
                      .bytes = std::vector<std::byte>(size, std::byte{0x1b})};
      const std::vector<std::byte> encoded = EncodeNote(note);
      EXPECT_LE(encoded.size(), kNoteAttachmentBytesMax);
      EXPECT_EQ(DecodeNote(encoded).value(), note) << size << " " << length;
    }
  }
}

TEST(NoteCodec, WritesTheBytesThatAreInJournals) {
  EXPECT_EQ(ToHex(EncodeNote(SampleNote())),
            "00000000010002000100000000000000"
            "05000000320000000500000012000000"
            "76656e756500000000ff000000000000");
  EXPECT_EQ(ToHex(EncodeNote({.name_space = "a", .version = 2, .bytes = {}})),
            "00000000010001000200000000000000"
            "01000000120000006100000000000000");
}

TEST(NoteCodec, RefusesInvalidValues) {
  for (const char* name : {"", "A", "a b", "a/b", "\x7f", "\xc3\xa9", "a=b", "a\n",
                           "abcdefghijklmnopqrstuvwxyz0123456"}) {
    Note note = SampleNote();
    note.name_space = name;
    EXPECT_EQ(ErrorOf(note), absl::StatusCode::kInvalidArgument) << name;
  }
  Note note = SampleNote();
  note.name_space.push_back('\0');
  EXPECT_EQ(ErrorOf(note), absl::StatusCode::kInvalidArgument);
  note = SampleNote();
  note.version = 0;
  EXPECT_EQ(ErrorOf(note), absl::StatusCode::kInvalidArgument);
  note = SampleNote();
  note.bytes.resize(kNoteBytesMax + 1);
  EXPECT_FALSE(DecodeNote(EncodeNote(note)).ok());
  note.bytes.resize(1 << 20);
  EXPECT_EQ(ErrorOf(note), absl::StatusCode::kDataLoss);
}

TEST(NoteCodec, RefusesEveryPartOfANote) {
  const std::vector<std::byte> whole = EncodeNote(SampleNote());
  for (size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(DecodeNote(Bytes(whole).first(length)).ok()) << length;
  }
}

TEST(NoteCodec, RefusesWhatFollowsANote) {
  for (size_t more = 1; more <= 64; ++more) {
    std::vector<std::byte> longer = EncodeNote(SampleNote());
    longer.resize(longer.size() + more);
    EXPECT_FALSE(DecodeNote(longer).ok()) << more;
  }
}

// Cap'n Proto reads many forms of one value: a text whose padding is not zero, pointers that share
// their target, a wider struct. Only one of them is a note.
TEST(NoteCodec, ANoteThatIsReadHasOneForm) {
  Prng prng(1);
  int read = 0;
  for (int round = 0; round < 100'000; ++round) {
    std::vector<std::byte> bytes = EncodeNote(SampleNote());
    for (uint64_t changes = 1 + prng.Below(3); changes > 0; --changes) {
      bytes[prng.Below(bytes.size())] ^= static_cast<std::byte>(1u << prng.Below(8));
    }
    const auto note = DecodeNote(bytes);
    if (!note.ok()) continue;
    ASSERT_EQ(EncodeNote(*note), bytes) << ToHex(bytes);
    ++read;
  }
  EXPECT_GT(read, 1'000);  // A changed version, namespace or byte.
}

TEST(NoteCodec, ReadsAnyBytesSafely) {
  Prng prng(2);
  for (int round = 0; round < 10'000; ++round) {
    std::vector<std::byte> bytes(prng.Below(80));
    for (std::byte& byte : bytes) byte = std::byte(prng.Chance(60) ? 0 : prng.Below(256));
    (void)DecodeNote(bytes).ok();
  }
  EXPECT_FALSE(DecodeNote({}).ok());
  EXPECT_FALSE(DecodeNote(std::vector<std::byte>(1 << 20)).ok());
  EXPECT_FALSE(DecodeNote(BytesOf("namespace=venue version=1")).ok());
}

}  // namespace
}  // namespace engine
