// How much space on the medium what is not written yet may come to, at most: before compression,
// which nobody can foresee.
//
//   handed over, not written │ open block, so far │ its overhead, and the next one's
//   └───────────────────────────── Unwritten() ──────────────────────────────────┘  <=  the reserve

#ifndef JOURNAL_SPACE_ACCOUNT_H_
#define JOURNAL_SPACE_ACCOUNT_H_

#include <cstdint>
#include <utility>

#include "engine/base/bytes.h"
#include "journal/format/format.h"
#include "journal/record.h"

namespace journal {

// Not thread-safe: the sequencing half's. Bytes.
class SpaceAccount {
 public:
  static uint64_t BytesOfRecord(engine::Bytes attachment) {
    return sizeof(Row) + (attachment.empty() ? 0 : attachment.size() + kAttachmentOverhead);
  }

  void AddRecord(engine::Bytes attachment) { open_ += BytesOfRecord(attachment); }

  // The open block is handed over, or one without records; what it may come to.
  uint64_t CloseBlock() { return HandOver(std::exchange(open_, 0) + kBlockOverhead); }
  uint64_t AddBlockWithoutRecords() { return HandOver(kBlockOverhead); }

  // `freed`: of what was handed over, what has been written. Twice the overhead: the open block may
  // be closed before the next record comes.
  uint64_t Unwritten(uint64_t freed) const {
    return handed_over_ - freed + open_ + 2 * kBlockOverhead;
  }

 private:
  static constexpr uint64_t kAttachmentOverhead = 3 * 8;
  // Header, head, padding, and a heartbeat behind it.
  static constexpr uint64_t kBlockOverhead = 3 * kAlignment;

  uint64_t HandOver(uint64_t bytes) {
    handed_over_ += bytes;
    return bytes;
  }

  uint64_t open_ = 0;
  uint64_t handed_over_ = 0;  // In all.
};

}  // namespace journal

#endif  // JOURNAL_SPACE_ACCOUNT_H_
