// Compresses and decompresses a gzip stream in chunks of any size. Independent of the protocol
// inside.
//
// Source: RFC 1952. Consecutive members form one stream; zero bytes after the last member are
// padding.

#ifndef ENGINE_WIRE_GZIP_H_
#define ENGINE_WIRE_GZIP_H_

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// The number of bytes that LooksLikeGzip needs.
inline constexpr size_t kGzipMagicBytes = 2;

// Whether a stream with this beginning is gzip. False if there are too few bytes to tell.
bool LooksLikeGzip(Bytes beginning);

// Sans-I/O: feed a chunk, read until it is used up, feed the next. Not thread-safe: owned by the
// reader of the stream. Failure is sticky.
class GzipReader {
 public:
  GzipReader();
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // `chunk` stays valid until Read has returned 0.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Fills the beginning of `out`, which is not empty. Returns the number of bytes, or 0 if the
  // chunk is used up. Errors: DATA_LOSS with the offset in the compressed stream if it is damaged.
  absl::StatusOr<size_t> Read(MutableBytes out);

  // Call at the end of the compressed stream. Errors: DATA_LOSS if it ends inside a member or
  // before the first.
  absl::Status Finish();

 private:
  // The number of bytes of the compressed stream consumed so far.
  uint64_t offset() const;
  void SkipPadding();
  absl::Status Refuse(const char* what);

  z_stream stream_ = {};
  Bytes chunk_;
  uint64_t chunk_offset_ = 0;
  uint64_t member_count_ = 0;  // Members that have ended.
  bool inside_member_ = false;
  absl::Status status_;  // Sticky; see the class comment.
};

// Not thread-safe: owned by the writer of the stream. Appends compressed bytes to `out` as they
// come; Finish() ends the stream. The bytes are a function of the text.
class GzipWriter {
 public:
  GzipWriter();
  ~GzipWriter();
  GzipWriter(const GzipWriter&) = delete;
  GzipWriter& operator=(const GzipWriter&) = delete;

  void Write(absl::string_view plain, std::string& out);
  void Finish(std::string& out);

 private:
  void Compress(absl::string_view plain, int flush, std::string& out);

  z_stream stream_ = {};
};

}  // namespace engine

#endif  // ENGINE_WIRE_GZIP_H_
