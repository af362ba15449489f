// Reads a journal with two threads: decoding a block of it is work for either, and whoever applies
// the records decodes one himself where the next is not ready.
//
//                       ┌─ decoded by the thread of its own ──┐
//   Reader ─► blocks ───┤    up to eight ahead, in order      ├─► NextBatch
//                       └─ or by the one that calls this ─────┘
//
// So neither waits while there is something to do: where applying takes longer than decoding, the
// one thread decodes all; where it takes less, both decode. What it says is what the reader would
// say, in the same place: an error comes behind the records that stand before it. Where the system
// has no thread to give, this one decodes all.

#ifndef TOOLS_CLI_READ_READ_AHEAD_H_
#define TOOLS_CLI_READ_READ_AHEAD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "journal/reader.h"

namespace tools {

// Not thread-safe: owned by whoever applies.
class ReadAhead {
 public:
  // From where `reader` stands on, which is this one's as long as it lives, and stands anywhere
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
