#include "tools/cli/har/spool.h"

#include <unistd.h>

#include <cerrno>

namespace tools {
namespace {

// Of each text in memory.
constexpr size_t kEndBytesMax = size_t{64} << 10;

}  // namespace

void Spool::Append(absl::string_view bytes, Text& text) {
  text.end.append(bytes.data(), bytes.size());
  if (text.end.size() > kEndBytesMax) Move(text);
}

void Spool::Move(Text& text) {
  if (file_ == nullptr && status_.ok()) {
    file_.reset(std::tmpfile());
    if (file_ == nullptr) Fail();
  }
  const int64_t offset = size_;
  for (absl::string_view left = text.end; !left.empty() && status_.ok();) {
    const ssize_t count = pwrite(fileno(file_.get()), left.data(), left.size(), size_);
    if (count <= 0) {
      Fail();
      break;
    }
    size_ += count;
    left.remove_prefix(static_cast<size_t>(count));
  }
  text.pieces.push_back({.offset = offset, .size = text.end.size()});
  text.end = std::string();
}

void Spool::Fail() {
  status_ = absl::ErrnoToStatus(errno, "a temporary file for the messages of WebSocket sessions");
}

absl::Status Spool::Read(const Text& text, absl::FunctionRef<void(absl::string_view)> visit) {
  std::string bytes;
  for (const Text::Piece& piece : text.pieces) {
    bytes.resize(piece.size);
    for (size_t at = 0; at < bytes.size() && status_.ok();) {
      const ssize_t count = pread(fileno(file_.get()), bytes.data() + at, bytes.size() - at,
                                  piece.offset + static_cast<int64_t>(at));
      if (count <= 0) {
        Fail();
        break;
      }
      at += static_cast<size_t>(count);
    }
    if (!status_.ok()) return status_;
    visit(bytes);
  }
  visit(text.end);
  return status_;
}

}  // namespace tools
