// Decodes the messages of an ITCH file or pipe, plain or gzipped, in chunks of any size.
//
//   chunks ──► gunzip (if it begins like gzip) ──► frames ──► messages

#ifndef ENGINE_WIRE_ITCH_STREAM_READER_H_
#define ENGINE_WIRE_ITCH_STREAM_READER_H_

#include <cstddef>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/wire/gzip.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/messages.h"

namespace engine {

// Sans-I/O. Not thread-safe: owned by the reader of the stream. Failure is sticky.
//
//   while (chunk = read the input) {
//     reader.Feed(chunk);
//     while (true) { ASSIGN_OR_RETURN(const bool more, reader.Next(message)); if (!more) break; … }
//   }
//   reader.Finish()
class ItchStreamReader {
 public:
  // `chunk` stays valid until Next returns false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Takes the next message. Returns false if the chunk is used up.
  // Errors: those of ItchFrameReader and GzipReader; INVALID_ARGUMENT with offset and number if a
  // field is invalid (ParseItchMessage).
  absl::StatusOr<bool> Next(ItchMessage& message);

  // Call at the end of the input.
  // Errors: DATA_LOSS if it ends inside a message or inside compressed data.
  absl::Status Finish();

  bool is_gzip() const { return gzip_ != nullptr; }

 private:
  void Begin();
  absl::StatusOr<bool> Take(ItchMessage& message);

  std::vector<std::byte> beginning_;  // Copied until there is enough to detect gzip.
  bool began_ = false;                // Whether there was enough.
  std::unique_ptr<GzipReader> gzip_;  // Null for a plain stream.
  std::vector<std::byte> plain_;      // The output of gzip_; kept for reuse.
  ItchFrameReader frames_;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_STREAM_READER_H_
