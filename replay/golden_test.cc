// The committed session replays to the digests pinned here: on every build, at every
// optimisation, on every day. When this test fails, the rules, the events or a digest have changed;
// if that is meant, the semantics version changes too, and the commit says so.

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "journal/storage/testing/temporary_folder.h"
#include "replay/checked_replay.h"
#include "replay/exchange_machine.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"

namespace replay {
namespace {

class Golden : public ::testing::Test {
 protected:
  void SetUp() override {
    // Bazel lays out data as links.
    copy_.Copy("testdata/journals/v1/exchange_session", "session");
    auto directory =
        journal::OpenPosixDirectory(copy_.At("session"), journal::DirectoryMode::kReadOnly);
    ASSERT_TRUE(directory.ok()) << directory.status();
    auto reader = journal::Reader::Open(**directory);
    ASSERT_TRUE(reader.ok()) << reader.status();
    auto recorded =
        journal::ReadSidecar(**directory, (*reader)->info().uuid, (*reader)->info().last_sequence);
    ASSERT_TRUE(recorded.ok()) << recorded.status();
    directory_ = *std::move(directory);
    reader_ = *std::move(reader);
    recorded_ = *std::move(recorded);
  }

  static void Expect(const absl::StatusOr<CheckedReplay>& replayed) {
    ASSERT_TRUE(replayed.ok()) << replayed.status();
    EXPECT_FALSE(replayed->divergence.has_value()) << replayed->divergence->ToString();
    EXPECT_EQ(replayed->checkpoints_compared, 4u);
    EXPECT_EQ(replayed->record_count, 15'000u);
    EXPECT_EQ(replayed->output_count, 18'068u);
    EXPECT_EQ(replayed->last.log->ToString(), "fb65c29a8c2b382c273ddc0d62fbac0d");
    EXPECT_EQ(replayed->last.trace->ToString(), "82640f8d2e3b520a4b39a9ce7d8462b0");
    EXPECT_EQ(replayed->last.state->ToString(), "80680c4a4e959344c2cf9b97a3b58cc0");
  }

  const journal::TemporaryFolder copy_;
  std::unique_ptr<journal::Directory> directory_;
  std::unique_ptr<journal::Reader> reader_;
  std::vector<journal::Checkpoint> recorded_;
};

TEST_F(Golden, TheExchangeSessionReplaysToItsDigests) {
  StartingPoint start{
      .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  Expect(ReplayCheckedFrom(start, *reader_, recorded_, reader_->info().last_sequence,
                           [&](const journal::Record&, std::span<const Output>) {
                             if (start.machine->last_record().sequence.value() % 512 == 0) {
                               start.machine->CheckInvariants();
                             }
                           }));
}

TEST_F(Golden, TheExchangeSessionReplaysInRunsToItsDigests) {
  StartingPoint start{
      .machine = std::make_unique<ExchangeMachine>(), .snapshot = {}, .warnings = {}};
  uint64_t passed = 0;
  Expect(ReplayCheckedBatchesUnseen(
      start, [&] { return reader_->NextBatch(); }, recorded_, reader_->info().last_sequence,
      [&](engine::SequenceNumber last) { passed = last.value(); }));
  EXPECT_EQ(passed, 15'000u);
}

}  // namespace
}  // namespace replay
