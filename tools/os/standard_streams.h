// Standard input and output as bytes, unbuffered, for programs that talk to another program; and
// whether output goes to a terminal.

#ifndef TOOLS_OS_STANDARD_STREAMS_H_
#define TOOLS_OS_STANDARD_STREAMS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// Returns the number of bytes read, at least 1; 0 at the end.
absl::StatusOr<size_t> ReadStandardInput(engine::MutableBytes into);

// Writes all bytes.
absl::Status WriteStandardOutput(engine::Bytes bytes);

// Returns true if standard output (or standard error) is a terminal that shows colours. NO_COLOR
// and TERM=dumb disable them.
bool StandardOutputIsTerminal();
bool StandardErrorIsTerminal();

}  // namespace tools

#endif  // TOOLS_OS_STANDARD_STREAMS_H_
