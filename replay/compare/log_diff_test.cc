#include "replay/compare/log_diff.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/testing/memory_storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/command_row.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"

namespace replay {
namespace {

using engine::SequenceNumber;
using ::testing::HasSubstr;

constexpr size_t kLength = 5 * 4096 + 100;

// A journal in memory with the log digests of a sidecar.
class Journal {
 public:
  explicit Journal(const Log& log) : storage_(std::make_unique<journal::MemoryDirectory>()) {
    auto writer = journal::Writer::Create(*storage_, {}, journal::Uuid::FromWords(1, 2),
                                          log.front().row.timestamp);
    for (const LogEntry& entry : log) {
      const journal::Row& row = entry.row;
      EXPECT_TRUE((*writer)->Append(row, entry.bytes()).ok());
      digest_.Add(row, entry.bytes());
      if (row.sequence.value() % 4096 == 0) {
        with_.checkpoints.push_back({.sequence = row.sequence, .log = digest_.Value()});
      }
    }
    EXPECT_TRUE((*writer)->Close().ok());
    reader_ = *journal::Reader::Open(*storage_);
    with_.reader = reader_.get();
  }

  LogWithDigests& with() { return with_; }

 private:
  std::unique_ptr<journal::MemoryDirectory> storage_;
  journal::LogDigest digest_;
  std::unique_ptr<journal::Reader> reader_;
  LogWithDigests with_;
};

Log Session() { return BusySession({.length = kLength}); }

Log Changed(size_t index) {
  Log log = Session();
  EditCommand(log[index].row, [](engine::Command& command) {
    command.client_order_id = engine::ClientOrderId(~uint64_t{0});
  });
  return log;
}

LogDiff Diff(Journal& a, Journal& b, bool deep = false) {
  const auto diff = DiffLogs(a.with(), b.with(), {.read_everything = deep});
  EXPECT_TRUE(diff.ok()) << diff.status().message();
  return *diff;
}

TEST(LogDiffTest, EqualLogsCostTheirLastRecords) {
  Journal a(Session());
  Journal b(Session());
  const LogDiff diff = Diff(a, b);
  EXPECT_TRUE(diff.equal());
  EXPECT_EQ(diff.digests_compared, 5u);
  EXPECT_EQ(diff.records_read, 100u);
  EXPECT_EQ(diff.left_aside, "");
  EXPECT_EQ(Diff(a, b, /*deep=*/true).records_read, kLength);
}

TEST(LogDiffTest, TheFirstRecordThatDiffersIsNamedWhereverItIs) {
  Journal a(Session());
  for (const size_t index : {size_t{20}, size_t{4095}, size_t{4096}, size_t{12'000}, kLength - 1}) {
    Journal b(Changed(index));
    for (const bool deep : {false, true}) {
      const LogDiff diff = Diff(a, b, deep);
      ASSERT_TRUE(diff.records.has_value());
      EXPECT_EQ(diff.records->sequence().value(), index + 1);
      EXPECT_NE(diff.records->a.row, diff.records->b.row);
    }
  }
}

TEST(LogDiffTest, AnAttachmentThatDiffersIsADifference) {
  Log log = Session();
  ASSERT_NE(log[1].attachment, nullptr);
  std::vector<std::byte> bytes = *log[1].attachment;
  bytes.back() ^= std::byte{1};
  log[1].attachment = std::make_shared<const std::vector<std::byte>>(bytes);
  Journal a(Session());
  Journal b(log);
  const LogDiff diff = Diff(a, b);
  ASSERT_TRUE(diff.records.has_value());
  EXPECT_EQ(diff.records->sequence().value(), 2u);
  EXPECT_EQ(*diff.records->b.attachment, bytes);
}

TEST(LogDiffTest, ALongerLogIsNotEqual) {
  Log longer = Session();
  Log shorter(longer.begin(), longer.end() - 50);
  Journal a(longer);
  Journal b(shorter);
  const LogDiff diff = Diff(a, b);
  EXPECT_FALSE(diff.equal());
  EXPECT_FALSE(diff.records.has_value());
  EXPECT_EQ(diff.last_a - diff.last_b, 50u);
}

TEST(LogDiffTest, WrongDigestsAreIgnoredOnceDetected) {
  Journal a(Session());
  Journal b(Session());
  b.with().checkpoints[2].log->low ^= 1;  // Says different; the records do not.
  const LogDiff diff = Diff(a, b);
  EXPECT_TRUE(diff.equal());
  EXPECT_THAT(diff.left_aside, HasSubstr("digests differ at 12288"));
  EXPECT_GE(diff.records_read, kLength);
}

TEST(LogDiffTest, ASidecarOfOtherRecordsIsNotTrusted) {
  Journal a(Session());
  Journal b(Changed(5 * 4096 - 10));
  b.with().checkpoints = a.with().checkpoints;  // Says equal; the records of the last run do not.
  const LogDiff diff = Diff(a, b);
  ASSERT_TRUE(diff.records.has_value());
  EXPECT_EQ(diff.records->sequence().value(), 5 * 4096 - 9);
  EXPECT_THAT(diff.left_aside, HasSubstr("is not that of the records"));
}

TEST(LogDiffTest, WithoutDigestsEverythingIsRead) {
  Journal a(Session());
  Journal b(Session());
  b.with().checkpoints.clear();
  const LogDiff diff = Diff(a, b);
  EXPECT_TRUE(diff.equal());
  EXPECT_EQ(diff.digests_compared, 0u);
  EXPECT_EQ(diff.records_read, kLength);
}

}  // namespace
}  // namespace replay
