// Reads a journal with two threads. Either one decodes blocks: the caller, which applies the
// records, decodes one itself if the next is not ready.
//
//                       ┌─ decoded by the background thread ──┐
//   Reader ─► blocks ───┤    up to eight ahead, in order      ├─► NextBatch
//                       └─ or by the caller ──────────────────┘
//
// So neither thread waits while there is work. If applying takes longer than decoding, the
// background thread decodes everything; if it takes less, both decode. The results are those of the
// reader, in the same order: an error follows the records before it. If no thread can be started,
// the caller decodes everything.

#ifndef TOOLS_CLI_READ_READ_AHEAD_H_
#define TOOLS_CLI_READ_READ_AHEAD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "journal/reader.h"

namespace tools {

// Not thread-safe: owned by the thread that applies the records.
class ReadAhead {
 public:
  // Reads from the current position of `reader`. Uses `reader` exclusively during its lifetime and
  // leaves it at an unspecified position.
  explicit ReadAhead(journal::Reader& reader);
  ~ReadAhead();

  // As Reader::NextBatch().
  absl::StatusOr<journal::Batch> NextBatch();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_READ_AHEAD_H_
