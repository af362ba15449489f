// Bytes out of a gzip stream, whatever chunks it arrives in. Knows no protocol.
//
// Source: RFC 1952. Members that stand one behind the other are one stream; zero bytes behind the
// last one are padding.

#ifndef ENGINE_WIRE_GZIP_H_
#define ENGINE_WIRE_GZIP_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace engine {

// How many bytes LooksLikeGzip must see.
inline constexpr size_t kGzipMagicBytes = 2;

// Whether a stream that begins so is gzip. False when there are too few bytes to say.
bool LooksLikeGzip(Bytes beginning);

// Sans-I/O: give it a chunk, read until there is nothing more, give it the next. Not thread-safe:
// owned by whoever reads the stream. Failure is sticky.
class GzipReader {
 public:
  GzipReader();
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // `chunk` stays valid until Read has returned 0.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Fills the beginning of `out`, which is not empty; how many bytes, 0 when the chunk is used up.
  // Errors: DATA_LOSS with the offset in the compressed stream when it is damaged.
  absl::StatusOr<size_t> Read(MutableBytes out);

  // To be called at the end of the compressed stream.
  // Errors: DATA_LOSS when it ends inside a member, or before the first.
  absl::Status Finish();

 private:
  struct Inflater;

  // Bytes of the compressed stream taken so far.
  uint64_t offset() const;
  void SkipPadding();
  absl::Status Refuse(const char* what);

  std::unique_ptr<Inflater> inflater_;
  Bytes chunk_;
  uint64_t chunk_offset_ = 0;
  uint64_t member_count_ = 0;  // Ended so far.
  bool inside_member_ = false;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_GZIP_H_
