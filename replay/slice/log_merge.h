// Several logs as one: the next command is taken from one of them, and made to mean the same among
// the others.
//
//   A  1 2 3 ──┐                   order numbers   new, in commands that name orders too
//   B  1 2 ────┼─► 1 2 3 4 5       markets         the same definition again is left out; another
//              │                                   one for its number or symbol is an error
//   accounts ──┘                   kept, or those of each log shifted behind those of the logs
//   before

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
  kByTime,        // By time; at one time, in the order of the logs.
};

// Not thread-safe.
class LogMerge {
 public:
  LogMerge(std::vector<MergeSource> sources, MergeOrder order);

  // A command with its new number, valid until the next call, and where it comes from.
  struct Merged {
    engine::Command command;
    engine::Bytes attachment;
    size_t source = 0;
    engine::SequenceNumber sequence_in_source;
  };

  // Nothing at the end. Errors: the readers'; INVALID_ARGUMENT where definitions of markets
  // conflict, or where time would run backwards, with both places.
  absl::StatusOr<std::optional<Merged>> Next();

  uint64_t markets_left_out() const { return markets_left_out_; }

 private:
  struct Input {
    MergeSource source;
    std::optional<journal::Record> next;
    bool has_begun = false;
    bool is_taken = true;  // `next` was given out; the reader moves on when the next is asked for.
    // By the place in the log: the new number; 0 for what was left out.
    std::vector<uint64_t> numbers;
  };

  absl::StatusOr<std::optional<size_t>> Choose();
  absl::Status CheckTime(const Input& input);
  absl::StatusOr<bool> IsDefinedAlready(const engine::Command& command, engine::Bytes attachment,
                                        const Input& input);
  engine::OrderId Translate(const Input& input, engine::OrderId order) const;

  std::vector<Input> inputs_;
  const MergeOrder order_;
  size_t current_ = 0;  // Where concatenated.
  engine::SequenceNumber last_;
  engine::Timestamp last_time_;
  std::string last_place_;
  engine::MarketDirectory markets_;
  absl::flat_hash_map<uint32_t, std::string> defined_at_;  // By market. For look-ups only.
  uint64_t markets_left_out_ = 0;
};

// The highest account that a log names. Reads all of it. Errors: the reader's.
absl::StatusOr<uint32_t> HighestAccount(journal::Reader& reader);

}  // namespace replay

#endif  // REPLAY_SLICE_LOG_MERGE_H_
