// The lines of text that arrives in chunks.
//
//   lines.Add(chunk);
//   while (const auto line = lines.Next()) …

#ifndef TOOLS_CLI_RECORD_CHUNK_LINES_H_
#define TOOLS_CLI_RECORD_CHUNK_LINES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace tools {

// Not thread-safe: owned by an import.
class ChunkLines {
 public:
  // `bytes_max`: of a line without its end.
  explicit ChunkLines(size_t bytes_max) : bytes_max_(bytes_max) {}

  // Adds the next chunk, an empty one at the end of the text, which ends a last line without an
  // end. The chunk outlives the calls of Next(), and all of its lines are taken before another one
  // is added.
  void Add(engine::Bytes chunk);

  // The next line without its end, "\n" or "\r\n"; nullopt if it needs another chunk, at the end of
  // the text, and at a line that is too long. Valid until the next call of a member.
  std::optional<absl::string_view> Next();

  // Of the line that Next() returned last, from 1.
  uint64_t number() const { return number_; }
  // Whether the line after that one has more than `bytes_max` bytes.
  bool is_too_long() const { return is_too_long_; }

 private:
  const size_t bytes_max_;
  absl::string_view chunk_;  // What is left of it.
  std::string begun_;        // The beginning of a line, from earlier chunks.
  bool has_ended_ = false;
  bool is_begun_taken_ = false;  // Next() returned it.
  bool is_too_long_ = false;
  uint64_t number_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_CHUNK_LINES_H_
