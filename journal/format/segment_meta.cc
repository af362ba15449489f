#include "journal/format/segment_meta.h"

#include <capnp/message.h>
#include <capnp/serialize.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/catch_kj.h"
#include "engine/base/status_macros.h"
#include "journal/format/compression.h"
#include "journal/format/segment_meta.capnp.h"
#include "journal/journal_metadata.h"

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

}  // namespace

std::vector<std::byte> EncodeMetadata(const JournalMetadata& metadata) {
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
  const auto words = capnp::messageToFlatArray(message);
  const auto bytes = words.asBytes();
  std::vector<std::byte> encoded(bytes.size());
  std::memcpy(encoded.data(), bytes.begin(), bytes.size());
  return encoded;
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

}  // namespace journal
