// Lines out of a stream of text, whatever chunks it arrives in.
//
// A line ends at a line feed; a carriage return before it belongs to the ending. The last line
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
  absl::string_view text;  // Without its ending; empty when too long. Valid until the next call.
  bool is_too_long = false;
};

// Sans-I/O: give it a chunk, take the lines until there is none, give it the next. Never allocates.
// Not thread-safe: owned by whoever reads the stream.
class LineReader {
 public:
  // `chunk` stays valid until Next has returned false.
  // REQUIRES: the previous chunk is used up.
  void Feed(Bytes chunk);

  // The next line that has ended; false when the chunk is used up.
  bool Next(TextLine& line);

  // To be called at the end of the stream: the line without an ending; false when there is none.
  bool Finish(TextLine& line);

 private:
  // Keeps a piece of a line that has not ended yet.
  void Gather(absl::string_view piece);
  TextLine Emit(absl::string_view text);

  absl::string_view rest_;  // Of the chunk.

  // The line that began in an earlier chunk. Room for a carriage return behind the longest line.
  std::array<char, kTextLineBytesMax + 1> gathered_;
  size_t gathered_bytes_ = 0;
  bool is_gathering_ = false;
  bool is_too_long_ = false;

  uint64_t line_count_ = 0;
};

}  // namespace engine

#endif  // ENGINE_WIRE_TEXT_LINE_READER_H_
