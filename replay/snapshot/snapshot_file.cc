#include "replay/snapshot/snapshot_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/state/snapshot_parts.h"
#include "journal/log_digest.h"

namespace replay {
namespace {

using engine::Bytes;
using engine::Digest;

constexpr std::array<char, 8> kHeaderMagic = {'T', 'T', 'S', 'N', 'A', 'P', '\r', '\n'};
constexpr std::array<char, 8> kFooterMagic = {'T', 'T', 'S', 'N', 'A', 'P', 'E', 'N'};
constexpr uint32_t kPartMagic = 0x74726170;

// Incompressible data grows slightly.
constexpr size_t StoredBytesMax(size_t part_bytes) { return part_bytes + part_bytes / 128 + 1024; }

// A record adds at most one market, or one account with an order, a position, a group and two
// fills; none of these takes more than one kilobyte.
uint64_t StateBytesMax(engine::SequenceNumber sequence) {
  constexpr uint64_t kBytesOfARecord = 4096;
  constexpr uint64_t kRecordsMax = uint64_t{1} << 48;  // No log is longer.
  return engine::kSnapshotPartBytesMax + kBytesOfARecord * std::min(sequence.value(), kRecordsMax);
}

struct HeaderBytes {
  std::array<char, 8> magic = kHeaderMagic;
  uint32_t format_version = kSnapshotFormatVersion;
  uint32_t semantics_version = 0;
  std::array<std::byte, 16> journal_uuid = {};
  uint64_t sequence = 0;
  int64_t time = 0;
  Digest log;
  Digest trace;
  Digest state;
  uint64_t event_count = 0;
  std::array<char, 24> engine = {};
  std::array<char, 104> build = {};
  uint64_t reserved = 0;
  Digest hash;
};
static_assert(sizeof(HeaderBytes) == 256);

struct PartBytes {
  uint32_t magic = kPartMagic;
  uint32_t number = 0;
  uint32_t part_bytes = 0;    // Decompressed.
  uint32_t stored_bytes = 0;  // Size of the frame after this struct.
  Digest hash;                // Of the hash before, the numbers above and the frame.
};
static_assert(sizeof(PartBytes) == 32);

struct FooterBytes {
  std::array<char, 8> magic = kFooterMagic;
  uint64_t part_count = 0;
  uint64_t file_bytes = 0;
  uint64_t reserved = 0;
  Digest content;  // The last part's hash.
  Digest hash;
};
static_assert(sizeof(FooterBytes) == 64);

// Hashes everything but the hash at the end.
template <typename T>
Digest HashOf(const T& value) {
  return engine::DigestOf(engine::AsBytes(value).first(sizeof(T) - sizeof(Digest)));
}

Digest HashOf(const Digest& before, const PartBytes& part, Bytes stored) {
  engine::Digester digester;
  digester.Add(engine::AsBytes(before));
  digester.Add(engine::AsBytes(part).first(sizeof(PartBytes) - sizeof(Digest)));
  digester.Add(stored);
  return digester.Finish();
}

template <size_t n>
void SetText(std::array<char, n>& to, absl::string_view text) {
  std::copy_n(text.data(), std::min(text.size(), n - 1), to.data());
}

template <size_t n>
std::string TextOf(const std::array<char, n>& from) {
  return {from.data(), strnlen(from.data(), n)};
}

HeaderBytes BytesOf(const SnapshotHeader& header) {
  HeaderBytes bytes;
  bytes.semantics_version = header.semantics_version;
  bytes.journal_uuid = header.journal_uuid.bytes;
  bytes.sequence = header.sequence.value();
  bytes.time = header.time.nanos();
  bytes.log = header.log;
  bytes.trace = header.trace;
  bytes.state = header.state;
  bytes.event_count = header.event_count;
  SetText(bytes.engine, header.engine);
  SetText(bytes.build, header.build);
  bytes.hash = HashOf(bytes);
  return bytes;
}

SnapshotHeader HeaderOf(const HeaderBytes& bytes) {
  return {.journal_uuid = {bytes.journal_uuid},
          .sequence = engine::SequenceNumber(bytes.sequence),
          .time = engine::Timestamp::FromNanos(bytes.time),
          .log = bytes.log,
          .trace = bytes.trace,
          .state = bytes.state,
          .event_count = bytes.event_count,
          .semantics_version = bytes.semantics_version,
          .engine = TextOf(bytes.engine),
          .build = TextOf(bytes.build)};
}

}  // namespace

// ---- Writing

absl::StatusOr<std::unique_ptr<SnapshotFileWriter>> SnapshotFileWriter::Create(
    journal::Directory& directory, absl::string_view name, const SnapshotHeader& header) {
  CHECK(header.sequence == journal::CompleteRunsEnd(header.sequence)) << header.sequence;
  ASSIGN_OR_RETURN(std::unique_ptr<journal::File> file, directory.Create(name));
  auto writer = std::make_unique<SnapshotFileWriter>(std::move(file));
  const HeaderBytes bytes = BytesOf(header);
  writer->chain_ = bytes.hash;
  RETURN_IF_ERROR(writer->Write(engine::AsBytes(bytes)));
  return writer;
}

absl::Status SnapshotFileWriter::Add(Bytes part) {
  CHECK(part.size() <= engine::kSnapshotPartBytesMax) << part.size();
  frame_.resize(StoredBytesMax(part.size()));
  const std::optional<size_t> stored = compressor_.Compress(part, frame_);
  CHECK(stored.has_value()) << part.size();
  PartBytes bytes;
  bytes.number = part_count_++;
  bytes.part_bytes = static_cast<uint32_t>(part.size());
  bytes.stored_bytes = static_cast<uint32_t>(*stored);
  const Bytes content = Bytes(frame_).first(*stored);
  chain_ = bytes.hash = HashOf(chain_, bytes, content);
  RETURN_IF_ERROR(Write(engine::AsBytes(bytes)));
  return Write(content);
}

absl::Status SnapshotFileWriter::Finish() {
  FooterBytes footer;
  footer.part_count = part_count_;
  footer.file_bytes = end_ + sizeof(footer);
  footer.content = chain_;
  footer.hash = HashOf(footer);
  RETURN_IF_ERROR(Write(engine::AsBytes(footer)));
  RETURN_IF_ERROR(file_->Sync());
  return file_->Close();
}

absl::Status SnapshotFileWriter::Write(Bytes bytes) {
  RETURN_IF_ERROR(file_->Write(end_, bytes));
  end_ += bytes.size();
  return absl::OkStatus();
}

// ---- Reading

absl::StatusOr<std::unique_ptr<SnapshotFileReader>> SnapshotFileReader::Open(
    const journal::Directory& directory, absl::string_view name) {
  ASSIGN_OR_RETURN(std::unique_ptr<journal::File> file, directory.OpenForRead(name));
  auto reader = std::make_unique<SnapshotFileReader>(std::move(file),
                                                     absl::StrCat(directory.path(), "/", name));
  RETURN_IF_ERROR(reader->ReadEnds());
  return reader;
}

absl::Status SnapshotFileReader::ReadEnds() {
  ASSIGN_OR_RETURN(file_bytes_, file_->Size());
  HeaderBytes header;
  FooterBytes footer;
  if (file_bytes_ < sizeof(header) + sizeof(footer)) {
    return Damaged(0, absl::StrCat(file_bytes_, " bytes; expected a header and a footer, ",
                                   sizeof(header) + sizeof(footer)));
  }
  RETURN_IF_ERROR(ReadAt(0, std::as_writable_bytes(std::span(&header, 1))));
  if (header.magic != kHeaderMagic) return Damaged(0, "not a snapshot");
  if (header.hash != HashOf(header)) {
    return Damaged(0, absl::StrCat("header hash ", HashOf(header).ToString(), ", expected ",
                                   header.hash.ToString()));
  }
  if (header.format_version != kSnapshotFormatVersion) {
    return absl::UnimplementedError(absl::StrCat(name_, ": snapshot format ", header.format_version,
                                                 "; this build reads ", kSnapshotFormatVersion));
  }
  header_ = HeaderOf(header);
  if (header_.sequence == engine::SequenceNumber() ||
      header_.sequence != journal::CompleteRunsEnd(header_.sequence)) {
    return Damaged(0, absl::StrCat("sequence ", header_.sequence.value(),
                                   "; expected a multiple of ", journal::kCheckpointInterval));
  }
  // Checked before anything is allocated, because the file's length may be wrong.
  state_bytes_left_ = StateBytesMax(header_.sequence);
  const uint64_t file_bytes_max =
      sizeof(header) + StoredBytesMax(state_bytes_left_) + sizeof(footer);
  if (file_bytes_ > file_bytes_max) {
    return Damaged(0, absl::StrCat(file_bytes_, " bytes; expected at most ", file_bytes_max,
                                   " for the state after ", header_.sequence.value(), " records"));
  }
  const uint64_t footer_offset = file_bytes_ - sizeof(footer);
  RETURN_IF_ERROR(ReadAt(footer_offset, std::as_writable_bytes(std::span(&footer, 1))));
  if (footer.magic != kFooterMagic || footer.hash != HashOf(footer)) {
    return Damaged(footer_offset, "no footer; the file is cut short or damaged");
  }
  if (footer.file_bytes != file_bytes_ || footer.part_count > file_bytes_ / sizeof(PartBytes)) {
    return Damaged(footer_offset,
                   absl::StrCat("a footer of ", footer.part_count, " parts in ", footer.file_bytes,
                                " bytes; the file has ", file_bytes_));
  }
  content_ = footer.content;
  part_count_ = footer.part_count;
  chain_ = header.hash;
  offset_ = sizeof(header);
  return absl::OkStatus();
}

absl::StatusOr<std::optional<Bytes>> SnapshotFileReader::Next() {
  const uint64_t end = file_bytes_ - sizeof(FooterBytes);
  if (next_part_ == part_count_) {
    if (offset_ != end || chain_ != content_) {
      return Damaged(offset_, absl::StrCat("the parts end here; expected at ", end));
    }
    return std::nullopt;
  }
  PartBytes part;
  if (end - offset_ < sizeof(part)) return Damaged(offset_, "no room for a part");
  RETURN_IF_ERROR(ReadAt(offset_, std::as_writable_bytes(std::span(&part, 1))));
  // Checks limits first: sizes are not verified by the hash yet and must not cause an allocation.
  if (part.magic != kPartMagic || part.number != next_part_ ||
      part.part_bytes > std::min<uint64_t>(engine::kSnapshotPartBytesMax, state_bytes_left_) ||
      part.stored_bytes > StoredBytesMax(part.part_bytes) ||
      part.stored_bytes > end - offset_ - sizeof(part)) {
    return Damaged(offset_, absl::StrCat("not the header of part ", next_part_));
  }
  stored_.resize(part.stored_bytes);
  RETURN_IF_ERROR(ReadAt(offset_ + sizeof(part), stored_));
  const Digest hash = HashOf(chain_, part, stored_);
  if (hash != part.hash) {
    return Damaged(offset_, absl::StrCat("part ", next_part_, ": hash ", hash.ToString(),
                                         ", expected ", part.hash.ToString()));
  }
  part_.resize(part.part_bytes);
  if (const absl::Status status = decompressor_.Decompress(stored_, part_); !status.ok()) {
    return Damaged(offset_, absl::StrCat("part ", next_part_, ": ", status.message()));
  }
  chain_ = hash;
  offset_ += sizeof(part) + part.stored_bytes;
  state_bytes_left_ -= part.part_bytes;
  ++next_part_;
  return Bytes(part_);
}

absl::Status SnapshotFileReader::ReadAt(uint64_t offset, engine::MutableBytes into) const {
  ASSIGN_OR_RETURN(const size_t read, file_->Read(offset, into));
  if (read == into.size()) return absl::OkStatus();
  return Damaged(offset, absl::StrCat(read, " bytes; expected ", into.size()));
}

absl::Status SnapshotFileReader::Damaged(uint64_t offset, absl::string_view what) const {
  return absl::DataLossError(absl::StrCat(name_, " at ", offset, ": ", what));
}

}  // namespace replay
