#include "journal/writer_options.h"

#include "absl/strings/str_cat.h"
#include "journal/format/format.h"
#include "journal/record.h"

namespace journal {

uint64_t BlockBytesMax(const WriterOptions& options) {
  // Each record may have an attachment, with a list entry and padding. The last attachment may
  // exceed block_attachment_bytes.
  const uint64_t row_bytes = uint64_t{options.block_records} * (sizeof(Row) + 3 * 8);
  return AlignUp(row_bytes + options.block_attachment_bytes + kMaxAttachmentBytes) + kAlignment;
}

uint64_t ReserveBytesMin(const WriterOptions& options) {
  return 2 * BlockBytesMax(options) + (uint64_t{1} << 20);
}

absl::Status CheckOptions(const WriterOptions& options) {
  if (options.segment_bytes < (64 << 10) || options.segment_bytes > uint64_t{16} << 30) {
    return absl::InvalidArgumentError("segment_bytes must be 64 KiB to 16 GiB");
  }
  if (options.block_records < 1 || options.block_records > kBlockRecordsMax) {
    return absl::InvalidArgumentError("block_records must be 1 to 65536");
  }
  if (options.block_attachment_bytes < 1 ||
      options.block_attachment_bytes > kBlockAttachmentBytesMax) {
    return absl::InvalidArgumentError("block_attachment_bytes must be 1 to 4 MiB");
  }
  if (options.zstd_level < 1 || options.zstd_level > 19) {
    return absl::InvalidArgumentError("zstd_level must be 1 to 19");
  }
  if (options.blocks_in_flight < 2 || options.blocks_in_flight > 1024) {
    return absl::InvalidArgumentError("blocks_in_flight must be 2 to 1024");
  }
  if (options.heartbeat_nanos < 1'000 || options.heartbeat_nanos > int64_t{3'600'000'000'000}) {
    return absl::InvalidArgumentError("heartbeat_nanos must be 1 microsecond to 1 hour");
  }
  if (options.reserve_bytes != 0 && (options.reserve_bytes < ReserveBytesMin(options) ||
                                     options.reserve_bytes > options.segment_bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("reserve_bytes must be 0, or ", ReserveBytesMin(options), " (with ",
                     options.block_records, " records a block) to segment_bytes"));
  }
  return absl::OkStatus();
}

}  // namespace journal
