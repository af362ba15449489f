#include "journal/digest_sidecar.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/format/hash64.h"

namespace journal {
namespace {

// The bytes themselves.
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

constexpr uint32_t kHasLog = 1;
constexpr uint32_t kHasTrace = 2;
constexpr uint32_t kHasState = 4;

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

template <typename T>
uint64_t HashOf(const T& value, uint64_t seed) {
  return Hash64(engine::AsBytes(value).first(offsetof(T, hash)), seed);
}

Entry ToEntry(const Checkpoint& checkpoint, uint64_t seed) {
  Entry entry;
  entry.flags = (checkpoint.log ? kHasLog : 0) | (checkpoint.trace ? kHasTrace : 0) |
                (checkpoint.state ? kHasState : 0);
  entry.sequence = checkpoint.sequence.value();
  entry.digests = {checkpoint.log.value_or(engine::Digest{}),
                   checkpoint.trace.value_or(engine::Digest{}),
                   checkpoint.state.value_or(engine::Digest{})};
  entry.hash = HashOf(entry, seed);
  return entry;
}

Checkpoint FromEntry(const Entry& entry) {
  Checkpoint checkpoint{.sequence = engine::SequenceNumber(entry.sequence)};
  if ((entry.flags & kHasLog) != 0) checkpoint.log = entry.digests[0];
  if ((entry.flags & kHasTrace) != 0) checkpoint.trace = entry.digests[1];
  if ((entry.flags & kHasState) != 0) checkpoint.state = entry.digests[2];
  return checkpoint;
}

absl::StatusOr<std::vector<std::byte>> ReadAll(const File& file) {
  ASSIGN_OR_RETURN(const uint64_t file_bytes, file.Size());
  std::vector<std::byte> bytes(file_bytes);
  ASSIGN_OR_RETURN(const size_t read_bytes, file.Read(0, bytes));
  bytes.resize(read_bytes);
  return bytes;
}

// The entry at `offset`, if it checks out.
std::optional<Entry> EntryAt(engine::Bytes bytes, size_t offset, uint64_t seed) {
  Entry entry;
  if (bytes.size() < offset + sizeof(entry)) return std::nullopt;
  std::memcpy(&entry, bytes.data() + offset, sizeof(entry));
  if (entry.magic != Entry::kMagic || entry.hash != HashOf(entry, seed)) return std::nullopt;
  return entry;
}

// Of what stands at `end`, where the checkpoints that can be used end.
std::string DamageAt(engine::Bytes bytes, size_t end, uint64_t seed) {
  const engine::Bytes rest = bytes.subspan(end);
  const bool is_torn =
      rest.size() < sizeof(Entry) ||
      std::all_of(rest.begin(), rest.end(), [](std::byte byte) { return byte == std::byte{0}; });
  if (is_torn) return "";
  uint64_t whole_count = 0;
  for (size_t offset = end + sizeof(Entry); offset < bytes.size(); offset += sizeof(Entry)) {
    if (EntryAt(bytes, offset, seed).has_value()) ++whole_count;
  }
  return absl::StrCat(kSidecarFileName, ": the checkpoint at byte ", end,
                      whole_count == 0 ? " is damaged and not used"
                                       : absl::StrCat(" is damaged; it and ", whole_count,
                                                      " whole ones behind it are not used"));
}

absl::StatusOr<SidecarContents> Parse(engine::Bytes bytes, const Uuid& journal_uuid) {
  FileHeader header;
  if (bytes.size() >= sizeof(header)) std::memcpy(&header, bytes.data(), sizeof(header));
  if (bytes.size() < sizeof(header) || header.magic != FileHeader::kMagic ||
      header.hash != HashOf(header, 0)) {
    return absl::DataLossError(absl::StrCat(kSidecarFileName, ": its header is damaged"));
  }
  if (header.version != 1 || header.entry_bytes != sizeof(Entry)) {
    return absl::UnimplementedError(absl::StrCat(kSidecarFileName, " has version ", header.version,
                                                 "; this build reads version 1"));
  }
  if (header.journal_uuid != journal_uuid) {
    return absl::DataLossError(absl::StrCat(kSidecarFileName, " is of journal ",
                                            header.journal_uuid.ToString(), ", expected ",
                                            journal_uuid.ToString()));
  }
  SidecarContents contents;
  const uint64_t seed = SeedOf(journal_uuid);
  uint64_t previous = 0;
  size_t offset = sizeof(header);
  for (;; offset += sizeof(Entry)) {
    const std::optional<Entry> entry = EntryAt(bytes, offset, seed);
    if (!entry.has_value() || entry->sequence <= previous) break;
    previous = entry->sequence;
    contents.checkpoints.push_back(FromEntry(*entry));
  }
  contents.damage = DamageAt(bytes, offset, seed);
  return contents;
}

}  // namespace

SidecarWriter::SidecarWriter(std::unique_ptr<File> file, const Uuid& uuid)
    : file_(std::move(file)), uuid_(uuid) {}

SidecarWriter::~SidecarWriter() = default;

absl::StatusOr<std::unique_ptr<SidecarWriter>> SidecarWriter::Create(Directory& directory,
                                                                     const Uuid& journal_uuid) {
  absl::StatusOr<std::unique_ptr<File>> file = directory.Create(kSidecarFileName);
  if (absl::IsAlreadyExists(file.status())) {
    file = directory.OpenForWrite(kSidecarFileName);
    RETURN_IF_ERROR(file.status());
    RETURN_IF_ERROR((*file)->Truncate(0));
  }
  RETURN_IF_ERROR(file.status());
  auto writer = std::make_unique<SidecarWriter>(*std::move(file), journal_uuid);
  FileHeader header;
  header.journal_uuid = journal_uuid;
  header.hash = HashOf(header, 0);
  RETURN_IF_ERROR(writer->file_->Write(0, engine::AsBytes(header)));
  RETURN_IF_ERROR(directory.Sync());
  writer->end_ = sizeof(header);
  return writer;
}

absl::StatusOr<std::unique_ptr<SidecarWriter>> SidecarWriter::Open(Directory& directory,
                                                                   const Uuid& journal_uuid,
                                                                   engine::SequenceNumber last) {
  const absl::StatusOr<std::vector<Checkpoint>> checkpoints = ReadSidecar(directory, journal_uuid);
  if (absl::IsNotFound(checkpoints.status()) || absl::IsDataLoss(checkpoints.status())) {
    return Create(directory, journal_uuid);
  }
  RETURN_IF_ERROR(checkpoints.status());
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory.OpenForWrite(kSidecarFileName));
  auto writer = std::make_unique<SidecarWriter>(std::move(file), journal_uuid);
  writer->end_ = sizeof(FileHeader);
  for (const Checkpoint& checkpoint : *checkpoints) {
    if (checkpoint.sequence > last) break;
    writer->last_ = checkpoint.sequence;
    writer->end_ += sizeof(Entry);
  }
  RETURN_IF_ERROR(writer->file_->Truncate(writer->end_));
  return writer;
}

absl::Status SidecarWriter::Append(const Checkpoint& checkpoint) {
  RETURN_IF_ERROR(status_);
  CHECK_GE(checkpoint.sequence, last_);
  if (checkpoint.sequence == last_) return absl::OkStatus();
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
  status_ = file_->Close();
  RETURN_IF_ERROR(status_);
  status_ = absl::FailedPreconditionError("the sidecar is closed");
  return absl::OkStatus();
}

absl::StatusOr<SidecarContents> InspectSidecar(const Directory& directory,
                                               const Uuid& journal_uuid) {
  ASSIGN_OR_RETURN(const std::unique_ptr<File> file, directory.OpenForRead(kSidecarFileName));
  ASSIGN_OR_RETURN(const std::vector<std::byte> bytes, ReadAll(*file));
  return Parse(bytes, journal_uuid);
}

absl::StatusOr<std::vector<Checkpoint>> ReadSidecar(const Directory& directory,
                                                    const Uuid& journal_uuid) {
  ASSIGN_OR_RETURN(SidecarContents contents, InspectSidecar(directory, journal_uuid));
  return std::move(contents.checkpoints);
}

}  // namespace journal
