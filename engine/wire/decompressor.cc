#include "engine/wire/decompressor.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace engine {
namespace {

constexpr size_t kMagicBytes = std::max(kGzipMagicBytes, kZstdMagicBytes);
constexpr size_t kRoomBytes = 256 << 10;

}  // namespace

void Decompressor::Feed(Bytes chunk) {
  if (!status_.ok()) return;
  CHECK(!has_ended_);
  has_ended_ = chunk.empty();
  if (!began_) {
    beginning_.insert(beginning_.end(), chunk.begin(), chunk.end());
    if (beginning_.size() < kMagicBytes && !has_ended_) return;
    Begin();
    chunk = beginning_;
  } else if (has_ended_) {
    return;
  }
  if (gzip_ != nullptr) {
    gzip_->Feed(chunk);
  } else if (zstd_ != nullptr) {
    zstd_->Feed(chunk);
  } else {
    CHECK(plain_.empty());
    plain_ = chunk;
  }
}

absl::StatusOr<Bytes> Decompressor::Next() {
  RETURN_IF_ERROR(status_);
  if (room_.empty()) return std::exchange(plain_, Bytes());
  const absl::StatusOr<size_t> count = ReadCompressed();
  status_ = count.status();
  RETURN_IF_ERROR(status_);
  return Bytes(room_).first(*count);
}

absl::string_view Decompressor::format() const {
  return gzip_ != nullptr ? "gzip" : zstd_ != nullptr ? "zstd" : "";
}

void Decompressor::Begin() {
  began_ = true;
  if (LooksLikeGzip(beginning_)) {
    gzip_ = std::make_unique<GzipReader>();
  } else if (LooksLikeZstd(beginning_)) {
    zstd_ = std::make_unique<ZstdReader>();
  } else {
    return;
  }
  room_.resize(kRoomBytes);
}

absl::StatusOr<size_t> Decompressor::ReadCompressed() {
  ASSIGN_OR_RETURN(const size_t count, gzip_ != nullptr ? gzip_->Read(room_) : zstd_->Read(room_));
  if (count == 0 && has_ended_) {
    RETURN_IF_ERROR(gzip_ != nullptr ? gzip_->Finish() : zstd_->Finish());
  }
  return count;
}

}  // namespace engine
