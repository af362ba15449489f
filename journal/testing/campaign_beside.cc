// The stages of the campaign about the other files of a journal: checkpoints.trace, damaged, and
// states that are of another log.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/finding.h"
#include "journal/log_digest.h"
#include "journal/maintenance/repair_plan.h"
#include "journal/prefix_digests.h"
#include "journal/storage/storage.h"
#include "journal/testing/campaign.h"
#include "journal/testing/campaign_journals.h"
#include "journal/testing/memory_storage.h"
#include "journal/testing/oracles.h"
#include "journal/testing/records.h"
#include "journal/verify.h"
#include "journal/writer.h"

namespace journal {
namespace {

using engine::SequenceNumber;
using Bytes = std::vector<std::byte>;

constexpr size_t kHeaderBytes = 64;
constexpr size_t kEntryBytes = 96;
constexpr SequenceNumber kLast(kUnsealedRecords);

// Every fourth record, and one that a crash took from the journal.
std::vector<Checkpoint> Recorded() {
  std::vector<Checkpoint> recorded;
  LogDigest digest;
  for (const OwnedRecord& record : FirstOfSmallLog(kUnsealedRecords + 4)) {
    digest.Add(record.row, record.attachment);
    const SequenceNumber sequence = record.row.sequence;
    if (sequence.value() % 4 != 0) continue;
    recorded.push_back({.sequence = sequence,
                        .log = digest.Value(),
                        .trace = engine::Digest{.low = sequence.value(), .high = 7},
                        .state = engine::Digest{.low = sequence.value(), .high = 8}});
  }
  return recorded;
}

JournalBytes WithSidecar() {
  const auto directory = MemoryDirectory::FromSnapshot(SealedJournal());
  const auto writer = SidecarWriter::Create(*directory, TestUuid()).value();
  for (const Checkpoint& checkpoint : Recorded()) CHECK_OK(writer->Append(checkpoint));
  CHECK_OK(writer->Close());
  return directory->Snapshot();
}

size_t BeginOf(size_t entry) { return kHeaderBytes + entry * kEntryBytes; }

bool Contains(const Bytes& bytes, const Bytes& part) {
  return std::search(bytes.begin(), bytes.end(), part.begin(), part.end()) != bytes.end();
}

// A damaged sidecar, and its entries that are whole.
struct Specimen {
  Bytes bytes;
  std::vector<bool> is_whole;
};

class SidecarOracle {
 public:
  SidecarOracle() : files_(WithSidecar()), name_(kSidecarFileName), whole_(files_.at(name_)) {}

  const Bytes& whole() const { return whole_; }
  size_t entry_count() const { return recorded_.size(); }

  std::string Check(const Specimen& specimen) {
    files_[name_] = specimen.bytes;
    const auto directory = MemoryDirectory::FromSnapshot(files_);
    std::string violation = CheckRead(*directory, specimen, SequenceNumber(kLast + 4));
    if (!violation.empty()) return absl::StrCat("read: ", violation);
    if (Verify(*directory).value().verdict != Verdict::kClean) return "verify: not CLEAN";
    {
      const auto writer = SidecarWriter::Open(*directory, TestUuid(), kLast);
      if (!writer.ok()) return absl::StrCat("opened: ", writer.status().ToString());
    }
    violation = CheckKept(*directory, specimen);
    if (!violation.empty()) return absl::StrCat("opened: ", violation);
    const auto repaired = MemoryDirectory::FromSnapshot(files_);
    const auto plan = Repair(*repaired);
    if (!plan.ok()) return absl::StrCat("repaired: ", plan.status().ToString());
    violation = CheckKept(*repaired, specimen);
    return violation.empty() ? "" : absl::StrCat("repaired: ", violation);
  }

 private:
  // All whole entries are read, and no others.
  std::string CheckRead(const Directory& directory, const Specimen& specimen,
                        SequenceNumber last) const {
    std::vector<Checkpoint> expected;
    for (size_t i = 0; i < recorded_.size(); ++i) {
      if (specimen.is_whole[i] && recorded_[i].sequence <= last) expected.push_back(recorded_[i]);
    }
    const auto read = ReadSidecar(directory, TestUuid(), last);
    if (absl::IsDataLoss(read.status()) && expected.empty()) return "";
    if (!read.ok()) return read.status().ToString();
    if (*read == expected) return "";
    return absl::StrCat(read->size(), " checkpoints, expected ", expected.size());
  }

  // Bytes that a writer cuts off or replaces are in another file; the rest is read.
  std::string CheckKept(const Directory& directory, const Specimen& specimen) const {
    std::string violation = CheckRead(directory, specimen, kLast);
    if (!violation.empty()) return violation;
    const auto names = directory.List().value();
    for (size_t i = 0; i < recorded_.size(); ++i) {
      if (BeginOf(i + 1) > specimen.bytes.size()) break;
      const Bytes entry(specimen.bytes.begin() + static_cast<ptrdiff_t>(BeginOf(i)),
                        specimen.bytes.begin() + static_cast<ptrdiff_t>(BeginOf(i + 1)));
      const bool is_there = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        return name.starts_with("checkpoints.") && Contains(ContentsOf(directory, name), entry);
      });
      if (!is_there) return absl::StrCat("the bytes of checkpoint ", i, " are in no file");
    }
    return "";
  }

  static Bytes ContentsOf(const Directory& directory, const std::string& name) {
    const auto file = directory.OpenForRead(name).value();
    Bytes bytes(file->Size().value());
    CHECK_EQ(file->Read(0, bytes).value(), bytes.size());
    return bytes;
  }

  JournalBytes files_;
  const std::string name_;
  const Bytes whole_;
  const std::vector<Checkpoint> recorded_ = Recorded();
};

std::string FlipEveryBit(Share share, uint64_t& number) {
  SidecarOracle oracle;
  for (size_t byte = 0; byte < oracle.whole().size(); ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      if (!share.Has(number++)) continue;
      Specimen specimen{oracle.whole(), std::vector<bool>(oracle.entry_count(), true)};
      specimen.bytes[byte] ^= static_cast<std::byte>(1 << bit);
      if (byte >= kHeaderBytes) specimen.is_whole[(byte - kHeaderBytes) / kEntryBytes] = false;
      const std::string violation = oracle.Check(specimen);
      if (!violation.empty()) return absl::StrCat("bit ", bit, " of ", byte, ": ", violation);
    }
  }
  return "";
}

std::string CutAtEveryLength(Share share, uint64_t& number) {
  SidecarOracle oracle;
  for (size_t length = 0; length < oracle.whole().size(); ++length) {
    if (!share.Has(number++)) continue;
    Specimen specimen{oracle.whole(), std::vector<bool>(oracle.entry_count(), true)};
    specimen.bytes.resize(length);
    for (size_t i = 0; i < oracle.entry_count(); ++i) {
      specimen.is_whole[i] = BeginOf(i + 1) <= length;
    }
    const std::string violation = oracle.Check(specimen);
    if (!violation.empty()) return absl::StrCat("cut at ", length, ": ", violation);
  }
  return "";
}

// ---- A file with a false length

// The file, and zeros up to a tebibyte; only so many bytes are read.
class LongFile final : public File {
 public:
  explicit LongFile(std::unique_ptr<File> inner) : inner_(std::move(inner)) {}

  absl::StatusOr<size_t> Read(uint64_t offset, engine::MutableBytes into) const override {
    given_ += into.size();
    if (given_ > kGivenMax) return absl::UnavailableError("more of it was read than allowed");
    std::fill(into.begin(), into.end(), std::byte{0});
    const absl::StatusOr<size_t> read = inner_->Read(offset, into);
    return read.ok() ? into.size() : read;
  }
  absl::Status Write(uint64_t, engine::Bytes) override { return ReadOnly(); }
  absl::Status Sync() override { return ReadOnly(); }
  absl::Status Truncate(uint64_t) override { return ReadOnly(); }
  absl::StatusOr<uint64_t> Size() const override { return uint64_t{1} << 40; }
  absl::Status Close() override { return inner_->Close(); }

 private:
  static constexpr uint64_t kGivenMax = uint64_t{1} << 28;
  static absl::Status ReadOnly() { return absl::FailedPreconditionError("read-only"); }

  const std::unique_ptr<File> inner_;
  mutable uint64_t given_ = 0;
};

class LongSidecarDirectory final : public Directory {
 public:
  explicit LongSidecarDirectory(Directory& inner) : inner_(inner) {}

  absl::string_view path() const override { return inner_.path(); }
  absl::StatusOr<std::vector<std::string>> List() const override { return inner_.List(); }
  absl::StatusOr<std::unique_ptr<File>> OpenForRead(absl::string_view name) const override {
    absl::StatusOr<std::unique_ptr<File>> file = inner_.OpenForRead(name);
    if (!file.ok() || name != kSidecarFileName) return file;
    return std::make_unique<LongFile>(*std::move(file));
  }
  absl::StatusOr<std::unique_ptr<File>> OpenForWrite(absl::string_view name) override {
    return inner_.OpenForWrite(name);
  }
  absl::StatusOr<std::unique_ptr<File>> Create(absl::string_view name) override {
    return inner_.Create(name);
  }
  absl::Status Rename(absl::string_view from, absl::string_view to) override {
    return inner_.Rename(from, to);
  }
  absl::Status Replace(absl::string_view from, absl::string_view to) override {
    return inner_.Replace(from, to);
  }
  absl::Status Remove(absl::string_view name) override { return inner_.Remove(name); }
  absl::Status Sync() override { return inner_.Sync(); }
  absl::StatusOr<std::unique_ptr<DirectoryLock>> Lock() override { return inner_.Lock(); }
  absl::StatusOr<std::unique_ptr<DirectoryLock>> LockForMaintenance() override {
    return inner_.LockForMaintenance();
  }

 private:
  Directory& inner_;
};

std::string LengthThatIsALie() {
  const auto directory = MemoryDirectory::FromSnapshot(WithSidecar());
  LongSidecarDirectory long_directory(*directory);
  const auto read = ReadSidecar(long_directory, TestUuid(), kLast);
  if (!read.ok()) return absl::StrCat("a tebibyte of zeros: ", read.status().ToString());
  if (read->size() != Recorded().size()) return "a tebibyte of zeros costs checkpoints";
  const auto writer = SidecarWriter::Open(long_directory, TestUuid(), kLast);
  if (!writer.ok()) return absl::StrCat("a tebibyte, opened: ", writer.status().ToString());
  if ((*writer)->last_sequence() != kLast) return "a tebibyte, opened: checkpoints are missing";
  return "";
}

// ---- Whose log it is

constexpr uint64_t kRuns = 6;
constexpr uint64_t kRun = kCheckpointInterval;

std::vector<engine::Digest> ChainsOf(const std::vector<OwnedRecord>& log) {
  std::vector<engine::Digest> chains = {engine::Digest()};
  LogDigest digest;
  for (const OwnedRecord& record : log) {
    digest.Add(record.row, record.attachment);
    if (record.row.sequence.value() % kRun == 0) chains.push_back(digest.Value());
  }
  return chains;
}

JournalBytes JournalOf(const std::vector<OwnedRecord>& log) {
  MemoryDirectory directory;
  const auto writer = Writer::Create(directory, TestMetadata(), TestUuid(), kTestCreated,
                                     {.segment_bytes = 64 << 10, .block_records = 600})
                          .value();
  AppendAll(*writer, log);
  CHECK_OK(writer->Sync());
  return directory.Snapshot();
}

// The journal has the log; `chains` are the digests at each run of another log, which differs from
// the record `parted` on.
std::string CheckPrefixes(const Directory& directory, const std::vector<engine::Digest>& chains,
                          uint64_t parted) {
  for (uint64_t run = 1; run < chains.size(); ++run) {
    const bool is_same = run * kRun < parted;
    PrefixDigests digests(directory);
    const absl::Status status = digests.Check(SequenceNumber(run * kRun), chains[run]);
    if (status.ok() == is_same) continue;
    return absl::StrCat("the digest at ", run * kRun, " of a log that differs from ", parted, ": ",
                        status.ToString());
  }
  return "";
}

}  // namespace

std::string EveryPrefix(Share share) {
  const std::vector<OwnedRecord> log = RecordSource(31, 3).Take(kRuns * kRun + 100);
  const auto directory = MemoryDirectory::FromSnapshot(JournalOf(log));
  // One that never differs, and one for each run: from its first record, its last, or between.
  for (uint64_t i = 0; i <= kRuns; ++i) {
    if (!share.Has(i)) continue;
    const uint64_t parted = i == 0 ? log.size() : (i - 1) * kRun + 1 + (i % 3) * (kRun / 2 - 1);
    std::vector<OwnedRecord> other = log;
    if (i > 0) other[parted - 1].row.payload[47] ^= std::byte{1};
    const std::string violation = CheckPrefixes(*directory, ChainsOf(other), parted);
    if (!violation.empty()) return violation;
  }
  return "";
}

std::string EverySidecar(Share share) {
  uint64_t number = 0;
  std::string violation = share.Has(number++) ? LengthThatIsALie() : "";
  if (violation.empty()) violation = FlipEveryBit(share, number);
  if (violation.empty()) violation = CutAtEveryLength(share, number);
  return violation;
}

}  // namespace journal
