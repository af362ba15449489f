#include "journal/digest_sidecar.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/testing/faulty_storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

constexpr SequenceNumber kLast(20'000);  // Of the journal.

using Numbers = std::vector<uint64_t>;

Checkpoint CheckpointAt(uint64_t sequence) {
  Checkpoint checkpoint{.sequence = SequenceNumber(sequence)};
  checkpoint.log = {.low = sequence, .high = 1};
  if (sequence % 2 == 0) checkpoint.trace = {.low = sequence, .high = 2};
  if (sequence % 3 == 0) checkpoint.state = {.low = sequence, .high = 3};
  return checkpoint;
}

class SidecarTest : public ::testing::Test {
 protected:
  void Write(const std::vector<uint64_t>& sequences) {
    const auto writer = SidecarWriter::Create(directory_, TestUuid()).value();
    for (const uint64_t sequence : sequences) {
      ASSERT_TRUE(writer->Append(CheckpointAt(sequence)).ok());
    }
    ASSERT_TRUE(writer->Close().ok());
  }

  std::vector<uint64_t> Sequences() {
    std::vector<uint64_t> sequences;
    const auto checkpoints = ReadSidecar(directory_, TestUuid(), kLast);
    EXPECT_TRUE(checkpoints.ok()) << checkpoints.status();
    if (!checkpoints.ok()) return sequences;
    for (const Checkpoint& checkpoint : *checkpoints) {
      EXPECT_EQ(checkpoint, CheckpointAt(checkpoint.sequence.value()));
      sequences.push_back(checkpoint.sequence.value());
    }
    return sequences;
  }

  MemoryDirectory directory_;
  const std::string name_ = std::string(kSidecarFileName);
};

TEST_F(SidecarTest, IsReadAsWritten) {
  Write({1, 2, 3, 4, 6});
  EXPECT_EQ(Sequences(), (Numbers{1, 2, 3, 4, 6}));
}

TEST_F(SidecarTest, ATornTailIsIgnored) {
  Write({1, 2, 3});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  ASSERT_EQ(whole.size(), 64 + 3 * 96u);
  for (size_t bytes = 64; bytes < whole.size(); ++bytes) {
    directory_.SetContents(name_, {whole.begin(), whole.begin() + static_cast<ptrdiff_t>(bytes)});
    ASSERT_EQ(Sequences().size(), (bytes - 64) / 96);
  }
}

TEST_F(SidecarTest, AFlippedBitCostsTheEntryItIsIn) {
  Write({1, 2, 3});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::vector<std::byte> bytes = whole;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    directory_.SetContents(name_, bytes);
    Numbers expected = {1, 2, 3};
    if (bit / 8 >= 64) {
      expected.erase(expected.begin() + static_cast<ptrdiff_t>((bit / 8 - 64) / 96));
    }
    ASSERT_EQ(Sequences(), expected) << bit;
  }
}

TEST_F(SidecarTest, WithoutAHeaderAndWithoutAnEntryIsRefused) {
  Write({});
  std::vector<std::byte> bytes = directory_.Contents(name_);
  bytes[20] ^= std::byte{1};
  directory_.SetContents(name_, bytes);
  EXPECT_TRUE(absl::IsDataLoss(ReadSidecar(directory_, TestUuid(), kLast).status()));
}

TEST_F(SidecarTest, AnEntryOutOfOrderIsNotUsed) {
  Write({1, 2, 3});
  std::vector<std::byte> bytes = directory_.Contents(name_);
  std::swap_ranges(bytes.begin() + 64, bytes.begin() + 160, bytes.begin() + 160);
  directory_.SetContents(name_, bytes);
  EXPECT_EQ(Sequences(), (Numbers{2, 3}));
}

TEST_F(SidecarTest, DamageIsReportedAndATornTailIsNoDamage) {
  Write({1, 2, 3});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  const auto damage_of = [this](const std::vector<std::byte>& bytes) {
    directory_.SetContents(name_, bytes);
    return InspectSidecar(directory_, TestUuid(), kLast)->damage;
  };
  EXPECT_EQ(damage_of(whole), "");
  std::vector<std::byte> bytes = whole;
  bytes[200] ^= std::byte{1};
  EXPECT_EQ(damage_of(bytes),
            "checkpoints.trace: the checkpoint at byte 160 is damaged and not used");
  bytes[100] ^= std::byte{1};
  EXPECT_EQ(damage_of(bytes),
            "checkpoints.trace: 2 checkpoints are damaged and not used, the first at byte 64");
  bytes = whole;
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(damage_of(bytes),
            "checkpoints.trace: the checkpoint at byte 256 is damaged and not used");
  bytes = whole;
  bytes[3] ^= std::byte{1};
  EXPECT_EQ(damage_of(bytes), "checkpoints.trace: its header is damaged and not used");
  bytes = whole;
  std::fill(bytes.begin() + 160, bytes.begin() + 256, std::byte{0});
  EXPECT_EQ(damage_of(bytes),
            "checkpoints.trace: the checkpoint at byte 160 is damaged and not used");
  for (size_t size = 64; size < whole.size(); ++size) {
    bytes.assign(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(damage_of(bytes), "") << "a crash, after " << size << " bytes";
    bytes.resize(64 + (size - 64) / 96 * 96);
    bytes.resize(whole.size() + 96);
    EXPECT_EQ(damage_of(bytes), "") << "a crash that left the length";
  }
}

// The file that SidecarWriter::Open() keeps.
TEST_F(SidecarTest, WhatIsCutOffIsKeptAndReported) {
  Write({4096, 8192, 12288});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  const auto writer = SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(8191)).value();
  EXPECT_EQ(writer->notes(),
            (std::vector<std::string>{"checkpoints.trace: the bytes after the checkpoint at 4096 "
                                      "are kept in checkpoints.torn.1"}));
  EXPECT_EQ(directory_.Contents("checkpoints.torn.1"),
            std::vector<std::byte>(whole.begin() + 160, whole.end()));
  EXPECT_EQ(Sequences(), (Numbers{4096}));
}

TEST_F(SidecarTest, WhatIsCutOffDoesNotReappearAfterACrash) {
  Write({4096, 8192});
  ASSERT_TRUE(SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(8191)).ok());
  directory_.CrashDroppingAll();
  EXPECT_EQ(Sequences(), (Numbers{4096}));
  EXPECT_EQ(directory_.Contents("checkpoints.torn.1").size(), 96u);
}

TEST_F(SidecarTest, AZeroedTailIsCutOffWithoutACopy) {
  Write({1, 2});
  std::vector<std::byte> bytes = directory_.Contents(name_);
  bytes.resize(bytes.size() + 1000);
  directory_.SetContents(name_, bytes);
  EXPECT_TRUE(SidecarWriter::Open(directory_, TestUuid(), kLast).value()->notes().empty());
  EXPECT_EQ(directory_.Contents(name_).size(), 64 + 2 * 96u);
  EXPECT_EQ(directory_.List().value(), std::vector<std::string>{name_});
}

TEST_F(SidecarTest, ADamagedEntryStaysWhereItIs) {
  Write({1, 2, 3});
  std::vector<std::byte> bytes = directory_.Contents(name_);
  bytes[200] ^= std::byte{1};
  directory_.SetContents(name_, bytes);
  EXPECT_EQ(SidecarWriter::Open(directory_, TestUuid(), kLast).value()->notes().size(), 1u);
  EXPECT_EQ(directory_.Contents(name_), bytes);
}

// Another journal's, or a header alone that is damaged.
TEST_F(SidecarTest, WhatCannotBeContinuedIsKept) {
  Write({1, 2});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  const Uuid other = Uuid::FromWords(9, 9);
  const auto writer = SidecarWriter::Open(directory_, other, kLast).value();
  EXPECT_EQ(writer->notes().size(), 2u) << "why, and where it is";
  EXPECT_EQ(directory_.Contents("checkpoints.torn.1"), whole);
}

TEST_F(SidecarTest, MoreThanAJournalMayHaveAreIgnored) {
  EXPECT_EQ(CheckpointsMax(SequenceNumber(8191)), (uint64_t{1} << 20) + 1);
  Write({1});
  std::vector<std::byte> bytes = directory_.Contents(name_);
  bytes.resize(64 + 96 * CheckpointsMax(kLast) + 96);
  std::copy_n(bytes.begin() + 64, 96, bytes.end() - 96);
  directory_.SetContents(name_, bytes);
  const SidecarContents contents = InspectSidecar(directory_, TestUuid(), kLast).value();
  EXPECT_EQ(contents.checkpoints.size(), 1u);
  EXPECT_TRUE(absl::StrContains(contents.damage, "later entries are not read")) << contents.damage;
  // The file itself is kept: a copy may not fit anywhere.
  ASSERT_TRUE(SidecarWriter::Open(directory_, TestUuid(), kLast).ok());
  EXPECT_EQ(Sequences(), (Numbers{1}));
  EXPECT_EQ(directory_.Contents("checkpoints.torn.1"), bytes);
}

// At every call: recorded entries are in the sidecar, or in a kept file.
TEST_F(SidecarTest, ReplacingItMayBeInterruptedAnywhere) {
  Write({1, 2, 3});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  const auto files = directory_.Snapshot();
  bool has_failed = true;
  for (uint64_t call = 0; has_failed; ++call) {
    ASSERT_LT(call, 100u);
    const auto copy = MemoryDirectory::FromSnapshot(files);
    FaultyDirectory faulty(*copy, {.failing_call = call, .stays_broken = true});
    const auto replaced = ReplaceSidecar(faulty, TestUuid(), kLast, {CheckpointAt(1)});
    has_failed = !replaced.ok();
    copy->CrashDroppingAll();
    const auto left = copy->Snapshot();
    const auto kept = left.find("checkpoints.torn.1");
    EXPECT_TRUE(left.at(name_) == whole || (kept != left.end() && kept->second == whole)) << call;
    EXPECT_TRUE(ReadSidecar(*copy, TestUuid(), kLast).ok()) << call;
  }
}

TEST_F(SidecarTest, OfAnotherJournalIsRefused) {
  Write({1});
  EXPECT_TRUE(absl::IsDataLoss(ReadSidecar(directory_, Uuid::FromWords(9, 9), kLast).status()));
  EXPECT_TRUE(absl::IsNotFound(ReadSidecar(MemoryDirectory(), TestUuid(), kLast).status()));
}

TEST_F(SidecarTest, ContinuesWithoutEntriesBeyondTheJournal) {
  Write({4096, 8192, 9000});
  {
    const auto writer = SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(8500)).value();
    EXPECT_EQ(writer->last_sequence(), SequenceNumber(8192));
    ASSERT_TRUE(writer->Append(CheckpointAt(12288)).ok());
    ASSERT_TRUE(writer->Append(CheckpointAt(12288)).ok()) << "once is enough";
  }
  EXPECT_EQ(Sequences(), (Numbers{4096, 8192, 12288}));
}

TEST_F(SidecarTest, IsCreatedIfThereIsNoneOfThisJournal) {
  EXPECT_TRUE(SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(1)).ok());
  EXPECT_EQ(Sequences(), Numbers{});
  directory_.SetContents(name_, std::vector<std::byte>(100));
  EXPECT_TRUE(SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(1)).ok());
  EXPECT_EQ(Sequences(), Numbers{});
}

TEST_F(SidecarTest, TakingOverAJournalDropsCheckpointsAheadOfIt) {
  const auto log = RecordSource(1).Take(10);
  {
    const auto writer =
        Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated).value();
    AppendAll(*writer, log);
    ASSERT_TRUE(writer->Write().ok());
  }
  Write({5, 10, 20});
  ASSERT_TRUE(Writer::Open(directory_, TestMetadata(), TestUuid(), kTestCreated).ok());
  EXPECT_EQ(Sequences(), (Numbers{5, 10}));
}

}  // namespace
}  // namespace journal
