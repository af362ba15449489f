#include "journal/format/preamble.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/bytes.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"
#include "journal/format/compression.h"
#include "journal/format/segment_meta.capnp.h"
#include "journal/record.h"

namespace journal {
namespace {

// A shorter schema is stored uncompressed.
constexpr size_t kCompressFromBytes = 1024;
constexpr size_t kRowSchemaBytesMax = 1 << 20;

kj::ArrayPtr<const kj::byte> ToKj(engine::Bytes bytes) {
  return kj::arrayPtr(reinterpret_cast<const kj::byte*>(bytes.data()), bytes.size());
}

absl::Status ExpandRowSchema(engine::Bytes stored, uint32_t raw_bytes, JournalMetadata& metadata) {
  if (raw_bytes == 0) {
    metadata.row_schema.assign(stored.begin(), stored.end());
    return absl::OkStatus();
  }
  if (raw_bytes > kRowSchemaBytesMax) {
    return absl::DataLossError("row schema of more than 1 MiB");
  }
  metadata.row_schema.resize(raw_bytes);
  return Decompressor().Decompress(stored, metadata.row_schema);
}

kj::Array<capnp::word> EncodeMetadata(const JournalMetadata& metadata) {
  capnp::MallocMessageBuilder message(4096, capnp::AllocationStrategy::GROW_HEURISTICALLY);
  auto meta = message.initRoot<schema::SegmentMeta>();
  meta.setApplication(metadata.application.c_str());
  meta.setBuildId(metadata.build_id.c_str());
  meta.setSemanticsVersion(metadata.semantics_version);
  meta.setCreatedBy(metadata.created_by.c_str());
  meta.setRowSchemaId(metadata.row_schema_id);

  std::vector<std::byte> frame(metadata.row_schema.size());
  const auto frame_bytes = metadata.row_schema.size() < kCompressFromBytes
                               ? std::nullopt
                               : Compressor(19).Compress(metadata.row_schema, frame);
  if (frame_bytes.has_value()) {
    meta.setRowSchema(ToKj(engine::Bytes(frame).first(*frame_bytes)));
    meta.setRowSchemaRawBytes(static_cast<uint32_t>(metadata.row_schema.size()));
  } else {
    meta.setRowSchema(ToKj(metadata.row_schema));
  }
  return capnp::messageToFlatArray(message);
}
absl::StatusOr<JournalMetadata> DecodeMetadata(engine::Bytes bytes) {
  JournalMetadata metadata;
  absl::Status status;
  // A copy, because a Cap'n Proto message must be aligned to words.
  std::vector<uint64_t> words(bytes.size() / sizeof(uint64_t));
  if (bytes.size() % sizeof(uint64_t) != 0 || words.empty()) {
    return absl::DataLossError("segment metadata is not whole words");
  }
  std::memcpy(words.data(), bytes.data(), bytes.size());
  RETURN_IF_ERROR(engine::CatchKj([&] {
    capnp::FlatArrayMessageReader message(
        kj::arrayPtr(reinterpret_cast<const capnp::word*>(words.data()), words.size()));
    const auto meta = message.getRoot<schema::SegmentMeta>();
    metadata.application = meta.getApplication().cStr();
    metadata.build_id = meta.getBuildId().cStr();
    metadata.semantics_version = meta.getSemanticsVersion();
    metadata.created_by = meta.getCreatedBy().cStr();
    metadata.row_schema_id = meta.getRowSchemaId();
    const auto stored = meta.getRowSchema();
    status = ExpandRowSchema({reinterpret_cast<const std::byte*>(stored.begin()), stored.size()},
                             meta.getRowSchemaRawBytes(), metadata);
  }));
  RETURN_IF_ERROR(status);
  return metadata;
}

// The first 256 bytes of a copy on disk. magic, the versions, copy_bytes and hash keep their places
// in every version.
struct FixedPart {
  std::array<char, 8> magic = kMagic;
  uint16_t format_major = kFormatMajor;
  uint16_t format_minor = kWrittenMinor;
  uint16_t min_reader_minor = kWrittenMinor;
  uint16_t alignment_log2 = 12;
  uint32_t endian_probe = kEndianProbe;
  uint32_t row_bytes = sizeof(Row);
  PreambleFields fields;
  uint32_t meta_bytes = 0;
  uint32_t copy_bytes = 0;
  engine::Timestamp previous_timestamp;
  std::array<char, 40> time_zone = {};  // Padded with zeros.
  std::array<uint64_t, 8> reserved = {};
  engine::Digest hash;

  static constexpr std::array<char, 8> kMagic = {'T', 'I', 'C', 'K', 'T', 'A', 'P', 'E'};
  static constexpr uint32_t kEndianProbe = 0x01020304;
};
static_assert(sizeof(FixedPart) == 256);
static_assert(offsetof(FixedPart, copy_bytes) == 124);
static_assert(offsetof(FixedPart, hash) == 240);
static_assert(std::has_unique_object_representations_v<FixedPart>);

engine::Digest HashOf(engine::Bytes copy) {
  constexpr std::array<std::byte, sizeof(engine::Digest)> kZeros = {};
  engine::Digester digester;
  digester.Add(copy.first(offsetof(FixedPart, hash)));
  digester.Add(kZeros);
  digester.Add(copy.subspan(sizeof(FixedPart)));
  return digester.Finish();
}

absl::Status CheckVersion(const FixedPart& fixed) {
  if (fixed.format_major == kFormatMajor && fixed.min_reader_minor <= kFormatMinor) {
    return absl::OkStatus();
  }
  return absl::UnimplementedError(absl::StrFormat(
      "journal format %d.%d needs a reader of %d.%d or newer; this build reads %d.%d",
      fixed.format_major, fixed.format_minor, fixed.format_major, fixed.min_reader_minor,
      kFormatMajor, kFormatMinor));
}

absl::Status CheckFixedPart(const FixedPart& fixed) {
  if (fixed.alignment_log2 != 12 || fixed.endian_probe != FixedPart::kEndianProbe ||
      fixed.row_bytes != sizeof(Row) || fixed.fields.flags != 0 ||
      fixed.fields.first_sequence.value() == 0 || fixed.fields.first_block == 0 ||
      fixed.meta_bytes > fixed.copy_bytes - sizeof(FixedPart)) {
    return absl::DataLossError("preamble breaks its rules, though its hash is right");
  }
  return absl::OkStatus();
}

bool IsPossibleCopyBytes(uint64_t bytes) {
  return bytes != 0 && bytes % kAlignment == 0 && bytes <= kPreambleBytesMax;
}

// Reads the copy at `offset`. Errors: DATA_LOSS, UNIMPLEMENTED, the file's.
absl::StatusOr<Preamble> ReadCopy(const File& file, uint64_t offset) {
  FixedPart fixed;
  engine::MutableBytes head(reinterpret_cast<std::byte*>(&fixed), sizeof(fixed));
  ASSIGN_OR_RETURN(const size_t head_bytes, file.Read(offset, head));
  if (head_bytes < head.size() || fixed.magic != FixedPart::kMagic ||
      !IsPossibleCopyBytes(fixed.copy_bytes)) {
    return absl::DataLossError(absl::StrFormat("no preamble at 0x%x", offset));
  }
  std::vector<std::byte> copy(fixed.copy_bytes);
  ASSIGN_OR_RETURN(const size_t copy_bytes, file.Read(offset, copy));
  if (copy_bytes < copy.size() || HashOf(copy) != fixed.hash) {
    return absl::DataLossError(absl::StrFormat("preamble at 0x%x: hash is not %s as it says",
                                               offset, fixed.hash.ToString()));
  }
  // Uses the bytes that the hash covers: the first read of the same place may have differed.
  std::memcpy(&fixed, copy.data(), sizeof(fixed));
  RETURN_IF_ERROR(CheckVersion(fixed));
  RETURN_IF_ERROR(CheckFixedPart(fixed));
  Preamble preamble{fixed.fields};
  preamble.format_minor = fixed.format_minor;
  preamble.previous_timestamp = fixed.previous_timestamp;
  preamble.copy_bytes = fixed.copy_bytes;
  ASSIGN_OR_RETURN(preamble.metadata, DecodeMetadata(engine::Bytes(copy).subspan(
                                          sizeof(FixedPart), fixed.meta_bytes)));
  const auto zone_end = std::ranges::find(fixed.time_zone, '\0');
  preamble.metadata.time_zone.assign(fixed.time_zone.begin(), zone_end);
  return preamble;
}

// `label` has at most 16 bytes.
Uuid DeriveUuid(const Uuid& from, engine::Bytes label) {
  std::array<std::byte, 32> bytes = {};
  std::copy(from.bytes.begin(), from.bytes.end(), bytes.begin());
  std::copy(label.begin(), label.end(), bytes.begin() + 16);
  const engine::Digest digest = engine::DigestOf(bytes);
  return Uuid::FromWords(digest.low, digest.high);
}

}  // namespace

absl::StatusOr<std::vector<std::byte>> EncodePreamble(Preamble& preamble) {
  const kj::Array<capnp::word> words = EncodeMetadata(preamble.metadata);
  const auto meta = words.asBytes();
  preamble.copy_bytes = AlignUp(sizeof(FixedPart) + meta.size());
  if (preamble.copy_bytes > kPreambleBytesMax) {
    return absl::InvalidArgumentError(absl::StrCat("journal metadata of ", meta.size(),
                                                   " bytes encoded; at most 240 KiB are allowed"));
  }
  FixedPart fixed;
  const std::string& zone = preamble.metadata.time_zone;
  if (zone.size() > fixed.time_zone.size() || zone.find('\0') != zone.npos) {
    return absl::InvalidArgumentError(absl::StrCat("a time zone's name of ", zone.size(),
                                                   " bytes; at most 40 are allowed, and no zero"));
  }
  std::ranges::copy(zone, fixed.time_zone.begin());
  fixed.format_minor = fixed.min_reader_minor = preamble.format_minor;
  fixed.fields = preamble;
  fixed.previous_timestamp = preamble.previous_timestamp;
  fixed.meta_bytes = static_cast<uint32_t>(meta.size());
  fixed.copy_bytes = static_cast<uint32_t>(preamble.copy_bytes);

  std::vector<std::byte> bytes(2 * preamble.copy_bytes);
  std::memcpy(bytes.data(), &fixed, sizeof(fixed));
  std::memcpy(bytes.data() + sizeof(fixed), meta.begin(), meta.size());
  fixed.hash = HashOf(engine::Bytes(bytes).first(preamble.copy_bytes));
  std::memcpy(bytes.data(), &fixed, sizeof(fixed));
  std::memcpy(bytes.data() + preamble.copy_bytes, bytes.data(), preamble.copy_bytes);
  return bytes;
}

absl::StatusOr<PreambleRead> ReadPreamble(const File& file) {
  const absl::StatusOr<Preamble> first = ReadCopy(file, 0);
  if (first.ok()) {
    PreambleRead read{.preamble = *first};
    const absl::StatusOr<Preamble> second = ReadCopy(file, first->copy_bytes);
    if (!second.ok() && !absl::IsDataLoss(second.status())) return second.status();
    read.copy_damaged = !second.ok() || *second != *first;
    read.damaged_offset = first->copy_bytes;
    return read;
  }
  if (!absl::IsDataLoss(first.status())) return first.status();
  // The first copy, which holds the offset of the second, is damaged: try every possible offset.
  for (uint64_t offset = kAlignment; offset <= kPreambleBytesMax; offset += kAlignment) {
    absl::StatusOr<Preamble> second = ReadCopy(file, offset);
    if (second.ok() && second->copy_bytes == offset) {
      return PreambleRead{.preamble = *std::move(second), .copy_damaged = true};
    }
    if (!second.ok() && !absl::IsDataLoss(second.status())) return second.status();
  }
  return first.status();
}

Uuid DeriveSegmentUuid(const Uuid& journal_uuid, uint64_t segment_index, uint32_t incarnation) {
  std::array<std::byte, 16> place;
  engine::StoreLittleEndian(segment_index, place.data());
  engine::StoreLittleEndian(uint64_t{incarnation}, place.data() + 8);
  return DeriveUuid(journal_uuid, place);
}

Uuid DeriveCompactedUuid(const Uuid& segment_uuid) {
  return DeriveUuid(segment_uuid, engine::AsBytes("compacted"));
}

}  // namespace journal
