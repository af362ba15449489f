#include "journal/recovery/file_window.h"

#include <algorithm>

#include "engine/base/status_macros.h"

namespace journal {

absl::StatusOr<engine::Bytes> FileWindow::At(uint64_t offset, size_t bytes) {
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

}  // namespace journal
