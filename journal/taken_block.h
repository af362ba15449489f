// A block on its way from its file to its records: a reader takes it, in order, and whoever has
// time decodes it.
//
//   Reader::TakeBlock ─► header, payload as stored ─► Decode ─► records
//     one after the other, cheap                      in any order, on any thread

#ifndef JOURNAL_TAKEN_BLOCK_H_
#define JOURNAL_TAKEN_BLOCK_H_

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/format/block_header.h"
#include "journal/format/segment_index.h"
#include "journal/record.h"

namespace journal {

// What a thread decodes blocks with. Not thread-safe. Keeps its memory.
class DecodingRoom {
 private:
  friend class TakenBlock;
  BlockDecoder decoder_;
};

// Not thread-safe: one thread at a time fills, decodes or uses it. Keeps its memory.
class TakenBlock {
 public:
  // For a reader: the block that `entry` describes, and its payload, which is copied; records
  // before `first` are not wanted.
  void Fill(std::string_view file_name, const BlockEntry& entry, const BlockHeader& header,
            engine::Bytes payload, engine::SequenceNumber first);

  // Its records; `room` is this thread's. Valid until it is filled again. Errors: those that
  // Reader::Next() has about what a block holds.
  absl::StatusOr<Batch> Decode(DecodingRoom& room);

 private:
  std::string file_name_;
  BlockEntry entry_;
  BlockHeader header_;
  engine::SequenceNumber first_;
  AlignedBuffer payload_{kRowsOffset};  // As stored; rows that are not compressed are used here.
  DecodedBlock decoded_;
};

// What is wrong with the block that `entry` describes, saying which it is.
absl::Status AtBlock(std::string_view file_name, const BlockEntry& entry,
                     const absl::Status& error);

}  // namespace journal

#endif  // JOURNAL_TAKEN_BLOCK_H_
