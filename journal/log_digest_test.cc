#include "journal/log_digest.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"
#include "journal/testing/records.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// The vectors' log (FORMAT.md, section 9): record n at n nanoseconds, its payload n everywhere.
Row VectorRow(uint64_t n) {
  Row row;
  row.sequence = SequenceNumber(n);
  row.timestamp = engine::Timestamp::FromNanos(static_cast<int64_t>(n));
  row.payload.fill(static_cast<std::byte>(n));
  return row;
}

engine::Digest DigestOfVectorLog(uint64_t count) {
  LogDigest digest;
  for (uint64_t n = 1; n <= count; ++n) digest.Add(VectorRow(n), {});
  return digest.Value();
}

TEST(LogDigest, OfTheEmptyLogIsZero) {
  EXPECT_EQ(LogDigest().Value().ToString(), "00000000000000000000000000000000");
}

TEST(LogDigest, IsTheSpecifiedChainOfLeaves) {
  const Row row = VectorRow(1);
  const engine::Digest rows = engine::DigestOf(engine::AsBytes(row));
  const engine::Digest no_attachments = engine::DigestOf({});
  const engine::Digest pair[] = {rows, no_attachments};
  const engine::Digest leaf = engine::DigestOf(std::as_bytes(std::span(pair)));
  const engine::Digest link[] = {engine::Digest{}, leaf};
  EXPECT_EQ(DigestOfVectorLog(1), engine::DigestOf(std::as_bytes(std::span(link))));
}

TEST(LogDigest, CoversAttachmentsWithTheirSequenceAndLength) {
  const Row row = VectorRow(1);
  LogDigest with;
  with.Add(row, engine::AsBytes("tick"));
  std::string framed(16, '\0');
  framed[0] = 1;
  framed[8] = 4;
  framed += "tick";
  const engine::Digest pair[] = {engine::DigestOf(engine::AsBytes(row)),
                                 engine::DigestOf(engine::AsBytes(framed))};
  const engine::Digest link[] = {engine::Digest{},
                                 engine::DigestOf(std::as_bytes(std::span(pair)))};
  EXPECT_EQ(with.Value(), engine::DigestOf(std::as_bytes(std::span(link))));
}

TEST(LogDigest, DoesNotDependOnHowRecordsAreBatched) {
  const std::vector<OwnedRecord> log = RecordSource(3, 10).Take(10'000);
  LogDigest one_by_one;
  for (const OwnedRecord& record : log) one_by_one.Add(record.row, record.attachment);
  engine::Prng prng(5);
  for (int i = 0; i < 5; ++i) {
    LogDigest batched;
    for (size_t begin = 0; begin < log.size();) {
      const size_t count = std::min<size_t>(log.size() - begin, 1 + prng.Below(6000));
      std::vector<Row> rows;
      std::vector<AttachmentView> attachments;
      for (size_t j = begin; j < begin + count; ++j) {
        rows.push_back(log[j].row);
        if (!log[j].attachment.empty()) {
          attachments.push_back({log[j].row.sequence, log[j].attachment});
        }
      }
      batched.Add(rows, attachments);
      begin += count;
    }
    EXPECT_EQ(batched.Value(), one_by_one.Value());
  }
}

TEST(LogDigest, ContinuesFromTheChainOfCompleteRuns) {
  LogDigest whole;
  for (uint64_t n = 1; n <= kCheckpointInterval; ++n) whole.Add(VectorRow(n), {});
  LogDigest resumed(SequenceNumber(kCheckpointInterval), whole.chain());
  EXPECT_EQ(resumed.Value(), whole.Value());
  whole.Add(VectorRow(kCheckpointInterval + 1), {});
  resumed.Add(VectorRow(kCheckpointInterval + 1), {});
  EXPECT_EQ(resumed.Value(), whole.Value());
}

TEST(LogDigest, ReadingItDoesNotChangeIt) {
  LogDigest looked_at;
  LogDigest left_alone;
  for (uint64_t n = 1; n <= 5000; ++n) {
    looked_at.Add(VectorRow(n), {});
    left_alone.Add(VectorRow(n), {});
    if (n % 100 == 0) looked_at.Value();
  }
  EXPECT_EQ(looked_at.Value(), left_alone.Value());
}

// Pinned: FORMAT.md, section 9.
TEST(LogDigest, Vectors) {
  EXPECT_EQ(DigestOfVectorLog(1).ToString(), "08499660cb57e00191ba36b09678c504");
  EXPECT_EQ(DigestOfVectorLog(4095).ToString(), "cfc41e70cf168ccb1e93da978ef2cb6d");
  EXPECT_EQ(DigestOfVectorLog(4096).ToString(), "0c22bbbb4be10849692a26cd1586ad67");
  EXPECT_EQ(DigestOfVectorLog(4097).ToString(), "c6b563322a03708e352e234797664718");
  LogDigest digest;
  digest.Add(VectorRow(1), {});
  digest.Add(VectorRow(2), engine::AsBytes("ticktape"));
  EXPECT_EQ(digest.Value().ToString(), "622c5c55b96766224581579c6b83cf07");
}

}  // namespace
}  // namespace journal
