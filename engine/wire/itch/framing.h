// Messages out of a length-framed ITCH stream, whatever chunks it arrives in.
//
//   ┌────────────────┬──────────────────────┐
//   │ length         │ message              │  length: big-endian, 2 bytes, without itself
//   │ 00 24          │ 41 …                 │
//   └────────────────┴──────────────────────┘
//
// A frame of length zero may end the session, as the very last thing in the stream (NASDAQ's
// BinaryFILE). Specified in PROTOCOL.md.

#ifndef ENGINE_WIRE_ITCH_FRAMING_H_
#define ENGINE_WIRE_ITCH_FRAMING_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/itch/message_type.h"

namespace engine {

struct ItchFrame {
  uint64_t number = 0;  // Of the message in the stream, from 1.
  uint64_t offset = 0;  // In the stream, of the first byte of its length.
  Bytes message;        // Type known, size that of its type. Valid until the next call.
};

// Sans-I/O: give it a chunk, take the frames until there is none, give it the next. Allocates only
// for errors. Not thread-safe: owned by whoever reads the stream.
//
// Failure is sticky: after the first error the frames have lost their beginnings, so every call
// returns that same error, and what is fed is not looked at.
class ItchFrameReader {
 public:
  // `chunk` stays valid until Next has said that it needs more.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // The next frame; false when the chunk is used up.
  // Errors: INVALID_ARGUMENT with the byte offset, the number of the message and what was expected:
  // a type that does not exist, a length that is not the type's, a zero length that ends nothing.
  absl::StatusOr<bool> Next(ItchFrame& frame);

  // To be called at the end of the stream.
  // Errors: DATA_LOSS when the stream ends inside a frame; pending_bytes() of it were there.
  absl::Status Finish();

  // Of the frame that has begun and not ended; after an error of Finish, the truncated tail.
  size_t pending_bytes() const { return gathered_bytes_; }
  uint64_t message_count() const { return message_count_; }

 private:
  static constexpr size_t kLengthBytes = 2;

  // How many bytes of the frame that begins with `begun` are needed to go on.
  absl::StatusOr<size_t> BytesNeeded(Bytes begun);
  uint64_t FrameOffset() const { return chunk_offset_ + used_ - gathered_bytes_; }
  absl::Status Refuse(absl::string_view what);

  Bytes chunk_;
  size_t used_ = 0;            // Of chunk_.
  uint64_t chunk_offset_ = 0;  // Of chunk_ in the stream.

  // A frame that began in an earlier chunk.
  std::array<std::byte, kLengthBytes + kItchMessageBytesMax> gathered_;
  size_t gathered_bytes_ = 0;

  uint64_t message_count_ = 0;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_FRAMING_H_
