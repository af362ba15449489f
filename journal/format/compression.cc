#include "journal/format/compression.h"

#include <zstd.h>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace journal {

struct Compressor::Context {
  ZSTD_CCtx* zstd = ZSTD_createCCtx();
  ~Context() { ZSTD_freeCCtx(zstd); }
};

Compressor::Compressor(int level) : context_(std::make_unique<Context>()) {
  CHECK(context_->zstd != nullptr);
  const auto set = [this](ZSTD_cParameter parameter, int value) {
    CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(context_->zstd, parameter, value)) == 0);
  };
  set(ZSTD_c_compressionLevel, level);
  set(ZSTD_c_checksumFlag, 0);
  set(ZSTD_c_contentSizeFlag, 1);
}

Compressor::~Compressor() = default;

std::optional<size_t> Compressor::Compress(engine::Bytes from, engine::MutableBytes to) {
  const size_t bytes =
      ZSTD_compress2(context_->zstd, to.data(), to.size(), from.data(), from.size());
  if (ZSTD_isError(bytes) != 0) return std::nullopt;
  return bytes;
}

struct Decompressor::Context {
  ZSTD_DCtx* zstd = ZSTD_createDCtx();
  ~Context() { ZSTD_freeDCtx(zstd); }
};

Decompressor::Decompressor() : context_(std::make_unique<Context>()) {
  CHECK(context_->zstd != nullptr);
}

Decompressor::~Decompressor() = default;

absl::Status Decompressor::Decompress(engine::Bytes frame, engine::MutableBytes to) {
  const unsigned long long content_bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (content_bytes != to.size()) {
    return absl::DataLossError(
        absl::StrCat("zstd frame does not state the ", to.size(), " bytes expected of it"));
  }
  const size_t bytes =
      ZSTD_decompressDCtx(context_->zstd, to.data(), to.size(), frame.data(), frame.size());
  if (ZSTD_isError(bytes) != 0) {
    return absl::DataLossError(absl::StrCat("zstd: ", ZSTD_getErrorName(bytes)));
  }
  if (bytes != to.size()) {
    return absl::DataLossError(
        absl::StrCat("zstd frame holds ", bytes, " bytes, expected ", to.size()));
  }
  return absl::OkStatus();
}

}  // namespace journal
