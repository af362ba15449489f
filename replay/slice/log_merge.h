// Merges several logs into one. Each command is renumbered so that it means the same in the merged
// log.
//
//   A  1 2 3 ──┐
//   B  1 2 ────┴─► 1 2 3 4 5
//
//   order numbers   new, also in the commands that name orders
//   markets         a repeated definition is left out; another definition for the same number or
//                   symbol is an error
//   accounts        unchanged, or shifted by the source's account_offset

#ifndef REPLAY_SLICE_LOG_MERGE_H_
#define REPLAY_SLICE_LOG_MERGE_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "journal/reader.h"

namespace replay {

// One of the logs. `reader` outlives the merge.
struct MergeSource {
  std::string name;  // For messages.
  journal::Reader* reader = nullptr;
  uint32_t account_offset = 0;  // Added to every account but zero.
};

enum class MergeOrder {
  kConcatenated,  // One log after the other.
  kByTime,        // By time; at equal times, in the order of the logs.
};

// A renumbered command, and where it comes from.
struct MergedCommand {
  engine::Command command;
  engine::Bytes attachment;
  size_t source = 0;
  engine::SequenceNumber sequence_in_source;
};

// Calls `put` with each command of the merged log. Returns the number of market definitions that
// are left out. Errors: the readers' and those of `put`; INVALID_ARGUMENT if market definitions
// conflict or time would run backwards, naming both places.
absl::StatusOr<uint64_t> MergeLogs(const std::vector<MergeSource>& sources, MergeOrder order,
                                   absl::FunctionRef<absl::Status(const MergedCommand&)> put);

// The highest account number in the log. Reads the whole log. Errors: the reader's.
absl::StatusOr<uint32_t> HighestAccount(journal::Reader& reader);

}  // namespace replay

#endif  // REPLAY_SLICE_LOG_MERGE_H_
