// Following: the loop and the replay, with a writer that goes on whenever someone waits.

#include "tools/cli/read/follow.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/follower.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "journal/writer.h"
#include "replay/checked_replay.h"
#include "replay/exchange_machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/replay/follow_replay.h"
#include "tools/cli/testing/sample_journal.h"
#include "tools/os/folder_watch.h"

namespace tools {
namespace {

// Does the next thing each time someone waits, and gives up after the last.
class ScriptedWaiter final : public Waiter {
 public:
  explicit ScriptedWaiter(std::vector<std::function<void()>> script) : script_(std::move(script)) {}
  bool Wait() override {
    if (next_ == script_.size()) return false;
    script_[next_++]();
    return true;
  }

 private:
  const std::vector<std::function<void()>> script_;
  size_t next_ = 0;
};

class FollowTest : public ::testing::Test {
 protected:
  void Open(const std::string& path) {
    directory_ = journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadWrite).value();
    follower_ = journal::Follower::Open(*directory_, {}).value();
  }
  std::vector<uint64_t> Walk(Waiter& waiter) {
    std::vector<uint64_t> seen;
    EXPECT_TRUE(WalkFollowing(
                    *follower_, waiter,
                    [&](const journal::Record& record) {
                      seen.push_back(record.sequence().value());
                      return true;
                    },
                    [] { return true; })
                    .ok());
    return seen;
  }

  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Follower> follower_;
};

std::vector<uint64_t> Upto(uint64_t last) {
  std::vector<uint64_t> sequences;
  for (uint64_t i = 1; i <= last; ++i) sequences.push_back(i);
  return sequences;
}

TEST_F(FollowTest, ShowsWhatIsThereAndWhatComes) {
  Open(WriteSampleJournal("follow_walk"));
  std::unique_ptr<journal::Writer> writer;
  journal::Row row;
  const auto append = [&] {
    row.sequence = writer->next_sequence();
    row.timestamp = writer->last_timestamp();
    ASSERT_TRUE(writer->Append(row).ok());
    ASSERT_TRUE(writer->Sync().ok());
  };
  const auto metadata = [&] { return journal::Reader::Open(*directory_).value()->info().metadata; };
  ScriptedWaiter waiter({[&] {
                           writer = journal::Writer::Open(*directory_, metadata(), journal::Uuid(),
                                                          engine::Timestamp())
                                        .value();
                         },
                         append, [&] { ASSERT_TRUE(writer->Heartbeat().ok()); }, [] {}, append,
                         [&] { ASSERT_TRUE(writer->Close().ok()); }});
  EXPECT_EQ(Walk(waiter), Upto(17));
}

TEST_F(FollowTest, AReplayIsHeldAgainstTheLiveRun) {
  Open(WriteSampleJournal("follow_replay"));
  const auto fresh = [] {
    return replay::StartingPoint{
        .machine = std::make_unique<replay::ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  };
  replay::StartingPoint start = fresh();
  ScriptedWaiter waiter({});
  std::vector<journal::Checkpoint> recorded =
      journal::ReadSidecar(*directory_, journal::Uuid::FromWords(1, 2), engine::SequenceNumber(15))
          .value();
  const auto recorded_now = [&] { return recorded; };
  const auto idle = [] { return true; };
  uint64_t seen = 0;
  const auto count = [&](const journal::Record&, std::span<const replay::Output>) { ++seen; };
  const auto replayed = FollowReplay(*follower_, waiter, start, recorded_now, idle, count).value();
  EXPECT_EQ(seen, 15u);
  EXPECT_EQ(replayed.record_count, 15u);
  EXPECT_EQ(replayed.checkpoints_compared, 1u);
  EXPECT_FALSE(replayed.divergence.has_value());

  recorded.back().trace = engine::Digest();
  replay::StartingPoint again = fresh();
  follower_ = journal::Follower::Open(*directory_, {}).value();
  EXPECT_TRUE(
      FollowReplay(*follower_, waiter, again, recorded_now, idle, count)->divergence.has_value());
}

}  // namespace
}  // namespace tools
