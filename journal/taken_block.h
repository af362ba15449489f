// A block that a reader takes from its file in order, and that another thread decodes.
//
//   Reader::TakeBlock ─► header, payload as stored ─► Decode ─► records
//     in order, on one thread, cheap                  in any order, on any thread

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

// A thread's working memory for decoding. Not thread-safe: owned by one thread, which reuses it.
using DecodingRoom = BlockDecoder;
// Not thread-safe: one thread at a time fills, decodes or uses it. Reuses its memory.
class TakenBlock {
 public:
  // For Reader: copies the payload of the block that `entry` describes. Decode() leaves out records
  // before `first`.
  void Fill(std::string_view file_name, const BlockEntry& entry, const BlockHeader& header,
            engine::Bytes payload, engine::SequenceNumber first);

  // Returns its records, valid until the next Fill(). `room` belongs to the calling thread. Errors:
  // DATA_LOSS, UNIMPLEMENTED, as Reader::Next() for a block's content.
  absl::StatusOr<Batch> Decode(DecodingRoom& room);

 private:
  std::string file_name_;
  BlockEntry entry_;
  BlockHeader header_;
  engine::SequenceNumber first_;
  AlignedBuffer payload_{kRowsOffset};  // As stored; uncompressed rows are used in place.
  DecodedBlock decoded_;
};

// Returns `error` with the file, block, offset and sequences of `entry` in front of its message.
absl::Status AtBlock(std::string_view file_name, const BlockEntry& entry,
                     const absl::Status& error);

}  // namespace journal

#endif  // JOURNAL_TAKEN_BLOCK_H_
