#include "engine/wire/itch/stream_reader.h"

#include "engine/base/status_macros.h"
#include "engine/wire/itch/parser.h"

namespace engine {
namespace {

constexpr size_t kPlainBytes = 256 << 10;

}  // namespace

void ItchStreamReader::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  if (!began_) {
    beginning_.insert(beginning_.end(), chunk.begin(), chunk.end());
    if (beginning_.size() >= kGzipMagicBytes) Begin();
  } else if (gzip_ != nullptr) {
    gzip_->Feed(chunk);
  } else {
    frames_.Feed(chunk);
  }
}

absl::StatusOr<bool> ItchStreamReader::Next(ItchMessage& message) {
  RETURN_IF_ERROR(status_);
  absl::StatusOr<bool> has_message = Take(message);
  status_ = has_message.status();
  return has_message;
}

absl::StatusOr<bool> ItchStreamReader::Take(ItchMessage& message) {
  ItchFrame frame;
  while (true) {
    ASSIGN_OR_RETURN(const bool has_frame, frames_.Next(frame));
    if (has_frame) break;
    if (gzip_ == nullptr) return false;
    ASSIGN_OR_RETURN(const size_t plain_bytes, gzip_->Read(plain_));
    if (plain_bytes == 0) return false;
    frames_.Feed(Bytes(plain_.data(), plain_bytes));
  }
  ASSIGN_OR_RETURN(message, ParseItchMessage(frame));
  return true;
}

absl::Status ItchStreamReader::Finish() {
  RETURN_IF_ERROR(status_);
  if (!began_) {
    Begin();
    ItchFrame none;
    RETURN_IF_ERROR(frames_.Next(none).status());
  }
  if (gzip_ != nullptr) RETURN_IF_ERROR(gzip_->Finish());
  return frames_.Finish();
}

void ItchStreamReader::Begin() {
  began_ = true;
  if (!LooksLikeGzip(beginning_)) {
    frames_.Feed(beginning_);
    return;
  }
  gzip_ = std::make_unique<GzipReader>();
  plain_.resize(kPlainBytes);
  gzip_->Feed(beginning_);
}

}  // namespace engine
