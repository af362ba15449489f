// zstd, one frame at a time. FORMAT.md, section 5.
//
// Our hash covers the frame, so zstd's own checksum is off; the frame states its content size, and
// a frame that does not decode to exactly that many bytes is damaged.

#ifndef JOURNAL_FORMAT_COMPRESSION_H_
#define JOURNAL_FORMAT_COMPRESSION_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/status.h"
#include "engine/base/bytes.h"

namespace journal {

// Not thread-safe: owned by its user. Keeps its working memory.
class Compressor {
 public:
  explicit Compressor(int level);
  ~Compressor();

  // Compresses `from` into `to`; the frame's bytes, or nothing when it does not fit.
  std::optional<size_t> Compress(engine::Bytes from, engine::MutableBytes to);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// Not thread-safe: owned by its user. Keeps its working memory.
class Decompressor {
 public:
  Decompressor();
  ~Decompressor();

  // Fills `to` exactly. Errors: DATA_LOSS.
  absl::Status Decompress(engine::Bytes frame, engine::MutableBytes to);

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

}  // namespace journal

#endif  // JOURNAL_FORMAT_COMPRESSION_H_
