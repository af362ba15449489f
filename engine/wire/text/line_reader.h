// Splits a stream of text, in chunks of any size, into lines.
//
// A line ends at a line feed; a carriage return before it is part of the ending. The last line
// needs no ending. Lines are numbered from 1. A line of more than kTextLineBytesMax bytes is
// reported as too long, once, and skipped up to its end.

#ifndef ENGINE_WIRE_TEXT_LINE_READER_H_
#define ENGINE_WIRE_TEXT_LINE_READER_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

// Without its ending.
inline constexpr size_t kTextLineBytesMax = 512;

struct TextLine {
  uint64_t number = 0;
  absl::string_view text;  // Without its ending; empty if too long. Valid until the next call.
  bool is_too_long = false;
};

// Sans-I/O: feed a chunk, take lines until there is none, feed the next. Never allocates. Not
// thread-safe: owned by the reader of the stream.
class LineReader {
 public:
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

  absl::string_view rest_;  // The unread part of the chunk.

  // The line that began in an earlier chunk, with room for a carriage return after the longest
  // line.
  std::array<char, kTextLineBytesMax + 1> gathered_;
  size_t gathered_bytes_ = 0;
  bool is_gathering_ = false;
  bool is_too_long_ = false;

  uint64_t line_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_LINE_READER_H_
