#include "journal/digest_sidecar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"
#include "journal/log_digest.h"
#include "journal/storage/file_operations.h"

namespace journal {
namespace {

using engine::SequenceNumber;

// The header's bytes on disk.
struct FileHeader {
  std::array<char, 8> magic = kMagic;
  uint32_t version = 1;
  uint32_t entry_bytes = 96;
  Uuid journal_uuid;
  std::array<uint64_t, 3> reserved = {};
  uint64_t hash = 0;  // XXH3-64 of the 56 bytes before.

  static constexpr std::array<char, 8> kMagic = {'T', 'A', 'P', 'E', 'T', 'R', 'C', 'E'};
};
static_assert(sizeof(FileHeader) == 64);
static_assert(std::has_unique_object_representations_v<FileHeader>);

// Checkpoints where recordings ended, in addition to those at the ends of runs.
constexpr uint64_t kOtherCheckpointsMax = uint64_t{1} << 20;

// Entries read or written in one call.
constexpr size_t kEntriesPerCall = 4096;

constexpr char kTemporaryName[] = "checkpoints.trace.tmp";

// In the order of an entry's digests, and of the bits of its flags.
constexpr std::array<std::optional<engine::Digest> Checkpoint::*, 3> kDigests = {
    &Checkpoint::log, &Checkpoint::trace, &Checkpoint::state};

struct Entry {
  uint32_t magic = kMagic;
  uint32_t flags = 0;
  uint64_t sequence = 0;
  std::array<engine::Digest, 3> digests;  // Log, trace, state; zero where the flag is not set.
  std::array<uint64_t, 3> reserved = {};
  uint64_t hash = 0;  // XXH3-64 of the 88 bytes before, seeded by the journal.

  static constexpr uint32_t kMagic = 0x4b504854;  // "THPK"
};
static_assert(sizeof(Entry) == 96);
static_assert(std::has_unique_object_representations_v<Entry>);

Entry ToEntry(const Checkpoint& checkpoint, uint64_t seed) {
  Entry entry;
  entry.sequence = checkpoint.sequence.value();
  for (size_t i = 0; i < kDigests.size(); ++i) {
    const std::optional<engine::Digest>& digest = checkpoint.*kDigests[i];
    if (digest.has_value()) entry.flags |= uint32_t{1} << i;
    entry.digests[i] = digest.value_or(engine::Digest());
  }

  entry.hash = HashOfMembers(entry, seed);
  return entry;
}

Checkpoint FromEntry(const Entry& entry) {
  Checkpoint checkpoint{.sequence = engine::SequenceNumber(entry.sequence)};
  for (size_t i = 0; i < kDigests.size(); ++i) {
    if ((entry.flags >> i & 1) != 0) checkpoint.*kDigests[i] = entry.digests[i];
  }

  return checkpoint;
}

uint64_t BytesMax(SequenceNumber last) {
  return sizeof(FileHeader) + CheckpointsMax(last) * sizeof(Entry);
}

// Returns the entry in these bytes if its magic and hash are right.
std::optional<Entry> ParseEntry(engine::Bytes bytes, uint64_t seed) {
  Entry entry;
  if (bytes.size() < sizeof(entry)) return std::nullopt;
  std::memcpy(&entry, bytes.data(), sizeof(entry));
  if (entry.magic != Entry::kMagic || entry.hash != HashOfMembers(entry, seed)) return std::nullopt;
  return entry;
}

// Whether the header's magic and hash are right. Errors: UNIMPLEMENTED (another version), DATA_LOSS
// (another journal's).
absl::StatusOr<bool> CheckHeader(engine::Bytes bytes, const Uuid& journal_uuid) {
  FileHeader header;
  if (bytes.size() < sizeof(header)) return false;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != FileHeader::kMagic || header.hash != HashOfMembers(header)) return false;
  if (header.version != 1 || header.entry_bytes != sizeof(Entry)) {
    return absl::UnimplementedError(absl::StrCat(kSidecarFileName, " has version ", header.version,
                                                 "; this build reads version 1"));
  }
  if (header.journal_uuid != journal_uuid) {
    return absl::DataLossError(absl::StrCat(kSidecarFileName, " is of journal ",
                                            header.journal_uuid.ToString(), ", expected ",
                                            journal_uuid.ToString()));
  }
  return true;
}

// Reads a sidecar from its first byte to its last, at most BytesMax().
class SidecarScan {
 public:
  // Errors: as InspectSidecar().
  static absl::StatusOr<SidecarScan> Of(const Directory& directory, const Uuid& journal_uuid,
                                        SequenceNumber last) {
    ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForRead(kSidecarFileName));
    SidecarScan scan(journal_uuid, last);
    RETURN_IF_ERROR(scan.Run(*file, journal_uuid));
    return scan;
  }

  std::vector<Checkpoint>& checkpoints() { return checkpoints_; }
  bool header_is_whole() const { return header_is_whole_; }
  bool is_too_long() const { return file_bytes_ > BytesMax(last_); }
  uint64_t file_bytes() const { return file_bytes_; }

  // The end of the last checkpoint at or before `last`.
  uint64_t kept_end() const { return kept_end_; }
  bool has_bytes_after_kept() const { return not_zero_end_ > kept_end_; }

  // SidecarContents::damage.
  std::string Damage() const {
    std::vector<std::string> parts;
    if (!header_is_whole_) parts.push_back("its header is damaged and not used");
    if (damaged_count_ == 1) {
      parts.push_back(
          absl::StrCat("the checkpoint at byte ", first_damaged_, " is damaged and not used"));
    } else if (damaged_count_ > 1) {
      parts.push_back(absl::StrCat(damaged_count_,
                                   " checkpoints are damaged and not used, the first at byte ",
                                   first_damaged_));
    }
    if (is_too_long()) {
      parts.push_back(absl::StrCat("it has ", file_bytes_, " bytes, expected at most ",
                                   BytesMax(last_), " of a journal that ends at ", last_.value(),
                                   "; later entries are not read"));
    }
    if (parts.empty()) return "";
    return absl::StrCat(kSidecarFileName, ": ", absl::StrJoin(parts, "; "));
  }

 private:
  SidecarScan(const Uuid& journal_uuid, SequenceNumber last)
      : seed_(SeedOf(journal_uuid)), last_(last) {}

  static absl::StatusOr<engine::Bytes> Read(const File& file, uint64_t offset,
                                            engine::MutableBytes into) {
    ASSIGN_OR_RETURN(const size_t read, file.Read(offset, into));
    return engine::Bytes(into.first(read));
  }

  absl::Status Run(const File& file, const Uuid& journal_uuid) {
    ASSIGN_OR_RETURN(file_bytes_, file.Size());
    std::vector<std::byte> buffer(sizeof(FileHeader));
    ASSIGN_OR_RETURN(engine::Bytes bytes, Read(file, 0, buffer));
    ASSIGN_OR_RETURN(header_is_whole_, CheckHeader(bytes, journal_uuid));
    buffer.resize(kEntriesPerCall * sizeof(Entry));
    const uint64_t end = std::min(file_bytes_, BytesMax(last_));
    for (uint64_t offset = sizeof(FileHeader); offset < end; offset += buffer.size()) {
      const size_t wanted = std::min<uint64_t>(buffer.size(), end - offset);
      ASSIGN_OR_RETURN(bytes, Read(file, offset, engine::MutableBytes(buffer).first(wanted)));
      for (size_t at = 0; at < bytes.size(); at += sizeof(Entry)) {
        Take(offset + at, bytes.subspan(at, std::min(sizeof(Entry), bytes.size() - at)));
      }
      if (bytes.size() < wanted) break;
    }
    if (header_is_whole_ || !checkpoints_.empty()) return absl::OkStatus();
    return absl::DataLossError(absl::StrCat(kSidecarFileName, ": its header is damaged"));
  }

  // Processes the bytes at the place of one entry.
  void Take(uint64_t offset, engine::Bytes bytes) {
    if (IsZero(bytes)) {
      if (bytes.size() == sizeof(Entry) && zero_count_++ == 0) first_zero_ = offset;
      return;
    }
    not_zero_end_ = offset + bytes.size();
    const std::optional<Entry> entry = ParseEntry(bytes, seed_);
    if (entry.has_value() && entry->sequence > last_entry_) {
      CountDamaged(first_zero_, zero_count_);
      last_entry_ = entry->sequence;
      checkpoints_.push_back(FromEntry(*entry));
      if (checkpoints_.back().sequence <= last_) kept_end_ = not_zero_end_;
    } else if (bytes.size() == sizeof(Entry)) {
      CountDamaged(first_zero_, zero_count_);
      CountDamaged(offset, 1);
    }
    zero_count_ = 0;
  }

  void CountDamaged(uint64_t offset, uint64_t count) {
    if (count == 0) return;
    if (damaged_count_ == 0) first_damaged_ = offset;
    damaged_count_ += count;
  }

  const uint64_t seed_;
  const SequenceNumber last_;
  uint64_t file_bytes_ = 0;
  bool header_is_whole_ = false;
  std::vector<Checkpoint> checkpoints_;
  uint64_t last_entry_ = 0;
  uint64_t kept_end_ = sizeof(FileHeader);
  uint64_t not_zero_end_ = sizeof(FileHeader);
  uint64_t damaged_count_ = 0;
  uint64_t first_damaged_ = 0;
  uint64_t zero_count_ = 0;  // Entries of zeros just before: damage only if other bytes follow.
  uint64_t first_zero_ = 0;
};

// Atomically writes a complete sidecar under its name, durably; returns the open file.
absl::StatusOr<std::unique_ptr<File>> WriteNew(Directory& directory, const Uuid& journal_uuid,
                                               const std::vector<Checkpoint>& checkpoints) {
  return ReplaceFile(directory, kTemporaryName, kSidecarFileName, [&](File& file) -> absl::Status {
    FileHeader header;
    header.journal_uuid = journal_uuid;
    header.hash = HashOfMembers(header);
    RETURN_IF_ERROR(file.Write(0, engine::AsBytes(header)));
    uint64_t end = sizeof(header);
    std::vector<Entry> entries;
    for (size_t begin = 0; begin < checkpoints.size(); begin += entries.size()) {
      entries.clear();
      const size_t count = std::min(kEntriesPerCall, checkpoints.size() - begin);
      for (size_t i = begin; i < begin + count; ++i) {
        entries.push_back(ToEntry(checkpoints[i], SeedOf(journal_uuid)));
      }
      const engine::Bytes bytes = std::as_bytes(std::span(entries));
      RETURN_IF_ERROR(file.Write(end, bytes));
      end += bytes.size();
    }
    return absl::OkStatus();
  });
}

// Renames the entry with the sidecar's name, a regular file or not. Returns the new name; empty if
// there is no such entry.
absl::StatusOr<std::string> RenameAside(Directory& directory) {
  ASSIGN_OR_RETURN(std::string name, UnusedTornName(directory, kSidecarFileName));
  const absl::Status renamed = directory.Rename(kSidecarFileName, name);
  if (absl::IsNotFound(renamed)) return std::string();
  RETURN_IF_ERROR(renamed);
  RETURN_IF_ERROR(directory.Sync());
  return name;
}

// Copies the sidecar to a .torn file, so that there is a sidecar at every moment. If it is too long
// or cannot be opened, renames it instead. Returns the new name.
absl::StatusOr<std::string> KeepWhole(Directory& directory, SequenceNumber last) {
  const absl::StatusOr<std::unique_ptr<File>> file = directory.OpenForRead(kSidecarFileName);
  if (!file.ok()) return RenameAside(directory);
  ASSIGN_OR_RETURN(const uint64_t file_bytes, (*file)->Size());
  if (file_bytes > BytesMax(last)) return RenameAside(directory);
  return SetAside(directory, **file, kSidecarFileName, 0, file_bytes);
}

}  // namespace

uint64_t CheckpointsMax(SequenceNumber last) {
  return last.value() / kCheckpointInterval + kOtherCheckpointsMax;
}

// ---- Writing

SidecarWriter::SidecarWriter(std::unique_ptr<File> file, const Uuid& uuid,
                             const std::vector<Checkpoint>& checkpoints, uint64_t end)
    : file_(std::move(file)),
      uuid_(uuid),
      end_(end),
      last_(checkpoints.empty() ? SequenceNumber() : checkpoints.back().sequence) {}

absl::StatusOr<std::unique_ptr<SidecarWriter>> SidecarWriter::Create(Directory& directory,
                                                                     const Uuid& journal_uuid) {
  ASSIGN_OR_RETURN(const std::string kept, RenameAside(directory));
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, WriteNew(directory, journal_uuid, {}));
  auto writer = std::make_unique<SidecarWriter>(std::move(file), journal_uuid,
                                                std::vector<Checkpoint>(), sizeof(FileHeader));
  writer->NoteKept("as it was, it is", kept);
  return writer;
}

absl::StatusOr<std::unique_ptr<SidecarWriter>> SidecarWriter::Open(Directory& directory,
                                                                   const Uuid& journal_uuid,
                                                                   SequenceNumber last) {
  absl::StatusOr<SidecarScan> scan = SidecarScan::Of(directory, journal_uuid, last);
  if (absl::IsNotFound(scan.status())) return Create(directory, journal_uuid);
  if (absl::IsDataLoss(scan.status())) {
    ASSIGN_OR_RETURN(std::unique_ptr<SidecarWriter> writer, Create(directory, journal_uuid));
    writer->notes_.insert(writer->notes_.begin(), std::string(scan.status().message()));
    return writer;
  }
  RETURN_IF_ERROR(scan.status());
  std::vector<Checkpoint>& checkpoints = scan->checkpoints();
  std::erase_if(checkpoints, [&](const Checkpoint& here) { return here.sequence > last; });
  std::string kept;
  std::unique_ptr<File> file;
  uint64_t end = scan->kept_end();
  const bool is_rewritten = !scan->header_is_whole() || scan->is_too_long();
  if (is_rewritten) {
    ASSIGN_OR_RETURN(kept, KeepWhole(directory, last));
    ASSIGN_OR_RETURN(file, WriteNew(directory, journal_uuid, checkpoints));
    end = sizeof(FileHeader) + checkpoints.size() * sizeof(Entry);
  } else {
    ASSIGN_OR_RETURN(file, directory.OpenForWrite(kSidecarFileName));
    if (scan->has_bytes_after_kept()) {
      ASSIGN_OR_RETURN(
          kept, SetAside(directory, *file, kSidecarFileName, scan->kept_end(), scan->file_bytes()));
    }
    // Durable before new records get the sequence numbers of the records that the journal lost.
    if (scan->file_bytes() != scan->kept_end()) {
      RETURN_IF_ERROR(file->Truncate(scan->kept_end()));
      RETURN_IF_ERROR(file->Sync());
    }
  }
  auto writer = std::make_unique<SidecarWriter>(std::move(file), journal_uuid, checkpoints, end);
  if (const std::string damage = scan->Damage(); !damage.empty()) writer->notes_.push_back(damage);
  writer->NoteKept(is_rewritten ? std::string("as it was, it is")
                                : absl::StrCat("the bytes after the checkpoint at ",
                                               writer->last_.value(), " are"),
                   kept);
  return writer;
}

void SidecarWriter::NoteKept(absl::string_view what, absl::string_view name) {
  if (name.empty()) return;
  notes_.push_back(absl::StrCat(kSidecarFileName, ": ", what, " kept in ", name));
}

absl::Status SidecarWriter::Append(const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(status_);
  CHECK_GE(checkpoint.sequence, last_);
  if (checkpoint.sequence == last_) return absl::OkStatus();
  const uint64_t place = (end_ - sizeof(FileHeader)) / sizeof(Entry);
  if (place >= CheckpointsMax(checkpoint.sequence)) return absl::OkStatus();
  const Entry entry = ToEntry(checkpoint, SeedOf(uuid_));
  if (const absl::Status written = file_->Write(end_, engine::AsBytes(entry)); !written.ok()) {
    if (!absl::IsResourceExhausted(written)) status_ = written;
    return written;
  }
  end_ += sizeof(entry);
  last_ = checkpoint.sequence;
  return absl::OkStatus();
}

absl::Status SidecarWriter::Sync() {
  if (status_.ok()) status_ = file_->Sync();
  return status_;
}

absl::Status SidecarWriter::Close() {
  RETURN_IF_ERROR(Sync());
  RETURN_IF_ERROR(status_ = file_->Close());
  status_ = absl::FailedPreconditionError("the sidecar is closed");
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReplaceSidecar(Directory& directory, const Uuid& journal_uuid,
                                           SequenceNumber last,
                                           const std::vector<Checkpoint>& checkpoints) {
  ASSIGN_OR_RETURN(std::string kept, KeepWhole(directory, last));
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file,
                   WriteNew(directory, journal_uuid, checkpoints));
  RETURN_IF_ERROR(file->Close());
  return kept;
}

// ---- Reading

absl::StatusOr<SidecarContents> InspectSidecar(const Directory& directory, const Uuid& journal_uuid,
                                               SequenceNumber last) {
  ASSIGN_OR_RETURN(SidecarScan scan, SidecarScan::Of(directory, journal_uuid, last));
  return SidecarContents{.checkpoints = std::move(scan.checkpoints()), .damage = scan.Damage()};
}

absl::StatusOr<std::vector<Checkpoint>> ReadSidecar(const Directory& directory,
                                                    const Uuid& journal_uuid, SequenceNumber last) {
  ASSIGN_OR_RETURN(SidecarContents contents, InspectSidecar(directory, journal_uuid, last));
  return std::move(contents.checkpoints);
}

}  // namespace journal
