#include "journal/format/block_header.h"

#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "journal/format/batch.h"
#include "journal/format/format.h"

namespace journal {
namespace {

absl::Status Require(bool holds, absl::string_view rule) {
  if (holds) return absl::OkStatus();
  return absl::DataLossError(absl::StrFormat("block header breaks its rules: %s", rule));
}

// The hash is right, so a broken rule means a defective writer or a newer format.
absl::Status CheckCommon(const BlockHeader& header) {
  RETURN_IF_ERROR(Require(header.header_bytes == kBlockHeaderBytes, "header_bytes is 128"));
  RETURN_IF_ERROR(Require(header.kind >= BlockKind::kData && header.kind <= BlockKind::kControl,
                          "kind is 1 to 5"));
  RETURN_IF_ERROR(Require(header.block_number > header.durable_block,
                          "durable_block is before the block itself"));
  RETURN_IF_ERROR(Require(header.first_sequence > header.durable_sequence,
                          "durable_sequence is before the block's first"));
  RETURN_IF_ERROR(
      Require(header.first_sequence <= UINT64_MAX - kBlockRecordsMax, "sequences do not overflow"));
  RETURN_IF_ERROR(
      Require(header.first_timestamp <= header.last_timestamp, "time does not run backwards"));
  RETURN_IF_ERROR(
      Require(header.kind == BlockKind::kControl ? IsControl(header.control) : header.control == 0,
              "control is what this format knows, and only in CONTROL blocks"));
  RETURN_IF_ERROR(Require(
      (header.replaced_block == 0 && header.replaced_hash == 0) ||
          (header.kind == BlockKind::kSeal && header.replaced_block >= header.block_number &&
           header.replaced_block < UINT64_MAX),
      "only a SEAL block replaces another, of at least its number"));
  return Require(header.reserved_a == 0 && header.reserved_b == 0, "reserved bytes are zero");
}

absl::Status CheckWithoutRecords(const BlockHeader& header) {
  return Require(header.record_count == 0 && header.payload_bytes == 0 && header.raw_bytes == 0 &&
                     header.codec == Codec::kNone && header.transform == Transform::kNone &&
                     header.delta_mask == 0,
                 "only data blocks have records");
}

absl::Status CheckData(const BlockHeader& header) {
  RETURN_IF_ERROR(Require(header.record_count >= 1 && header.record_count <= kBlockRecordsMax,
                          "record_count is 1 to 65536"));
  RETURN_IF_ERROR(Require(header.raw_bytes <= kRawBytesMax && header.raw_bytes % 8 == 0,
                          "raw_bytes is whole words, at most 16 MiB"));
  RETURN_IF_ERROR(Require(header.codec <= Codec::kZstd, "codec is 0 or 1"));
  RETURN_IF_ERROR(Require(header.transform <= Transform::kColumns, "transform is 0 or 1"));
  RETURN_IF_ERROR(Require(header.codec == Codec::kNone ? header.payload_bytes == header.raw_bytes
                                                       : header.payload_bytes < header.raw_bytes,
                          "payload_bytes agrees with the codec"));
  if (header.transform == Transform::kNone) {
    return Require(header.delta_mask == 0, "delta_mask is zero without columns");
  }
  return Require(header.raw_bytes >= RowsOnlyBytes(header.record_count),
                 "columns have room for their rows");
}

}  // namespace

void SignBlockHeader(BlockHeader& header, uint64_t segment_seed) {
  header.header_hash = HashOfMembers(header, segment_seed);
}

absl::StatusOr<BlockHeader> ParseBlockHeader(engine::Bytes bytes, uint64_t segment_seed) {
  if (bytes.size() < kBlockHeaderBytes) {
    return absl::DataLossError(
        absl::StrFormat("block header needs 128 bytes, found %d", bytes.size()));
  }
  BlockHeader header;
  std::memcpy(&header, bytes.data(), kBlockHeaderBytes);
  if (header.magic != BlockHeader::kMagic) {
    return absl::DataLossError(
        absl::StrFormat("no block: magic %08x, expected %08x", header.magic, BlockHeader::kMagic));
  }
  if (const uint64_t hash = HashOfMembers(header, segment_seed); header.header_hash != hash) {
    return absl::DataLossError(absl::StrFormat(
        "block header hash %016x, expected %016x of this segment", header.header_hash, hash));
  }
  RETURN_IF_ERROR(CheckCommon(header));
  RETURN_IF_ERROR(header.kind == BlockKind::kData ? CheckData(header)
                                                  : CheckWithoutRecords(header));
  return header;
}

}  // namespace journal
