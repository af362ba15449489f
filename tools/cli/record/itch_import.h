// Imports a Nasdaq ITCH stream: translates its messages and submits the commands.

#ifndef TOOLS_CLI_RECORD_ITCH_IMPORT_H_
#define TOOLS_CLI_RECORD_ITCH_IMPORT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/execution_check.h"

namespace tools {

struct ItchImport {
  engine::ItchCounters counters;
  uint64_t message_count = 0;
  // OK if the stream ended at a valid place. DATA_LOSS with byte offset and message number if it is
  // malformed; everything before that has been submitted.
  absl::Status stream_status;
};

// Submits everything that `read` returns until it returns no bytes, which is the end. `check` may
// be null. `progress` is called after each chunk with the number of bytes read. Errors: those of
// `read` and of the sink.
absl::StatusOr<ItchImport> ImportItch(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                      engine::CommandSink& sink, engine::ManualClock& clock,
                                      engine::Timestamp midnight, engine::ItchExecutionCheck* check,
                                      absl::FunctionRef<void(uint64_t)> progress);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_ITCH_IMPORT_H_
