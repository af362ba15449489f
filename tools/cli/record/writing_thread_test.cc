// The two halves of a journal's writer on two real threads, as a recording wires them. What each
// step does is tested by two_threads_test; this is for the races between them, under
// ThreadSanitizer too.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/check.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"
#include "journal/follower.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"
#include "journal/writer_options.h"
#include "tools/os/clocks.h"
#include "tools/os/doorbells.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using engine::SequenceNumber;
using journal::AckPolicy;
using journal::OwnedRecord;

constexpr size_t kRecords = 6'000;

// A writer with its second thread.
class TwoThreads {
 public:
  TwoThreads(const std::string& name, journal::WriterOptions options)
      : directory_(journal::OpenPosixDirectory(testing::TempDir() + "/" + name,
                                               journal::DirectoryMode::kCreate)
                       .value()) {
    options.threads = &threads_;
    writer_ = journal::Writer::Create(*directory_, journal::TestMetadata(), journal::TestUuid(),
                                      journal::kTestCreated, options)
                  .value();
    thread_ = std::make_unique<Thread>(
        "journal", [this] { writer_->RunBackground(clock_); },
        [this] { writer_->StopBackground(); });
    CHECK_OK(thread_->status());
  }

  journal::Writer& writer() { return *writer_; }
  const journal::Directory& directory() const { return *directory_; }

  void Append(const OwnedRecord& record) {
    CHECK_OK(writer_->Append(record.row, record.attachment));
  }
  void AwaitAcknowledged(SequenceNumber sequence) {
    while (writer_->acknowledged_sequence() < sequence) {
      CHECK_OK(writer_->HandOver());
      sequencing_.Wait(1'000'000'000);
    }
  }

 private:
  MonotonicClock clock_;
  FutexDoorbell sequencing_;
  FutexDoorbell writing_;
  journal::WriterThreads threads_{.sequencing = sequencing_, .writing = writing_};
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<Thread> thread_;  // The last: it uses all of the above.
};

// Small blocks, few in flight, and segments that roll.
journal::WriterOptions Options(bool with_reserve) {
  journal::WriterOptions options;
  options.block_records = 16;
  options.blocks_in_flight = 4;
  options.segment_bytes = 1 << 20;
  if (with_reserve) {
    options.reserve_bytes = options.segment_bytes = ReserveBytesMin(options);
  }
  return options;
}

TEST(WritingThread, KeepsWhatItWasGivenUnderEveryPolicyAndAReserve) {
  const std::vector<OwnedRecord> log = journal::RecordSource(5, 5).Take(kRecords);
  for (const bool with_reserve : {false, true}) {
    TwoThreads two("writing_thread_" + std::to_string(with_reserve), Options(with_reserve));
    constexpr AckPolicy kPolicies[] = {AckPolicy::kDisk, AckPolicy::kNone, AckPolicy::kWritten};
    for (size_t i = 0; i < log.size(); ++i) {
      if (i % 500 == 0) CHECK_OK(two.writer().SetAckPolicy(kPolicies[i / 500 % 3]));
      two.Append(log[i]);
      if (i % 97 == 0) two.AwaitAcknowledged(log[i].row.sequence);
      if (i % 1009 == 0) CHECK_OK(two.writer().Sync());
      EXPECT_LE(two.writer().durable_sequence(), two.writer().written_sequence());
    }
    ASSERT_TRUE(two.writer().Close().ok());
    EXPECT_EQ(journal::ReadJournal(two.directory()).records, log);
  }
}

// A process that follows waits for nothing but the sync: no next record, and no heartbeat.
TEST(WritingThread, LetsWhoFollowsSeeALoneRecordOnceItIsDurable) {
  journal::WriterOptions options = Options(false);
  options.heartbeat_nanos = int64_t{3'600'000'000'000};
  TwoThreads two("writing_thread_followed", options);
  CHECK_OK(two.writer().SetAckPolicy(AckPolicy::kDisk));
  const auto follower = journal::Follower::Open(two.directory(), {}).value();
  FutexDoorbell pause;  // No thread rings it.
  for (const OwnedRecord& record : journal::RecordSource(5).Take(20)) {
    two.Append(record);
    two.AwaitAcknowledged(record.row.sequence);
    // The writing thread publishes this right after it has rung. How long that takes does not
    // matter.
    while (follower->next_sequence() <= record.row.sequence) {
      const auto batch = follower->Poll();
      ASSERT_TRUE(batch.ok()) << batch.status();
      if (batch->empty()) pause.Wait(100'000);
    }
  }
}

TEST(WritingThread, EndsWithItsOwnerDuringAnyStep) {
  const std::vector<OwnedRecord> log = journal::RecordSource(5).Take(400);
  for (const size_t count : {0, 1, 15, 16, 17, 64, 399}) {
    TwoThreads two("writing_thread_left_" + std::to_string(count), Options(false));
    for (size_t i = 0; i < count; ++i) two.Append(log[i]);
    EXPECT_TRUE(two.writer().HandOver().ok());
  }
}

}  // namespace
}  // namespace tools
