// Bytes from a file, a pipe or standard input, as they arrive, up to the end or to Ctrl-C.

#ifndef TOOLS_OS_INPUT_H_
#define TOOLS_OS_INPUT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "tools/os/signals.h"

namespace tools {

// Not thread-safe: owned by its reader.
class Input {
 public:
  // Opens `path`; "-" is standard input. Errors: NOT_FOUND and others, naming the path and the
  // reason.
  static absl::StatusOr<std::unique_ptr<Input>> Open(const std::string& path);
  // The same for a program that ends cleanly when it is interrupted: SIGINT or SIGTERM ends the
  // input, also during a wait. At most one per process, and no other Interrupt beside it.
  static absl::StatusOr<std::unique_ptr<Input>> OpenUntilInterrupt(const std::string& path);
  ~Input();
  Input(const Input&) = delete;
  Input& operator=(const Input&) = delete;

  // Returns the bytes that are available, at least one; empty at the end. Blocks until there are
  // some. Valid until the next call.
  absl::StatusOr<engine::Bytes> Read();

  // Returns true if Read() would not block, waiting up to `millis` for that: there is input, or its
  // end is reached.
  bool IsReady(int millis = 0) const;

  // For polling together with other descriptors.
  int descriptor() const { return descriptor_; }

  // Whether a signal has ended the input: Read() returns nothing more, and IsReady() is true.
  bool interrupted() const { return interrupt_.has_value() && interrupt_->raised(); }

  // The size of a regular file; 0 if unknown.
  uint64_t size_bytes() const { return size_bytes_; }
  const std::string& name() const { return name_; }

 private:
  Input(int descriptor, std::string name, uint64_t size_bytes);

  const int descriptor_;
  const std::string name_;
  const uint64_t size_bytes_;
  std::vector<std::byte> buffer_;
  std::optional<Interrupt> interrupt_;
};

}  // namespace tools

#endif  // TOOLS_OS_INPUT_H_
