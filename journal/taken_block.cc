#include "journal/taken_block.h"

#include <cstring>
#include <utility>

#include "absl/strings/str_format.h"

namespace journal {

void TakenBlock::Fill(std::string_view file_name, const BlockEntry& entry,
                      const BlockHeader& header, engine::Bytes payload,
                      engine::SequenceNumber first) {
  file_name_ = file_name;
  entry_ = entry;
  header_ = header;
  first_ = first;
  payload_.Reserve(payload.size());
  std::memcpy(payload_.data(), payload.data(), payload.size());
}

absl::StatusOr<Batch> TakenBlock::Decode(DecodingRoom& room) {
  const engine::Bytes payload = std::as_const(payload_).first(header_.payload_bytes);
  absl::Status status = CheckPayload(header_, payload);
  if (status.ok()) status = room.Decode(header_, payload, decoded_);
  if (!status.ok()) return AtBlock(file_name_, entry_, status);
  const Batch all = decoded_.records();
  const engine::SequenceNumber begin = all.rows.front().sequence;
  return first_ <= begin ? all : all.Part(first_ - begin);
}

absl::Status AtBlock(std::string_view file_name, const BlockEntry& entry,
                     const absl::Status& error) {
  return {error.code(), absl::StrFormat("%s: block %d at 0x%x, sequences %d..%d: %s", file_name,
                                        entry.number, entry.offset, entry.first_sequence.value(),
                                        entry.next_sequence().value() - 1, error.message())};
}

}  // namespace journal
