// A temporary file for texts that grow next to each other and are read one after the other. It has
// no name, and ends with its owner.

#ifndef TOOLS_CLI_HAR_SPOOL_H_
#define TOOLS_CLI_HAR_SPOOL_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace tools {

// Not thread-safe. The file is made when it is needed.
class Spool {
 public:
  // A text: its pieces in the file, and its end in memory.
  struct Text {
    struct Piece {
      int64_t offset = 0;
      uint64_t size = 0;
    };
    std::vector<Piece> pieces;
    std::string end;
  };

  // Errors are sticky, and reported by Read(): the system's.
  void Append(absl::string_view bytes, Text& text);

  absl::Status Read(const Text& text, absl::FunctionRef<void(absl::string_view)> visit);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  void Move(Text& text);
  void Fail();

  std::unique_ptr<std::FILE, Close> file_;
  int64_t size_ = 0;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_HAR_SPOOL_H_
