// zstd, one frame at a time. FORMAT.md, section 5.
//
// zstd's own checksum is off, because the payload hash covers the frame. The frame states its
// content size, and a frame that does not decode to exactly that many bytes is damaged.

#ifndef JOURNAL_FORMAT_COMPRESSION_H_
#define JOURNAL_FORMAT_COMPRESSION_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/bytes.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace journal {

// Not thread-safe: owned by its caller. Reuses its working memory.
class Compressor {
 public:
  explicit Compressor(int level);

  // Compresses `from` into `to`. Returns the length of the frame; nothing if it does not fit.
  std::optional<size_t> Compress(engine::Bytes from, engine::MutableBytes to);

 private:
  std::unique_ptr<ZSTD_CCtx_s, size_t (*)(ZSTD_CCtx_s*)> context_;
};

// Not thread-safe: owned by its caller. Reuses its working memory.
class Decompressor {
 public:
  Decompressor();

  // Decompresses `frame` into `to`. Errors: DATA_LOSS (not a frame of exactly to.size() bytes).
  absl::Status Decompress(engine::Bytes frame, engine::MutableBytes to);

 private:
  std::unique_ptr<ZSTD_DCtx_s, size_t (*)(ZSTD_DCtx_s*)> context_;
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_COMPRESSION_H_
