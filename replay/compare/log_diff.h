// Two journals compared: digests first, so that what is equal costs nothing; records where they
// differ.
//
//   log digests at checkpoints   ==  ==  ==  ≠        a chain: the first that differs by halving
//                                            └─ the records of these 4096, one by one
//
// Digests are believed as far as they were checked: each side's last one is recomputed from the
// records it stands for, and where they differ only records decide. A sidecar that is damaged, or
// contradicts its records, is left aside, and everything is read.

#ifndef REPLAY_COMPARE_LOG_DIFF_H_
#define REPLAY_COMPARE_LOG_DIFF_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"

namespace replay {

// A journal with its sidecar, empty where there is none that can be read. Both outlive the call.
struct LogWithDigests {
  journal::Reader* reader = nullptr;
  std::vector<journal::Checkpoint> checkpoints;
};

struct LogDiffOptions {
  bool read_everything = false;  // Believe no digest.
  std::function<void(uint64_t records)> progress = nullptr;
};

struct LogDiff {
  // What the answer stands on.
  uint64_t digests_compared = 0;  // Checkpoints that both have.
  uint64_t records_read = 0;      // Of each side.
  std::string left_aside;         // Why digests were not believed; empty where they were.

  engine::SequenceNumber last_a;
  engine::SequenceNumber last_b;

  // The first record that is not the same; nothing where one log begins with all of the other.
  struct Records {
    engine::SequenceNumber sequence;
    engine::Command a;
    engine::Command b;
    std::vector<std::byte> attachment_a;
    std::vector<std::byte> attachment_b;
  };
  std::optional<Records> records;

  bool equal() const { return !records.has_value() && last_a == last_b; }
};

// Errors: the readers'.
absl::StatusOr<LogDiff> DiffLogs(const LogWithDigests& a, const LogWithDigests& b,
                                 const LogDiffOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_LOG_DIFF_H_
