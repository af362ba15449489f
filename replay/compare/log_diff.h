// Compares two journals: digests first, which skips the equal part, then records where the digests
// differ.
//
//   log digests at checkpoints   ==  ==  ==  ≠        a chain: binary search for the first ≠
//                                            └─ the records of these 4096, one by one
//
// A digest is trusted only after a check: the last equal digest of each side is recomputed from its
// records, and where digests differ only records decide. A sidecar that is damaged or contradicts
// its records is ignored, and all records are read.

#ifndef REPLAY_COMPARE_LOG_DIFF_H_
#define REPLAY_COMPARE_LOG_DIFF_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "replay/log_source.h"

namespace replay {

// A journal and its sidecar's checkpoints, empty if the sidecar is unreadable. Both outlive the
// call.
struct LogWithDigests {
  journal::Reader* reader = nullptr;
  std::vector<journal::Checkpoint> checkpoints;
};

struct LogDiffOptions {
  bool read_everything = false;  // Ignores all digests.
  std::function<void(uint64_t records)> progress = nullptr;
};

struct LogDiff {
  // The evidence for the result.
  uint64_t digests_compared = 0;  // Checkpoints that both have.
  uint64_t records_read = 0;      // From each side.
  std::string left_aside;         // Why digests were not trusted; empty if they were.

  engine::SequenceNumber last_a;
  engine::SequenceNumber last_b;

  // The first record that differs; nullopt if one log is a prefix of the other.
  struct Records {
    LogEntry a;
    LogEntry b;

    engine::SequenceNumber sequence() const { return a.row.sequence; }
  };
  std::optional<Records> records;

  bool equal() const { return !records.has_value() && last_a == last_b; }
};

// Errors: the readers'.
absl::StatusOr<LogDiff> DiffLogs(const LogWithDigests& a, const LogWithDigests& b,
                                 const LogDiffOptions& options = {});

}  // namespace replay

#endif  // REPLAY_COMPARE_LOG_DIFF_H_
