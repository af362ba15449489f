#include "journal/format/block_codec.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"

namespace journal {
namespace {

using RowsTransform = void (*)(const std::byte*, size_t, uint8_t, std::byte*);

// Transforms the rows of `from` into `to`; copies the bytes before and after them unchanged.
void TransformRows(RowsTransform transform, engine::Bytes from, const BlockHeader& header,
                   std::byte* to) {
  const size_t rows_end = RowsOnlyBytes(header.record_count);
  std::memcpy(to, from.data(), kRowsOffset);
  transform(from.data() + kRowsOffset, header.record_count, header.delta_mask, to + kRowsOffset);
  std::memcpy(to + rows_end, from.data() + rows_end, from.size() - rows_end);
}

absl::Status CheckRows(const BlockHeader& header, std::span<const Row> rows) {
  uint64_t sequence = header.first_sequence;
  engine::Timestamp time = engine::Timestamp::FromNanos(header.first_timestamp);
  bool in_order =
      rows.front().timestamp == time && rows.back().timestamp.nanos() == header.last_timestamp;
  for (const Row& row : rows) {
    in_order &= row.sequence.value() == sequence && row.timestamp >= time;
    ++sequence;
    time = row.timestamp;
  }
  if (in_order) return absl::OkStatus();
  return absl::DataLossError(absl::StrCat(
      "block ", header.block_number, ": its rows are not sequences ", header.first_sequence, "..",
      header.first_sequence + header.record_count - 1, " in order of time"));
}

}  // namespace

BlockEncoder::BlockEncoder(std::optional<int> zstd_level, uint8_t delta_mask)
    : delta_mask_(delta_mask) {
  if (zstd_level.has_value()) compressor_.emplace(*zstd_level);
}

void BlockEncoder::Encode(engine::Bytes body, BlockHeader& header, AlignedBuffer& block) {
  block.Reserve(AlignUp(kBlockHeaderBytes + body.size()));
  header.raw_bytes = static_cast<uint32_t>(body.size());
  if (!EncodeCompressed(body, header, block)) {
    header.codec = Codec::kNone;
    header.transform = Transform::kNone;
    header.delta_mask = 0;
    header.payload_bytes = header.raw_bytes;
    std::memcpy(block.data() + kBlockHeaderBytes, body.data(), body.size());
  }
  const size_t payload_end = kBlockHeaderBytes + header.payload_bytes;
  std::memset(block.data() + payload_end, 0, StoredBytes(header) - payload_end);
  header.payload_hash =
      Hash64(block.first(payload_end).subspan(kBlockHeaderBytes, header.payload_bytes));
}

bool BlockEncoder::EncodeCompressed(engine::Bytes body, BlockHeader& header, AlignedBuffer& block) {
  // A block that fits one unit cannot take fewer.
  const uint64_t plain_bytes = AlignUp(kBlockHeaderBytes + body.size());
  if (!compressor_.has_value() || plain_bytes == kAlignment) return false;
  columns_.Reserve(body.size());
  header.delta_mask = delta_mask_;
  TransformRows(RowsToColumns, body, header, columns_.data());
  const std::optional<size_t> bytes = compressor_->Compress(
      columns_.first(body.size()), {block.data() + kBlockHeaderBytes, body.size() - 1});
  if (!bytes.has_value() || AlignUp(kBlockHeaderBytes + *bytes) >= plain_bytes) {
    return false;
  }
  header.codec = Codec::kZstd;
  header.transform = Transform::kColumns;
  header.payload_bytes = static_cast<uint32_t>(*bytes);
  return true;
}

absl::Status CheckPayload(const BlockHeader& header, engine::Bytes payload) {
  const uint64_t hash = Hash64(payload);
  if (hash == header.payload_hash) return absl::OkStatus();
  return absl::DataLossError(absl::StrFormat("block %d: payload hash %016x, expected %016x",
                                             header.block_number, hash, header.payload_hash));
}

absl::Status BlockDecoder::Decode(const BlockHeader& header, engine::Bytes payload,
                                  DecodedBlock& to) {
  ASSIGN_OR_RETURN(const engine::Bytes body, Body(header, payload, to.body_));
  RETURN_IF_ERROR(to.batch_.Decode(body, header.record_count));
  return CheckRows(header, to.records().rows);
}

absl::StatusOr<engine::Bytes> BlockDecoder::Body(const BlockHeader& header, engine::Bytes payload,
                                                 AlignedBuffer& to) {
  engine::Bytes body = payload;
  if (header.codec == Codec::kZstd) {
    AlignedBuffer& target = header.transform == Transform::kColumns ? columns_ : to;
    target.Reserve(header.raw_bytes);
    RETURN_IF_ERROR(decompressor_.Decompress(payload, target.first(header.raw_bytes)));
    body = std::as_const(target).first(header.raw_bytes);
  }
  if (header.transform == Transform::kColumns) {
    to.Reserve(header.raw_bytes);
    TransformRows(ColumnsToRows, body, header, to.data());
    body = std::as_const(to).first(header.raw_bytes);
  }
  return body;
}

}  // namespace journal
