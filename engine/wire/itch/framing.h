// Splits a length-framed ITCH stream, in chunks of any size, into messages.
//
//   ┌────────────────┬──────────────────────┐
//   │ length         │ message              │  length: big-endian, 2 bytes, without itself
//   │ 00 24          │ 41 …                 │
//   └────────────────┴──────────────────────┘
//
// A frame of length zero may end the session, as the last frame of the stream (NASDAQ's
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
  uint64_t number = 0;  // The message's number in the stream, from 1.
  uint64_t offset = 0;  // The stream offset of the first byte of its length.
  Bytes message;        // Of a known type and of that type's size. Valid until the next call.
};

// Sans-I/O: feed a chunk, take frames until there is none, feed the next. Allocates only for
// errors. Not thread-safe: owned by the reader of the stream.
//
// Failure is sticky: after the first error the frame boundaries are lost, so every call returns the
// same error, and further input is ignored.
class ItchFrameReader {
 public:
  // `chunk` stays valid until Next returns false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Takes the next frame. Returns false if the chunk is used up.
  // Errors: INVALID_ARGUMENT with the byte offset, the message number and what was expected: for an
  // unknown type, a length that is not the type's, or a zero length before the end of the stream.
  absl::StatusOr<bool> Next(ItchFrame& frame);

  // Call at the end of the stream.
  // Errors: DATA_LOSS if the stream ends inside a frame.
  absl::Status Finish();

 private:
  static constexpr size_t kLengthBytes = 2;

  // The number of bytes needed to proceed with the frame that begins with `begun`.
  absl::StatusOr<size_t> BytesNeeded(Bytes begun);
  uint64_t FrameOffset() const { return chunk_offset_ + used_ - gathered_bytes_; }
  absl::Status Refuse(absl::string_view what);

  Bytes chunk_;
  size_t used_ = 0;            // Bytes of chunk_ that are used.
  uint64_t chunk_offset_ = 0;  // The stream offset of chunk_.

  // A frame that began in an earlier chunk.
  std::array<std::byte, kLengthBytes + kItchMessageBytesMax> gathered_;
  size_t gathered_bytes_ = 0;

  uint64_t message_count_ = 0;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_FRAMING_H_
