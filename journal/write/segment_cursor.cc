#include "journal/write/segment_cursor.h"

#include <cstddef>
#include <utility>

#include "absl/strings/str_format.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/format/format.h"

namespace journal {
namespace {

// Small, because the reading thread also writes commands: such a read is much shorter than a sync.
constexpr size_t kWindowBytes = 64 << 10;

}  // namespace

absl::StatusOr<std::unique_ptr<SegmentCursor>> SegmentCursor::Open(const Directory& directory,
                                                                   absl::string_view file_name) {
  ASSIGN_OR_RETURN(std::unique_ptr<File> file, directory.OpenForRead(file_name));
  ASSIGN_OR_RETURN(PreambleRead read, ReadPreamble(*file));
  return std::make_unique<SegmentCursor>(std::string(file_name), std::move(file), std::move(read));
}

SegmentCursor::SegmentCursor(std::string file_name, std::unique_ptr<File> file, PreambleRead read)
    : file_name_(std::move(file_name)),
      file_(std::move(file)),
      read_(std::move(read)),
      seed_(SeedOf(read_.preamble.segment_uuid)),
      window_(*file_, kWindowBytes),
      position_(PositionBefore(read_.preamble)),
      offset_(read_.preamble.blocks_offset()) {}

absl::Status SegmentCursor::Next() {
  const absl::Status status = Read();
  if (!absl::IsDataLoss(status) && !absl::IsUnimplemented(status)) return status;
  return absl::Status(status.code(),
                      absl::StrFormat("%s: block %d at 0x%x: %s", file_name_, position_.next_block,
                                      offset_, std::string(status.message())));
}

absl::Status SegmentCursor::Read() {
  ASSIGN_OR_RETURN(const engine::Bytes head, window_.At(offset_, kBlockHeaderBytes));
  ASSIGN_OR_RETURN(const BlockHeader header, ParseBlockHeader(head, seed_));
  RETURN_IF_ERROR(CheckFollows(position_, header));
  ASSIGN_OR_RETURN(const engine::Bytes block, window_.At(offset_, StoredBytes(header)));
  if (block.size() < StoredBytes(header)) return absl::DataLossError("the file ends inside it");
  const engine::Bytes payload = block.subspan(kBlockHeaderBytes, header.payload_bytes);
  RETURN_IF_ERROR(CheckPayload(header, payload));
  if (header.kind == BlockKind::kData) {
    RETURN_IF_ERROR(decoder_.Decode(header, payload, decoded_));
  }
  header_ = header;
  position_ = PositionAfter(header);
  offset_ += StoredBytes(header);
  return absl::OkStatus();
}

std::span<const Row> SegmentCursor::rows() const {
  return header_.kind == BlockKind::kData ? decoded_.rows() : std::span<const Row>();
}

std::span<const AttachmentView> SegmentCursor::attachments() const {
  return header_.kind == BlockKind::kData ? decoded_.attachments()
                                          : std::span<const AttachmentView>();
}

}  // namespace journal
