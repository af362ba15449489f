// Standard input and output as one end of an event stream.

#ifndef TOOLS_CLI_BASE_STDIO_CHANNEL_H_
#define TOOLS_CLI_BASE_STDIO_CHANNEL_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "replay/compare/event_stream.h"
#include "tools/os/standard_streams.h"

namespace tools {

class StdioChannel final : public replay::ByteChannel {
 public:
  absl::Status Write(engine::Bytes bytes) override { return WriteStandardOutput(bytes); }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override {
    return ReadStandardInput(into);
  }
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_STDIO_CHANNEL_H_
