// A copy made by cp or rsync while the writer works: piece by piece, in any order of files,
// with the writer's steps in between. It is readable up to one point, and names it.
//
//   writer   ──append──write──sync──reserve──roll──append──►
//   copier       │piece│      │piece│     │piece│              of one file at a time, or of several

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/prng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/ack_policy.h"
#include "journal/finding.h"
#include "journal/follower.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/records.h"
#include "journal/testing/stepped_halves.h"
#include "journal/verify.h"
#include "journal/writer.h"
#include "journal/writer_options.h"

namespace journal {
namespace {

using ::testing::HasSubstr;

// A writer of two halves that reserves its segments ahead as zeros.
class BusyWriter {
 public:
  explicit BusyWriter(uint64_t seed) : prng_(seed), halves_(seed), source_(seed, 10) {
    WriterOptions options{.segment_bytes = 4 << 20,
                          .block_records = 400,
                          .block_attachment_bytes = 1 << 10,
                          .compression = Compression::kNone,
                          .threads = halves_.threads(),
                          .blocks_in_flight = 3};
    options.reserve_bytes = ReserveBytesMin(options);
    writer_ = Writer::Create(directory_, TestMetadata(), TestUuid(), kTestCreated, options).value();
    halves_.Attach(*writer_);
    EXPECT_TRUE(writer_->SetAckPolicy(AckPolicy::kDisk).ok());
  }

  void Continue() {
    for (const OwnedRecord& record : source_.Take(prng_.Below(1'500))) {
      const absl::Status appended = writer_->Append(record.row, record.attachment);
      ASSERT_TRUE(appended.ok()) << appended;
      log_.push_back(record);
    }
    if (prng_.Chance(50)) {
      ASSERT_TRUE(writer_->HandOver().ok());
    }
    halves_.Steps(prng_.Below(30));
  }

  const MemoryDirectory& directory() const { return directory_; }
  const std::vector<OwnedRecord>& log() const { return log_; }
  uint64_t durable() const { return writer_->durable_sequence().value(); }

 private:
  engine::Prng prng_;
  SteppedHalves halves_;
  RecordSource source_;
  MemoryDirectory directory_;
  std::unique_ptr<Writer> writer_;
  std::vector<OwnedRecord> log_;
};

struct CopyHabits {
  bool lists_again = false;         // Names that appear meanwhile are copied too.
  bool copies_in_parallel = false;  // As rsync's and other parallel copiers' files.
  bool in_any_order = false;        // In the order of the directory.
};

// A copier, a piece at a time.
class Copier {
 public:
  Copier(const MemoryDirectory& from, CopyHabits habits, uint64_t seed)
      : from_(from), habits_(habits), prng_(seed) {
    FindNames();
  }

  // False when everything is copied.
  bool CopyPiece() {
    if (habits_.lists_again && prng_.Chance(20)) FindNames();
    if (waiting_.empty() && open_.empty()) return false;
    if (open_.empty() || (habits_.copies_in_parallel && !waiting_.empty() && prng_.Chance(30))) {
      Begin();
    }
    if (open_.empty()) return true;
    const size_t which = habits_.copies_in_parallel ? prng_.Below(open_.size()) : 0;
    OpenFile& file = open_[which];
    std::vector<std::byte>& bytes = copy_[file.name];
    std::vector<std::byte> piece(4096 * (1 + prng_.Below(8)) - (prng_.Chance(20) ? 1000 : 0));
    const size_t size = file.file->Read(bytes.size(), piece).value();
    bytes.insert(bytes.end(), piece.begin(), piece.begin() + static_cast<ptrdiff_t>(size));
    if (size < piece.size()) open_.erase(open_.begin() + static_cast<ptrdiff_t>(which));
    return true;
  }

  std::unique_ptr<MemoryDirectory> Copy() const { return MemoryDirectory::FromSnapshot(copy_); }

 private:
  struct OpenFile {
    std::string name;
    std::unique_ptr<File> file;
  };

  void FindNames() {
    const std::vector<std::string> names = from_.List().value();
    for (const std::string& name : names) {
      const bool is_new = copy_.try_emplace(name).second;
      if (is_new) waiting_.push_back(name);
    }
  }

  // A file that was renamed meanwhile is not found, which cp reports and skips.
  void Begin() {
    const size_t which = habits_.in_any_order ? prng_.Below(waiting_.size()) : 0;
    const std::string name = waiting_[which];
    waiting_.erase(waiting_.begin() + static_cast<ptrdiff_t>(which));
    auto file = from_.OpenForRead(name);
    if (file.ok()) {
      open_.push_back({name, *std::move(file)});
    } else {
      copy_.erase(name);
    }
  }

  const MemoryDirectory& from_;
  const CopyHabits habits_;
  engine::Prng prng_;
  std::vector<std::string> waiting_;
  std::vector<OpenFile> open_;
  std::map<std::string, std::vector<std::byte>> copy_;
};

struct Outcome {
  bool is_damaged = false;
  bool has_hole_of_zeros = false;
};

// `durable` was when the copying began.
Outcome CheckCopy(const MemoryDirectory& copy, const std::vector<OwnedRecord>& log,
                  uint64_t durable) {
  Outcome outcome;
  const ReadResult read = ReadJournal(copy);
  EXPECT_GE(read.records.size(), durable) << read.status;
  EXPECT_LE(read.records.size(), log.size());
  EXPECT_TRUE(std::equal(read.records.begin(), read.records.end(), log.begin()));

  const VerifyReport report = Verify(copy).value();
  outcome.is_damaged = report.verdict == Verdict::kDamaged;
  EXPECT_EQ(read.status.ok(), !outcome.is_damaged) << read.status;
  for (const Finding& finding : report.findings) {
    if (finding.message.find("reads as zeros") == std::string::npos) continue;
    outcome.has_hole_of_zeros = true;
    EXPECT_EQ(finding.first_sequence.value(), read.records.size() + 1) << finding.ToString();
  }
  if (outcome.is_damaged) {
    EXPECT_FALSE(report.findings.empty());
    EXPECT_THAT(report.findings.front().ToString(),
                HasSubstr("copied while its writer was at work"));
  }

  // A follower of the copy sees no more than a reader.
  const auto follower = Follower::Open(copy, {}).value();
  size_t shown = 0;
  for (int looks = 0; looks < 5'000; ++looks) {
    const auto batch = follower->Poll();
    if (!batch.ok()) break;
    for (const Row& row : batch->rows) EXPECT_EQ(row, log[shown++].row);
  }
  EXPECT_LE(shown, read.records.size());
  return outcome;
}

void CopyOften(CopyHabits habits, uint64_t seeds, int* damaged, int* holes) {
  for (uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    engine::Prng prng(seed);
    BusyWriter writer(seed);
    for (uint64_t i = prng.Below(6); i > 0; --i) writer.Continue();
    const uint64_t durable = writer.durable();
    Copier copier(writer.directory(), habits, seed);
    // The writer works in bursts: the copier passes it, and is overtaken; but not forever.
    const size_t until = writer.log().size() + prng.Below(50'000);
    uint64_t pause = prng.Below(60);
    do {
      if (pause-- != 0) continue;
      pause = 1 + prng.Below(30);
      const uint64_t burst = prng.Below(60);
      for (uint64_t i = 0; i < burst && writer.log().size() < until; ++i) writer.Continue();
    } while (copier.CopyPiece());
    const Outcome outcome = CheckCopy(*copier.Copy(), writer.log(), durable);
    *damaged += outcome.is_damaged;
    *holes += outcome.has_hole_of_zeros;
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CopyWhileWriting, IsReadableUpToAPointThatItNamesHoweverItWasMade) {
  int damaged = 0;
  int holes = 0;
  for (int habits = 0; habits < 8; ++habits) {
    CopyOften({.lists_again = (habits & 1) != 0,
               .copies_in_parallel = (habits & 2) != 0,
               .in_any_order = (habits & 4) != 0},
              6, &damaged, &holes);
    if (HasFailure()) return;
  }
  EXPECT_GT(holes, 5) << "or this test has tried none";
  EXPECT_LT(damaged, 40) << "many are only earlier journals";
}

}  // namespace
}  // namespace journal
