// The plain bytes of a stream that may be compressed, in chunks of any size.
//
//   chunks ──► 1f 8b        gunzip ──► pieces
//              28 b5 2f fd  unzstd ──►
//              else         as it is ─►
//
// The first bytes decide, no name does.

#ifndef ENGINE_WIRE_DECOMPRESSOR_H_
#define ENGINE_WIRE_DECOMPRESSOR_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/gzip.h"
#include "engine/wire/zstd.h"

namespace engine {

// Sans-I/O, in bounded memory. Not thread-safe: owned by the reader of the stream. Failure is
// sticky.
//
//   do {
//     chunk = read the input, empty at its end
//     stream.Feed(chunk);
//     while (true) { ASSIGN_OR_RETURN(const Bytes piece, stream.Next()); if (piece.empty()) break;
//     … }
//   } while (!chunk.empty());
class Decompressor {
 public:
  // An empty chunk ends the stream. `chunk` stays valid until Next has returned an empty piece.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Returns the next piece, valid until the next call; empty if the chunk is used up. Errors:
  // DATA_LOSS with the offset in the compressed stream if it is damaged, or has ended too early.
  absl::StatusOr<Bytes> Next();

  // "gzip" or "zstd"; empty if the stream is not compressed, or too short yet to tell.
  absl::string_view format() const;

 private:
  void Begin();
  absl::StatusOr<size_t> ReadCompressed();

  std::vector<std::byte> beginning_;  // Copied until there is enough to tell.
  bool began_ = false;                // Whether there was enough.
  bool has_ended_ = false;
  Bytes plain_;                       // What is left of a stream that is not compressed.
  std::unique_ptr<GzipReader> gzip_;  // At most one of these two.
  std::unique_ptr<ZstdReader> zstd_;
  std::vector<std::byte> room_;  // For their output.
  absl::Status status_;          // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_DECOMPRESSOR_H_
