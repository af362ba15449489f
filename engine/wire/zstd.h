// Compresses and decompresses a zstd stream (RFC 8878) in chunks of any size.

#ifndef ENGINE_WIRE_ZSTD_H_
#define ENGINE_WIRE_ZSTD_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace engine {

// The number of bytes that LooksLikeZstd needs.
inline constexpr size_t kZstdMagicBytes = 4;

// Whether a stream with this beginning is zstd; a frame to be skipped may be its first. False if
// there are too few bytes to tell.
bool LooksLikeZstd(Bytes beginning);

// Not thread-safe: owned by the reader of the stream. Sans-I/O: feed a chunk, read until it is used
// up, feed the next. Failure is sticky. A window of more than 128 MiB is refused.
class ZstdReader {
 public:
  ZstdReader();

  // `chunk` stays valid until Read has returned 0. REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Fills the beginning of `out`, which is not empty. Returns the number of bytes, or 0 if the
  // chunk is used up. Errors: DATA_LOSS with the offset in the compressed stream if it is damaged.
  absl::StatusOr<size_t> Read(MutableBytes out);

  // Call at the end of the compressed stream. Errors: DATA_LOSS if it ends inside a frame or before
  // the first.
  absl::Status Finish();

 private:
  absl::Status Refuse(const char* what);

  std::unique_ptr<ZSTD_DCtx_s, size_t (*)(ZSTD_DCtx_s*)> context_;
  Bytes chunk_;  // What is left of it.
  uint64_t offset_ = 0;
  bool inside_frame_ = true;  // Before the first, too.
  bool has_more_ = false;     // The last output was full: more may come without input.
  absl::Status status_;       // Sticky; see the class comment.
};

// Not thread-safe: owned by the writer of the stream. Appends compressed bytes to `out` as they
// come; Finish() ends the stream.
class ZstdWriter {
 public:
  ZstdWriter();

  void Write(absl::string_view plain, std::string& out);
  void Finish(std::string& out);

 private:
  std::unique_ptr<ZSTD_CCtx_s, size_t (*)(ZSTD_CCtx_s*)> context_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_ZSTD_H_
