// Splits a stream of text, in chunks of any size, into lines.
//
// A line ends at a line feed; a carriage return before it is part of the ending. The last line
// needs no ending. Lines are numbered from 1. A line of more bytes than the reader's limit is
// reported as too long, once, and skipped up to its end.

#ifndef ENGINE_WIRE_TEXT_LINE_READER_H_
#define ENGINE_WIRE_TEXT_LINE_READER_H_

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// Of the text protocol, without its ending.
inline constexpr size_t kTextLineBytesMax = 512;

struct TextLine {
  uint64_t number = 0;
  absl::string_view text;  // Without its ending; empty if too long. Valid until the next call.
  bool is_too_long = false;
};

// Sans-I/O: feed a chunk, take lines until there is none, feed the next. Allocates only when a line
// that is cut is longer than all before. Not thread-safe: owned by the reader of the stream.
class LineReader {
 public:
  explicit LineReader(size_t line_bytes_max = kTextLineBytesMax)
      : line_bytes_max_(line_bytes_max) {}

  // `chunk` stays valid until Next has returned false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // Takes the next complete line. Returns false if the chunk is used up.
  bool Next(TextLine& line);

  // Call at the end of the stream. Takes the last line if it has no ending; returns false if there
  // is none.
  bool Finish(TextLine& line);

 private:
  // Copies a piece of a line that has not ended yet.
  void Gather(absl::string_view piece);
  TextLine Emit(absl::string_view text);

  const size_t line_bytes_max_;  // Without its ending.
  absl::string_view rest_;       // The unread part of the chunk.

  // The line that began in an earlier chunk; at most the longest line and a carriage return.
  std::string gathered_;
  bool is_gathering_ = false;
  bool is_too_long_ = false;

  uint64_t line_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_LINE_READER_H_
