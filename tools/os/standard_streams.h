// Standard input and output as bytes, unbuffered: for programs that are spoken to by a program.

#ifndef TOOLS_OS_STANDARD_STREAMS_H_
#define TOOLS_OS_STANDARD_STREAMS_H_

#include <cstddef>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// At least one byte; 0 at the end.
absl::StatusOr<size_t> ReadStandardInput(engine::MutableBytes into);

// All of it.
absl::Status WriteStandardOutput(engine::Bytes bytes);

}  // namespace tools

#endif  // TOOLS_OS_STANDARD_STREAMS_H_
