// Reads a journal on a thread of its own, a few batches ahead of whoever applies them: decoding a
// record costs about half of what applying it does.
//
//   reading thread   Reader ─► decode ─► copy ─► │ batch │ batch │ batch │ ─► NextBatch   this one
//
// What it says is what the reader would say, in the same place: an error comes behind the records
// that stand before it. Where the system has no thread to give, this one reads.

#ifndef TOOLS_CLI_READ_READ_AHEAD_H_
#define TOOLS_CLI_READ_READ_AHEAD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "journal/reader.h"

namespace tools {

// Not thread-safe: owned by whoever applies.
class ReadAhead {
 public:
  // From where `reader` stands on, which is the thread's as long as this lives, and stands anywhere
  // afterwards.
  explicit ReadAhead(journal::Reader& reader);
  ~ReadAhead();

  // As Reader::NextBatch.
  absl::StatusOr<journal::Batch> NextBatch();

 private:
  class Impl;
  const std::unique_ptr<Impl> impl_;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_READ_AHEAD_H_
