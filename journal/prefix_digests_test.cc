#include "journal/prefix_digests.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/log_digest.h"
#include "journal/maintenance/retention.h"
#include "journal/testing/hooked_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::Digest;
using engine::SequenceNumber;

constexpr uint64_t kRun = kCheckpointInterval;

// L_k of the whole log, for every k.
std::vector<Digest> ChainsOf(const std::vector<OwnedRecord>& log) {
  std::vector<Digest> chains = {Digest()};
  LogDigest digest;
  for (const OwnedRecord& record : log) {
    digest.Add(record.row, record.attachment);
    if (record.row.sequence.value() % kRun == 0) chains.push_back(digest.Value());
  }
  return chains;
}

// Ten runs in segments that begin in the middle of runs; the last one is not sealed.
class PrefixDigestsTest : public ::testing::Test {
 protected:
  PrefixDigestsTest() {
    const auto writer = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated,
                                       {.segment_bytes = 96 << 10, .block_records = 700})
                            .value();
    AppendAll(*writer, log_);
    EXPECT_TRUE(writer->Sync().ok());
  }

  absl::Status Check(uint64_t run) {
    PrefixDigests digests(directory_);
    return digests.Check(SequenceNumber(run * kRun), chains_[run]);
  }

  std::vector<std::string> Segments() {
    std::vector<std::string> segments;
    const std::vector<std::string> names = directory_.List().value();
    for (const std::string& name : names) {
      if (name.starts_with("segment-")) segments.push_back(name);
    }
    return segments;
  }

  void Damage(const std::string& name) {
    std::vector<std::byte> bytes = directory_.Contents(name);
    for (size_t at = 12 * 1024; at + 8192 < bytes.size(); at += 4096)
      bytes[at + 300] ^= std::byte{1};
    directory_.SetContents(name, bytes);
  }

  const std::vector<OwnedRecord> log_ = RecordSource(21, 3).Take(10 * kRun + 77);
  const std::vector<Digest> chains_ = ChainsOf(log_);
  MemoryDirectory directory_;
};

TEST_F(PrefixDigestsTest, OfTheJournalAreConfirmedAtEveryRun) {
  ASSERT_GE(Segments().size(), 4u);
  for (uint64_t run = 0; run < chains_.size(); ++run) EXPECT_TRUE(Check(run).ok()) << Check(run);
}

TEST_F(PrefixDigestsTest, OfAnotherLogAreRefusedAndBothAreNamed) {
  for (uint64_t run = 1; run < chains_.size(); ++run) {
    PrefixDigests digests(directory_);
    Digest other = chains_[run];
    other.low ^= 1;
    const absl::Status status = digests.Check(SequenceNumber(run * kRun), other);
    EXPECT_TRUE(absl::IsFailedPrecondition(status));
    EXPECT_TRUE(absl::StrContains(status.message(), "of another log")) << status;
    EXPECT_TRUE(absl::StrContains(status.message(), other.ToString())) << status;
    // A refused sequence leaves nothing in the cache.
    for (uint64_t own = 1; own < chains_.size(); ++own) {
      EXPECT_TRUE(digests.Check(SequenceNumber(own * kRun), chains_[own]).ok());
    }
  }
}

TEST_F(PrefixDigestsTest, ComeFromTheJournalAndNeverFromTheSidecar) {
  const auto sidecar = SidecarWriter::Create(directory_, TestUuid()).value();
  const Digest other = {.low = 1, .high = 2};
  ASSERT_TRUE(sidecar->Append({.sequence = SequenceNumber(kRun), .log = other}).ok());
  ASSERT_TRUE(sidecar->Close().ok());
  PrefixDigests digests(directory_);
  EXPECT_FALSE(digests.Check(SequenceNumber(kRun), other).ok());
  EXPECT_TRUE(Check(1).ok());
}

TEST_F(PrefixDigestsTest, AfterTheEndAreRefused) {
  PrefixDigests digests(directory_);
  EXPECT_TRUE(absl::IsFailedPrecondition(digests.Check(SequenceNumber(11 * kRun), chains_[10])));
}

TEST_F(PrefixDigestsTest, AreComputedOnce) {
  uint64_t reads = 0;
  HookedDirectory hooked(directory_, [&] { ++reads; });
  PrefixDigests digests(hooked);
  for (uint64_t run = chains_.size() - 1; run > 0; --run) {
    ASSERT_TRUE(digests.Check(SequenceNumber(run * kRun), chains_[run]).ok());
  }
  const uint64_t reads_once = reads;
  for (uint64_t run = 1; run < chains_.size(); ++run) {
    ASSERT_TRUE(digests.Check(SequenceNumber(run * kRun), chains_[run]).ok());
  }
  EXPECT_EQ(reads, reads_once);
}

// The records before the first segment are missing; its preamble, and the later ones, prove them.
TEST_F(PrefixDigestsTest, OfAPrunedJournalComeFromItsPreambles) {
  for (const uint64_t snapshot : {4, 6, 8}) {
    const EligibleSnapshots snapshots = {SequenceNumber(snapshot * kRun), SequenceNumber(9 * kRun)};
    const auto plan = Prune(directory_, snapshots);
    ASSERT_TRUE(plan.ok()) << plan.status();
    for (uint64_t run = snapshot; run < chains_.size(); ++run) {
      EXPECT_TRUE(Check(run).ok()) << Check(run);
      PrefixDigests digests(directory_);
      EXPECT_FALSE(digests.Check(SequenceNumber(run * kRun), chains_[run - 1]).ok());
    }
    EXPECT_FALSE(Check(1).ok());
  }
}

TEST_F(PrefixDigestsTest, AreFoundFromTheOtherSideOfADamagedBlock) {
  const std::vector<std::string> segments = Segments();
  Damage(segments[1]);
  uint64_t confirmed = 0;
  for (uint64_t run = 0; run < chains_.size(); ++run) {
    const absl::Status status = Check(run);
    if (status.ok()) ++confirmed;
    EXPECT_TRUE(status.ok() || absl::IsFailedPrecondition(status)) << status;
  }
  // Those in the damaged segment are lost, and no others.
  EXPECT_GE(confirmed, 7u);
  EXPECT_LT(confirmed, chains_.size());
}

TEST_F(PrefixDigestsTest, ASegmentOfAnotherJournalVouchesForNothing) {
  MemoryDirectory other;
  const auto log = RecordSource(22, 3).Take(10 * kRun);
  {
    const auto writer = Writer::Create(other, TestMetadata(), TestUuid(), kTestCreated,
                                       {.segment_bytes = 96 << 10, .block_records = 700})
                            .value();
    AppendAll(*writer, log);
    ASSERT_TRUE(writer->Close().ok());
  }
  const std::string last = Segments().back();
  directory_.SetContents(last, other.Contents(last));
  const std::vector<Digest> chains = ChainsOf(log);
  for (uint64_t run = 1; run < chains.size(); ++run) {
    PrefixDigests digests(directory_);
    EXPECT_FALSE(digests.Check(SequenceNumber(run * kRun), chains[run]).ok()) << run;
  }
}

}  // namespace
}  // namespace journal
