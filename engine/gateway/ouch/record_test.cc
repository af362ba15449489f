#include "engine/gateway/ouch/record.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/messages/note_codec.h"
#include "engine/types/note.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using What = OuchRecord::What;

TEST(OuchRecord, ReadsWhatItWrites) {
  for (const What what : {What::kRequest, What::kRefusal, What::kDay, What::kDayEnd}) {
    for (const char* user : {"", "A", "SIXCHR"}) {
      for (const char* more : {"", " padded ", "Xtoken"}) {
        const OuchRecord record = {.what = what, .user = user, .more = more};
        EXPECT_EQ(DecodeOuchRecord(EncodeOuchRecord(record)), record);
      }
    }
  }
}

TEST(OuchRecord, IsANoteThatOthersCanRead) {
  const auto note = DecodeNote(
      EncodeOuchRecord({.what = What::kRefusal, .user = "ONE", .more = "T1            S"}));
  ASSERT_TRUE(note.ok()) << note.status();
  EXPECT_EQ(note->name_space, "venue.ouch");
  EXPECT_EQ(note->version, 1);
  EXPECT_EQ(AsText(note->bytes), "JONE   T1            S");
}

TEST(OuchRecord, OtherAttachmentsAreNone) {
  const auto is_record = [](Note note, std::string text) {
    note.bytes = {AsBytes(text).begin(), AsBytes(text).end()};
    return DecodeOuchRecord(EncodeNote(note)).has_value();
  };
  const Note sound = {.name_space = "venue.ouch", .version = 1, .bytes = {}};
  EXPECT_TRUE(is_record(sound, "RONE   x"));
  EXPECT_TRUE(is_record(sound, "E      "));
  EXPECT_FALSE(is_record(sound, ""));
  EXPECT_FALSE(is_record(sound, "R12345"));
  EXPECT_FALSE(is_record(sound, "Z      "));
  EXPECT_FALSE(is_record({.name_space = "venue.other", .version = 1, .bytes = {}}, "RONE   x"));
  EXPECT_FALSE(is_record({.name_space = "venue.ouch", .version = 2, .bytes = {}}, "RONE   x"));
  EXPECT_FALSE(DecodeOuchRecord({}).has_value());
}

TEST(OuchRecord, AnyBytesAreSafe) {
  Prng prng(1);
  const std::vector<std::byte> sound =
      EncodeOuchRecord({.what = What::kRequest, .user = "ONE", .more = "Xtoken"});
  for (int round = 0; round < 20'000; ++round) {
    std::vector<std::byte> bytes = sound;
    bytes.resize(prng.Chance(50) ? bytes.size() : prng.Below(bytes.size() + 9));
    for (uint64_t changes = prng.Below(4); changes > 0 && !bytes.empty(); --changes) {
      const size_t at = prng.Below(bytes.size());
      bytes[at] = static_cast<std::byte>(prng.Below(256));
    }
    const auto record = DecodeOuchRecord(bytes);
    if (!record.has_value()) continue;
    EXPECT_EQ(EncodeOuchRecord(*record), bytes);
  }
}

}  // namespace
}  // namespace engine
