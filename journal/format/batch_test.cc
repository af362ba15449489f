#include "journal/format/batch.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/format/aligned_buffer.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

using engine::SequenceNumber;

std::vector<Row> SomeRows(size_t count) {
  std::vector<Row> rows;
  for (const OwnedRecord& record : RecordSource(1).Take(count)) rows.push_back(record.row);
  return rows;
}

// A body by hand, word by word.
std::vector<uint64_t> RowsOnlyBody(const std::vector<Row>& rows) {
  std::vector<uint64_t> words(RowsOnlyBytes(rows.size()) / 8);
  auto* bytes = reinterpret_cast<std::byte*>(words.data());
  WriteRowsOnlyHead(rows.size(), bytes);
  std::memcpy(bytes + kRowsOffset, rows.data(), rows.size() * sizeof(Row));
  return words;
}

// Rows of `row_words` each, the words of row i counting from 100 * i + 1.
std::vector<uint64_t> BodyOfOtherRows(uint64_t row_count, uint64_t row_words) {
  const uint64_t list_words = row_count * row_words;
  std::vector<uint64_t> words = {(4 + list_words) << 32, uint64_t{2} << 48,
                                 list_words << 35 | uint64_t{7} << 32 | 1 << 2 | 1, 0,
                                 row_words << 32 | row_count << 2};
  for (uint64_t i = 0; i < row_count; ++i) {
    for (uint64_t j = 1; j <= row_words; ++j) words.push_back(100 * i + j);
  }
  return words;
}

engine::Bytes AsBody(const std::vector<uint64_t>& words) { return std::as_bytes(std::span(words)); }

TEST(Batch, ABodyWithoutAttachmentsIsFortyKnownBytesAndTheRows) {
  const std::vector<uint64_t> words = RowsOnlyBody(SomeRows(3));
  EXPECT_EQ(words[0], uint64_t{28} << 32);              // One segment of 28 words.
  EXPECT_EQ(words[1], uint64_t{2} << 48);               // Root: no data, two pointers.
  EXPECT_EQ(words[2], uint64_t{24 * 8 + 7} << 32 | 5);  // Composite list of 24 words, one further.
  EXPECT_EQ(words[3], 0u);                              // No attachments.
  EXPECT_EQ(words[4], uint64_t{8} << 32 | 3 << 2);      // Three structs of eight words.
}

TEST(Batch, RowsAreReadInPlace) {
  const std::vector<Row> rows = SomeRows(5);
  const std::vector<uint64_t> body = RowsOnlyBody(rows);
  BatchDecoder decoder;
  ASSERT_TRUE(decoder.Decode(AsBody(body), 5).ok());
  EXPECT_EQ(static_cast<const void*>(decoder.records().rows.data()), &body[5]);
  EXPECT_EQ(std::vector<Row>(decoder.records().rows.begin(), decoder.records().rows.end()), rows);
  EXPECT_TRUE(decoder.records().attachments.empty());
}

TEST(Batch, AttachmentsAreReadWithTheirRecords) {
  const std::vector<Row> rows = SomeRows(7);
  const std::vector<AttachmentView> attachments = {
      {SequenceNumber(1), engine::AsBytes("a")},
      {SequenceNumber(4), engine::AsBytes("eight by")},
      {SequenceNumber(7), engine::AsBytes("nine bytes")}};
  AlignedBuffer body(kRowsOffset);
  const size_t bytes = EncodeBatch({.rows = rows, .attachments = attachments}, body);
  EXPECT_EQ(std::memcmp(body.data() + kRowsOffset, rows.data(), 7 * sizeof(Row)), 0)
      << "the rows are where the columns transform expects them";
  BatchDecoder decoder;
  ASSERT_TRUE(decoder.Decode(body.first(bytes), 7).ok());
  EXPECT_EQ(std::vector<Row>(decoder.records().rows.begin(), decoder.records().rows.end()), rows);
  ASSERT_EQ(decoder.records().attachments.size(), 3u);
  EXPECT_EQ(decoder.records().attachments[1].sequence, SequenceNumber(4));
  EXPECT_EQ(engine::AsText(decoder.records().attachments[2].bytes), "nine bytes");
}

TEST(Batch, EncodingIntoAUsedBufferIsTheSame) {
  const std::vector<Row> rows = SomeRows(3);
  const std::vector<AttachmentView> attachments = {{SequenceNumber(2), engine::AsBytes("abc")}};
  AlignedBuffer fresh(kRowsOffset);
  const size_t bytes = EncodeBatch({.rows = rows, .attachments = attachments}, fresh);
  AlignedBuffer used(kRowsOffset);
  used.Reserve(bytes);
  std::memset(used.data(), 0xff, bytes);
  ASSERT_EQ(EncodeBatch({.rows = rows, .attachments = attachments}, used), bytes);
  EXPECT_EQ(std::memcmp(fresh.data(), used.data(), bytes), 0);
}

TEST(Batch, ShorterRowsOfAnOlderSchemaAreFilledWithZeros) {
  const std::vector<uint64_t> body = BodyOfOtherRows(2, 5);
  BatchDecoder decoder;
  ASSERT_TRUE(decoder.Decode(AsBody(body), 2).ok());
  std::array<uint64_t, 8> words;
  std::memcpy(words.data(), &decoder.records().rows[1], sizeof(words));
  EXPECT_EQ(words, (std::array<uint64_t, 8>{101, 102, 103, 104, 105, 0, 0, 0}));
}

TEST(Batch, LongerRowsAreReadIfTheAdditionIsZero) {
  std::vector<uint64_t> body = BodyOfOtherRows(2, 9);
  BatchDecoder decoder;
  EXPECT_TRUE(absl::IsUnimplemented(decoder.Decode(AsBody(body), 2)));
  body[5 + 8] = 0;
  EXPECT_TRUE(absl::IsUnimplemented(decoder.Decode(AsBody(body), 2))) << "the second is still read";
  body[5 + 17] = 0;
  ASSERT_TRUE(decoder.Decode(AsBody(body), 2).ok());
  EXPECT_EQ(decoder.records().rows[1].sequence, SequenceNumber(101));
}

TEST(Batch, AnotherNumberOfRowsThanInTheHeaderIsDamage) {
  const std::vector<uint64_t> body = RowsOnlyBody(SomeRows(3));
  BatchDecoder decoder;
  EXPECT_TRUE(absl::IsDataLoss(decoder.Decode(AsBody(body), 2)));
  EXPECT_TRUE(absl::IsDataLoss(decoder.Decode(AsBody(body), 4)));
}

TEST(Batch, AttachmentsOutOfPlaceAreDamage) {
  const std::vector<Row> rows = SomeRows(3);
  const auto decodes = [&](std::vector<AttachmentView> attachments) {
    AlignedBuffer body(kRowsOffset);
    const size_t bytes = EncodeBatch({.rows = rows, .attachments = attachments}, body);
    return BatchDecoder().Decode(body.first(bytes), 3).ok();
  };
  const engine::Bytes x = engine::AsBytes("x");
  EXPECT_TRUE(decodes({{SequenceNumber(1), x}, {SequenceNumber(3), x}}));
  EXPECT_FALSE(decodes({{SequenceNumber(4), x}}));
  EXPECT_FALSE(decodes({{SequenceNumber(0), x}}));
  EXPECT_FALSE(decodes({{SequenceNumber(2), x}, {SequenceNumber(1), x}}));
  EXPECT_FALSE(decodes({{SequenceNumber(2), x}, {SequenceNumber(2), x}}));
  EXPECT_FALSE(decodes({{SequenceNumber(2), {}}}));
}

TEST(Batch, HostileBodiesAreRefusedWithoutACrash) {
  BatchDecoder decoder;
  EXPECT_FALSE(decoder.Decode({}, 1).ok());
  const std::vector<uint64_t> short_body = {0};
  EXPECT_FALSE(decoder.Decode(AsBody(short_body), 1).ok());
  // A list of half a billion structs of no words.
  const std::vector<uint64_t> hollow = {uint64_t{4} << 32, uint64_t{2} << 48, uint64_t{7} << 32 | 5,
                                        0, uint64_t{0x7fffffff}};
  EXPECT_FALSE(decoder.Decode(AsBody(hollow), 1).ok());

  AlignedBuffer body(kRowsOffset);
  const std::vector<Row> rows = SomeRows(4);
  const std::vector<AttachmentView> attachments = {{SequenceNumber(2), engine::AsBytes("abc")}};
  const size_t bytes = EncodeBatch({.rows = rows, .attachments = attachments}, body);
  for (uint64_t seed = 0; seed < 20'000; ++seed) {
    engine::Prng prng(seed);
    std::vector<uint64_t> words(bytes / 8);
    std::memcpy(words.data(), body.data(), bytes);
    for (uint64_t i = 0; i <= prng.Below(3); ++i) {
      const size_t at = prng.Chance(70) ? prng.Below(5) : prng.Below(words.size());
      words[at] ^= prng.Chance(50) ? uint64_t{1} << prng.Below(64) : prng.Next();
    }
    if (prng.Chance(20)) words.resize(prng.Below(words.size()));
    if (decoder.Decode(AsBody(words), 4).ok()) {
      EXPECT_EQ(decoder.records().rows.size(), 4u);
    }
  }
}

}  // namespace
}  // namespace journal
