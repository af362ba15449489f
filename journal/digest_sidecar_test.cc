#include "journal/digest_sidecar.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;

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
    const auto checkpoints = ReadSidecar(directory_, TestUuid());
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

using Numbers = std::vector<uint64_t>;

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

TEST_F(SidecarTest, WhatFollowsADamagedEntryIsIgnored) {
  Write({1, 2, 3});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::vector<std::byte> bytes = whole;
    bytes[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    directory_.SetContents(name_, bytes);
    if (bit / 8 < 64) {
      ASSERT_FALSE(ReadSidecar(directory_, TestUuid()).ok()) << bit;
    } else {
      ASSERT_EQ(Sequences().size(), (bit / 8 - 64) / 96) << bit;
    }
  }
}

TEST_F(SidecarTest, DamageIsSaidAndATornTailIsNone) {
  Write({1, 2, 3});
  const std::vector<std::byte> whole = directory_.Contents(name_);
  const auto damage_of = [this](const std::vector<std::byte>& bytes) {
    directory_.SetContents(name_, bytes);
    return InspectSidecar(directory_, TestUuid())->damage;
  };
  EXPECT_EQ(damage_of(whole), "");
  std::vector<std::byte> bytes = whole;
  bytes[200] ^= std::byte{1};
  EXPECT_EQ(damage_of(bytes),
            "checkpoints.trace: the checkpoint at byte 160 is damaged; it and 1 whole ones behind "
            "it are not used");
  bytes = whole;
  bytes.back() ^= std::byte{1};
  EXPECT_EQ(damage_of(bytes),
            "checkpoints.trace: the checkpoint at byte 256 is damaged and not used");
  for (size_t size = 64; size < whole.size(); ++size) {
    bytes.assign(whole.begin(), whole.begin() + static_cast<ptrdiff_t>(size));
    EXPECT_EQ(damage_of(bytes), "") << "a crash, after " << size << " bytes";
    bytes.resize(64 + (size - 64) / 96 * 96);
    bytes.resize(whole.size() + 96);
    EXPECT_EQ(damage_of(bytes), "") << "a crash that left the length";
  }
}

TEST_F(SidecarTest, OfAnotherJournalIsRefused) {
  Write({1});
  EXPECT_TRUE(absl::IsDataLoss(ReadSidecar(directory_, Uuid::FromWords(9, 9)).status()));
  EXPECT_TRUE(absl::IsNotFound(ReadSidecar(MemoryDirectory(), TestUuid()).status()));
}

TEST_F(SidecarTest, GoesOnWithoutWhatTheJournalDoesNotHave) {
  Write({4096, 8192, 9000});
  {
    const auto writer = SidecarWriter::Open(directory_, TestUuid(), SequenceNumber(8500)).value();
    EXPECT_EQ(writer->last_sequence(), SequenceNumber(8192));
    ASSERT_TRUE(writer->Append(CheckpointAt(12288)).ok());
    ASSERT_TRUE(writer->Append(CheckpointAt(12288)).ok()) << "once is enough";
  }
  EXPECT_EQ(Sequences(), (Numbers{4096, 8192, 12288}));
}

TEST_F(SidecarTest, IsBegunAnewWhereThereIsNoneOfThisJournal) {
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
