// Bytes from a file, a pipe or standard input, as they come.

#ifndef TOOLS_OS_INPUT_H_
#define TOOLS_OS_INPUT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// Not thread-safe: owned by whoever reads.
class Input {
 public:
  // "-" is standard input. Errors: NOT_FOUND and others, naming the path and the reason.
  static absl::StatusOr<std::unique_ptr<Input>> Open(const std::string& path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // The next bytes, at least one, as many as there are now; empty at the end. Valid until the next
  // call. Blocks until something comes.
  absl::StatusOr<engine::Bytes> Read();

  // Whether Read() would return at once, within so many milliseconds: more is waiting, or the end
  // has come.
  bool IsReady(int millis = 0) const;

  // For waiting on it beside other things.
  int descriptor() const { return descriptor_; }

  // The size of a regular file; 0 where it is unknown.
  uint64_t size_bytes() const { return size_bytes_; }
  const std::string& name() const { return name_; }

 private:
  Input(int descriptor, std::string name, uint64_t size_bytes);

  const int descriptor_;
  const std::string name_;
  const uint64_t size_bytes_;
  std::vector<std::byte> buffer_;
};

}  // namespace tools

#endif  // TOOLS_OS_INPUT_H_
