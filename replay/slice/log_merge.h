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
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "journal/reader.h"
#include "journal/record.h"

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

// Not thread-safe.
class LogMerge {
 public:
  LogMerge(std::vector<MergeSource> sources, MergeOrder order);

  // A renumbered command, valid until the next call, and its source.
  struct Merged {
    engine::Command command;
    engine::Bytes attachment;
    size_t source = 0;
    engine::SequenceNumber sequence_in_source;
  };

  // Returns nullopt at the end. Errors: the readers'; INVALID_ARGUMENT if market definitions
  // conflict or time would run backwards, naming both places.
  absl::StatusOr<std::optional<Merged>> Next();

  uint64_t markets_left_out() const { return markets_left_out_; }

 private:
  struct Input {
    MergeSource source;
    std::optional<journal::Record> next;
    bool has_begun = false;
    bool is_taken = true;  // `next` was returned; Choose() reads the next record.
    // New numbers by position in the source log; 0 for a command that was left out.
    std::vector<uint64_t> numbers;
  };

  absl::StatusOr<std::optional<size_t>> Choose();
  absl::Status CheckTime(const Input& input);
  absl::StatusOr<bool> IsDefinedAlready(const engine::Command& command, engine::Bytes attachment,
                                        const Input& input);
  engine::OrderId Translate(const Input& input, engine::OrderId order) const;

  std::vector<Input> inputs_;
  const MergeOrder order_;
  size_t current_ = 0;  // Index of the current input if kConcatenated.
  engine::SequenceNumber last_;
  engine::Timestamp last_time_;
  std::string last_place_;
  engine::MarketDirectory markets_;
  absl::flat_hash_map<uint32_t, std::string> defined_at_;  // By market. For look-ups only.
  uint64_t markets_left_out_ = 0;
};

// The highest account number in the log. Reads the whole log. Errors: the reader's.
absl::StatusOr<uint32_t> HighestAccount(journal::Reader& reader);

}  // namespace replay

#endif  // REPLAY_SLICE_LOG_MERGE_H_
