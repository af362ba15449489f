// Imports commands from a table: the inverse of `export`.

#ifndef TOOLS_CLI_RECORD_TABLE_IMPORT_H_
#define TOOLS_CLI_RECORD_TABLE_IMPORT_H_

#include <cstdint>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/messages/command_sink.h"
#include "tools/cli/record/command_lines.h"

namespace tools {

struct TableImport {
  uint64_t command_count = 0;
  // OK, or INVALID_ARGUMENT "LINE: FIELD: ..." for the first malformed line; everything before it
  // has been submitted.
  absl::Status table_status;
};

// Submits everything that `read` returns until it returns no bytes. Commands keep their times.
// Sequence numbers, where given, must be 1, 2, 3, ..., because an order's number is that of its
// command. `progress` is called with the number of bytes read. Errors: those of `read` and of the
// sink.
absl::StatusOr<TableImport> ImportTable(absl::FunctionRef<absl::StatusOr<engine::Bytes>()> read,
                                        CommandLines& lines, engine::CommandSink& sink,
                                        engine::ManualClock& clock,
                                        absl::FunctionRef<void(uint64_t)> progress);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TABLE_IMPORT_H_
