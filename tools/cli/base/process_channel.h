// A child process as the other end of an event stream.

#ifndef TOOLS_CLI_BASE_PROCESS_CHANNEL_H_
#define TOOLS_CLI_BASE_PROCESS_CHANNEL_H_

#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "replay/compare/event_stream.h"
#include "tools/os/child_process.h"

namespace tools {

// Not thread-safe.
class ProcessChannel final : public replay::ByteChannel {
 public:
  explicit ProcessChannel(std::unique_ptr<ChildProcess> child) : child_(std::move(child)) {}

  absl::Status Write(engine::Bytes bytes) override { return child_->Write(bytes); }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override { return child_->Read(into); }

 private:
  const std::unique_ptr<ChildProcess> child_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_PROCESS_CHANNEL_H_
