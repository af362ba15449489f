#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/testing/memory_storage.h"
#include "replay/compare/digest_bisection.h"
#include "replay/compare/machine_subject.h"
#include "replay/compare/snapshot_states.h"
#include "replay/compare/subject.h"
#include "replay/compare/write_log.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/known_bad_machine.h"

namespace replay {
namespace {

using engine::SequenceNumber;

MachineSubject Engine(const std::string& name, const KnownBadOptions& options) {
  return MachineSubject({.name = name, .build_id = name},
                        [options] { return std::make_unique<KnownBadMachine>(options); });
}

MachineSubject Healthy() { return Engine("healthy", {}); }
MachineSubject Faulty() {
  return Engine("faulty", {.own_fault = OwnFault::kTakerPriced, .from = 15'000});
}

// A journal that the healthy engine recorded, with digests or without.
class BisectByDigestsTest : public ::testing::Test {
 protected:
  using From = DigestBisection::Trace::From;

  void Record(bool with_digests) {
    MachineSubject engine = Healthy();
    ASSERT_TRUE(
        WriteLog(folder_, BusySession({.length = 25'000}), {}, with_digests ? &engine : nullptr)
            .ok());
    auto opened = journal::Reader::Open(folder_);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    reader_ = *std::move(opened);
  }

  absl::StatusOr<DigestBisection> Bisect(Subject* a, const DigestBisectionOptions& options = {}) {
    MachineSubject b = Faulty();
    SnapshotStates states;
    return BisectByDigests(folder_, *reader_, a, b, states, options);
  }

  journal::MemoryDirectory folder_;
  std::unique_ptr<journal::Reader> reader_;
};

TEST_F(BisectByDigestsTest, TheRecordedRunIsComparedByItsDigests) {
  Record(true);
  const auto found = Bisect(nullptr);
  ASSERT_TRUE(found.ok()) << found.status().message();
  ASSERT_EQ(found->traces.size(), 2u);
  EXPECT_EQ(found->traces[0].from, From::kRecording);
  EXPECT_EQ(found->traces[1].from, From::kPass);
  EXPECT_EQ(found->traces[1].engine, "faulty");
  EXPECT_EQ(found->comparison.differing,
            (DivergingRun{SequenceNumber(3 * 4096), SequenceNumber(4 * 4096)}));
  MachineSubject healthy = Healthy();
  EXPECT_EQ(Bisect(&healthy)->comparison.differing, found->comparison.differing);
}

TEST_F(BisectByDigestsTest, ARecordingWithoutDigestsIsRefused) {
  Record(false);
  EXPECT_TRUE(absl::IsFailedPrecondition(Bisect(nullptr).status()));
}

TEST_F(BisectByDigestsTest, WhatIsCachedNeedsNoPass) {
  Record(true);
  int passes = 0;
  DigestBisectionOptions options;
  options.open_cache = [](const std::string& name, bool make_new) {
    return journal::OpenPosixDirectory(
        absl::StrCat(::testing::TempDir(), "/", name),
        make_new ? journal::DirectoryMode::kCreate : journal::DirectoryMode::kReadOnly);
  };
  options.begin_pass = [&] {
    ++passes;
    return [](SequenceNumber) {};
  };
  const auto first = Bisect(nullptr, options);
  ASSERT_TRUE(first.ok()) << first.status().message();
  EXPECT_EQ(passes, 1);
  const auto second = Bisect(nullptr, options);
  ASSERT_TRUE(second.ok()) << second.status().message();
  EXPECT_EQ(passes, 1);
  EXPECT_EQ(second->traces[1].from, From::kCache);
  EXPECT_EQ(second->comparison.differing, first->comparison.differing);
}

TEST(LogDigestOfTest, IsTheSameWithTheSidecarAndWithout) {
  MachineSubject engine = Healthy();
  engine::Digest digests[2];
  for (const bool with_digests : {false, true}) {
    journal::MemoryDirectory folder;
    const Log log = BusySession({.length = 9000});
    ASSERT_TRUE(WriteLog(folder, log, {}, with_digests ? &engine : nullptr).ok());
    const auto reader = journal::Reader::Open(folder);
    ASSERT_TRUE(reader.ok()) << reader.status().message();
    const auto digest = LogDigestOf(folder, **reader);
    ASSERT_TRUE(digest.ok()) << digest.status().message();
    digests[with_digests] = *digest;
  }
  EXPECT_EQ(digests[0], digests[1]);
}

}  // namespace
}  // namespace replay
