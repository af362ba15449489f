// Reads a file through a buffer, so that one system call reads several neighbouring blocks.

#ifndef JOURNAL_RECOVERY_FILE_WINDOW_H_
#define JOURNAL_RECOVERY_FILE_WINDOW_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "journal/format/aligned_buffer.h"
#include "journal/format/block_codec.h"
#include "journal/storage/storage.h"

namespace journal {

// Not thread-safe: owned by its caller. `file` outlives it.
class FileWindow {
 public:
  static constexpr size_t kWindowBytes = 512 << 10;

  // One system call reads `window_bytes`, or more if a block is longer.
  explicit FileWindow(const File& file, size_t window_bytes = kWindowBytes)
      : file_(file), window_bytes_(window_bytes) {}

  // Returns `bytes` bytes from `offset` on, or fewer if the file ends; valid until the next call.
  // If a call starts reading at a block, the block's payload is aligned to 8 and its rows to 64.
  absl::StatusOr<engine::Bytes> At(uint64_t offset, size_t bytes) {
    const bool inside = offset >= begin_ && offset - begin_ <= filled_bytes_ &&
                        bytes <= filled_bytes_ - (offset - begin_);
    if (!inside) {
      const size_t wanted = std::max(bytes, window_bytes_);
      buffer_.Reserve(wanted);
      filled_bytes_ = 0;
      ASSIGN_OR_RETURN(filled_bytes_, file_.Read(offset, buffer_.first(wanted)));
      begin_ = offset;
    }
    const size_t skip = offset - begin_;
    return buffer_.first(filled_bytes_).subspan(skip, std::min(bytes, filled_bytes_ - skip));
  }

  // Makes the next call read the file again, because it may have changed.
  void Forget() { filled_bytes_ = begin_ = 0; }

 private:
  const File& file_;
  const size_t window_bytes_;
  AlignedBuffer buffer_{kRowsOffsetInBlock};
  uint64_t begin_ = 0;
  size_t filled_bytes_ = 0;
};

}  // namespace journal

#endif  // JOURNAL_RECOVERY_FILE_WINDOW_H_
