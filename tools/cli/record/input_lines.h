// The lines of a file, which may be compressed.

#ifndef TOOLS_CLI_RECORD_INPUT_LINES_H_
#define TOOLS_CLI_RECORD_INPUT_LINES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/wire/decompressor.h"
#include "tools/os/input.h"

namespace tools {

// Not thread-safe: owned by its reader.
class InputLines {
 public:
  static constexpr size_t kLineBytesMax = 1 << 20;

  explicit InputLines(std::unique_ptr<Input> input) : input_(std::move(input)) {}

  // Sets `line` to the next line, without its end. Returns false at the end of the file. Errors:
  // those of Input, and DATA_LOSS with name and place for damaged compression and for a line that
  // is too long.
  absl::StatusOr<bool> Next(std::string& line);

  const std::string& name() const { return input_->name(); }
  uint64_t line_number() const { return line_number_; }  // Of the last line, from 1.

 private:
  const std::unique_ptr<Input> input_;
  engine::Decompressor plain_;
  absl::string_view piece_;  // What is left of it.
  bool has_ended_ = false;
  uint64_t line_number_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_INPUT_LINES_H_
