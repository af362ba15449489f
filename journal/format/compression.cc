#include "journal/format/compression.h"

#include <zstd.h>

#include "absl/strings/str_cat.h"
#include "engine/base/check.h"

namespace journal {

Compressor::Compressor(int level) : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  CHECK(context_ != nullptr);
  const auto set = [this](ZSTD_cParameter parameter, int value) {
    CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(context_.get(), parameter, value)) == 0);
  };
  set(ZSTD_c_compressionLevel, level);
  set(ZSTD_c_checksumFlag, 0);
  set(ZSTD_c_contentSizeFlag, 1);
}

std::optional<size_t> Compressor::Compress(engine::Bytes from, engine::MutableBytes to) {
  const size_t bytes =
      ZSTD_compress2(context_.get(), to.data(), to.size(), from.data(), from.size());
  if (ZSTD_isError(bytes) != 0) return std::nullopt;
  return bytes;
}

Decompressor::Decompressor() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  CHECK(context_ != nullptr);
}

absl::Status Decompressor::Decompress(engine::Bytes frame, engine::MutableBytes to) {
  const unsigned long long content_bytes = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (content_bytes != to.size()) {
    return absl::DataLossError(
        absl::StrCat("zstd frame does not state the ", to.size(), " bytes expected of it"));
  }
  const size_t bytes =
      ZSTD_decompressDCtx(context_.get(), to.data(), to.size(), frame.data(), frame.size());
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
