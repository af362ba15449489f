// What a stretch of a log is made of: counts, rates and gaps, folded from its commands.

#ifndef TOOLS_CLI_READ_LOG_STATISTICS_H_
#define TOOLS_CLI_READ_LOG_STATISTICS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"

namespace tools {

// Counts of values by size: exact below 64, then to one part in 32. Not thread-safe.
class SizeHistogram {
 public:
  void Add(uint64_t value);

  // The value that `percent` of all are not above, rounded up to what is told apart; exactly the
  // largest for 100. Zero when there are none. REQUIRES: 0 < percent <= 100.
  uint64_t Percentile(unsigned percent) const;

  uint64_t count() const { return count_; }
  uint64_t largest() const { return largest_; }

 private:
  std::array<uint64_t, 2048> counts_ = {};
  uint64_t count_ = 0;
  uint64_t largest_ = 0;
};

// Not thread-safe: owned by the verb that reads.
class LogStatistics {
 public:
  // A second that had commands: its beginning, and how many.
  struct Second {
    engine::Timestamp time;
    uint64_t count = 0;
  };
  template <typename Key>
  using Counts = std::vector<std::pair<Key, uint64_t>>;

  // In the order of the log.
  void Add(const engine::Command& command, size_t attachment_bytes);

  uint64_t command_count() const { return command_count_; }
  uint64_t attachment_count() const { return attachment_count_; }
  uint64_t attachment_bytes() const { return attachment_bytes_; }
  engine::Timestamp first_time() const { return first_time_; }
  engine::Timestamp last_time() const { return last_time_; }

  // Commands a second between the first and the last command; 0 where no time has passed.
  double MeanRate() const;
  Second BusiestSecond() const;
  const std::vector<Second>& seconds() const { return seconds_; }

  // Nanoseconds between one command and the next.
  const SizeHistogram& gaps() const { return gaps_; }

  // In the order of the kinds; markets and accounts from the busiest, then by their ids.
  const std::map<engine::CommandKind, uint64_t>& kinds() const { return kinds_; }
  Counts<engine::MarketId> Markets() const;
  Counts<engine::AccountId> Accounts() const;

 private:
  uint64_t command_count_ = 0;
  uint64_t attachment_count_ = 0;
  uint64_t attachment_bytes_ = 0;
  engine::Timestamp first_time_;
  engine::Timestamp last_time_;
  std::vector<Second> seconds_;
  SizeHistogram gaps_;
  std::map<engine::CommandKind, uint64_t> kinds_;
  absl::flat_hash_map<engine::MarketId, uint64_t> markets_;  // Sorted before anyone sees them.
  absl::flat_hash_map<engine::AccountId, uint64_t> accounts_;
};

}  // namespace tools

#endif  // TOOLS_CLI_READ_LOG_STATISTICS_H_
