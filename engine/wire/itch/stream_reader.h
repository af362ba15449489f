// Decodes the messages of an ITCH file or pipe, plain or compressed, in chunks of any size.
//
//   chunks ──► decompress, if compressed ──────────────────────► frames ──► messages
//                                     └──► MoldUDP64, if pcap ──►

#ifndef ENGINE_WIRE_ITCH_STREAM_READER_H_
#define ENGINE_WIRE_ITCH_STREAM_READER_H_

#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/wire/decompressor.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/mold/capture.h"

namespace engine {

// Sans-I/O. Not thread-safe: owned by the reader of the stream. Failure is sticky.
//
//   do {
//     chunk = read the input, empty at its end
//     reader.Feed(chunk);
//     while (true) { ASSIGN_OR_RETURN(const bool more, reader.Next(message)); if (!more) break; … }
//   } while (!chunk.empty());
class ItchStreamReader {
 public:
  // With `allow_gaps`, messages that a capture lacks are counted, and no error.
  explicit ItchStreamReader(bool allow_gaps = false) : allow_gaps_(allow_gaps) {}

  // An empty chunk ends the input. `chunk` stays valid until Next returns false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Takes the next message. Returns false if the chunk is used up.
  // Errors: those of ItchFrameReader, Decompressor and MoldCapture; INVALID_ARGUMENT with offset
  // and number if a field is invalid (ParseItchMessage); DATA_LOSS if the input has ended inside a
  // message.
  absl::StatusOr<bool> Next(ItchMessage& message);

  // How the input is compressed, as Decompressor::format().
  absl::string_view compression() const { return plain_.format(); }
  // Null if the input is no capture, or nothing of it was read yet.
  const MoldCapture* capture() const { return capture_.get(); }

 private:
  absl::StatusOr<bool> Take(ItchMessage& message);
  // An error about a frame, which says what its number and offset count.
  absl::Status Placed(const absl::Status& status) const;
  // The next bytes of frames; empty if the chunk is used up.
  absl::StatusOr<Bytes> TakeFramed();

  const bool allow_gaps_;
  Decompressor plain_;
  bool began_ = false;                    // There was a first byte.
  std::unique_ptr<MoldCapture> capture_;  // Its messages are framed as those of a file.
  bool capture_has_ended_ = false;
  bool has_ended_ = false;
  ItchFrameReader frames_;
  absl::Status status_;  // Sticky; see the class comment.
};

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_STREAM_READER_H_
