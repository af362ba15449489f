// When a follower may report a closed journal: never while a segment is about to
// follow, wherever the writer is, stops or is killed; and always after Close().

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using Files = std::map<std::string, std::vector<std::byte>>;

// A writer, and the number of records up to near the end of its first segment, and beyond.
struct Scene {
  WriterOptions options;
  size_t near = 0;
  size_t beyond = 0;
};

const Scene kPlain = {
    .options = {.segment_bytes = 64 << 10, .block_records = 40, .compression = Compression::kNone},
    .near = 360,
    .beyond = 160};
const Scene kWithReserve = {.options = {.segment_bytes = 3500 << 10,
                                        .block_records = 1024,
                                        .block_attachment_bytes = 1,
                                        .compression = Compression::kNone,
                                        .reserve_bytes = 3500 << 10},
                            .near = 49 * 1024,
                            .beyond = 4 * 1024};

std::unique_ptr<Writer> Begin(Directory& directory, WriterOptions options) {
  return Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

std::unique_ptr<Writer> Continue(Directory& directory, WriterOptions options) {
  return Writer::Open(directory, TestMetadata(), TestUuid(), kTestCreated, options).value();
}

absl::Status Append(Writer& writer, RecordSource& source, size_t count) {
  for (OwnedRecord& record : source.Take(count)) {
    record.row.sequence = writer.next_sequence();
    record.row.timestamp = std::max(record.row.timestamp, writer.last_timestamp());
    if (absl::Status status = writer.Append(record.row, record.attachment); !status.ok()) {
      return status;
    }
  }
  return absl::OkStatus();
}

// Of a writer some blocks before the end of its first segment.
uint64_t CallsBeforeTheRoll(const Scene& scene) {
  MemoryDirectory directory;
  FaultyDirectory counting(directory, {});
  RecordSource source(1);
  const auto writer = Begin(counting, scene.options);
  EXPECT_TRUE(Append(*writer, source, scene.near).ok());
  return counting.calls();
}

// A follower that counts the shown records.
class Watcher {
 public:
  Watcher(const Directory& directory, FollowDepth depth)
      : follower_(Follower::Open(directory, {.depth = depth}).value()) {}

  // Whether the journal is reported closed, once all that can be shown was shown.
  bool SaysClosed() {
    while (true) {
      const absl::StatusOr<Batch> batch = follower_->Poll();
      EXPECT_TRUE(batch.ok()) << batch.status();
      if (!batch.ok() || batch->empty()) return follower_->is_closed();
      record_count_ += batch->rows.size();
    }
  }
  uint64_t record_count() const { return record_count_; }

 private:
  const std::unique_ptr<Follower> follower_;
  uint64_t record_count_ = 0;
};

void Become(MemoryDirectory& directory, const Files& files) {
  for (const auto& [name, bytes] : directory.Snapshot()) {
    if (!files.contains(name)) {
      ASSERT_TRUE(directory.Remove(name).ok());
    }
  }
  for (const auto& [name, bytes] : files) directory.SetContents(name, bytes);
}

// A poll before every change that a writer makes, through rolls, closings and later writers.
TEST(FollowerClosed, IsNeverReportedBeforeTheWriterCloses) {
  for (const Scene& scene : {kPlain, kWithReserve}) {
    for (const FollowDepth depth : {FollowDepth::kDurable, FollowDepth::kWritten}) {
      MemoryDirectory directory;
      RecordSource source(1);
      Watcher watcher(directory, depth);
      bool may_be_closed = false;
      uint64_t looks = 0;
      HookedDirectory watched(
          directory, [] {},
          [&] {
            ++looks;
            EXPECT_TRUE(may_be_closed || !watcher.SaysClosed()) << "before change " << looks;
          });
      std::unique_ptr<Writer> writer = Begin(watched, scene.options);
      for (int life = 0; life < 3; ++life) {
        may_be_closed = false;
        ASSERT_TRUE(Append(*writer, source, scene.near + scene.beyond).ok());
        ASSERT_TRUE(writer->Sync().ok());
        const uint64_t last = writer->next_sequence().value() - 1;
        may_be_closed = true;
        ASSERT_TRUE(writer->Close().ok());
        EXPECT_TRUE(watcher.SaysClosed());
        EXPECT_EQ(watcher.record_count(), last);
        // Closed until it continues.
        writer.reset();
        writer = Continue(watched, scene.options);
        EXPECT_FALSE(watcher.SaysClosed());
      }
      EXPECT_GT(looks, 50u);
    }
  }
}

// The writer moves on between two reads of one poll.
TEST(FollowerClosed, IsNotReportedByAFollowerThatIsOvertakenWhileItLooks) {
  MemoryDirectory directory;
  RecordSource source(1);
  std::vector<Files> states;
  HookedDirectory recorded(
      directory, [] {}, [&] { states.push_back(directory.Snapshot()); });
  const auto writer = Begin(recorded, kPlain.options);
  ASSERT_TRUE(Append(*writer, source, kPlain.near).ok());
  states.clear();
  ASSERT_TRUE(Append(*writer, source, kPlain.beyond).ok());
  ASSERT_GT(states.size(), 10u);
  for (size_t from = 0; from < states.size(); ++from) {
    for (size_t to = from + 1; to < states.size(); ++to) {
      const auto current = MemoryDirectory::FromSnapshot(states[from]);
      uint64_t looks = 0;
      uint64_t when = 0;
      HookedDirectory beside(*current, [&] {
        if (looks++ == when) Become(*current, states[to]);
      });
      for (bool overtaken = true; overtaken; ++when) {
        looks = 0;
        Become(*current, states[from]);
        Watcher watcher(beside, FollowDepth::kWritten);
        EXPECT_FALSE(watcher.SaysClosed()) << from << " to " << to << " at look " << when;
        overtaken = looks > when;
      }
    }
  }
}

// The writer is killed, or the machine stops, before any call of a roll; another one continues.
TEST(FollowerClosed, IsNotReportedOfAWriterThatStoppedInTheMiddleOfARoll) {
  for (const Scene& scene : {kPlain, kWithReserve}) {
    const uint64_t calls_before = CallsBeforeTheRoll(scene);
    for (const bool machine_stops : {false, true}) {
      bool ended = false;
      for (uint64_t stop = 0; !ended; ++stop) {
        MemoryDirectory directory;
        RecordSource source(1);
        FaultyDirectory dying(directory,
                              {.failing_call = calls_before + stop, .stays_broken = true});
        auto writer = Begin(dying, scene.options);
        ASSERT_TRUE(Append(*writer, source, scene.near).ok());
        ended = Append(*writer, source, scene.beyond).ok();
        writer.reset();
        machine_stops ? directory.CrashDroppingAll() : directory.Kill();

        Watcher watcher(directory, FollowDepth::kDurable);
        EXPECT_FALSE(watcher.SaysClosed()) << "stopped at call " << stop;
        bool may_be_closed = false;
        HookedDirectory watched(
            directory, [] {},
            [&] {
              EXPECT_TRUE(may_be_closed || !watcher.SaysClosed())
                  << "taken over after it stopped at call " << stop;
            });
        writer = Continue(watched, scene.options);
        EXPECT_FALSE(watcher.SaysClosed());
        const uint64_t last = writer->next_sequence().value() - 1;
        may_be_closed = true;
        ASSERT_TRUE(writer->Close().ok());
        EXPECT_TRUE(watcher.SaysClosed());
        EXPECT_EQ(watcher.record_count(), last);
      }
    }
  }
}

}  // namespace
}  // namespace journal
