// Statistics of a part of a log: counts, rates and gaps of its commands.

#ifndef TOOLS_CLI_SHOW_LOG_STATISTICS_H_
#define TOOLS_CLI_SHOW_LOG_STATISTICS_H_

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

// A histogram of values: exact below 64, then with a precision of one part in 32. Not thread-safe.
class SizeHistogram {
 public:
  void Add(uint64_t value);

  // Returns the smallest value that at least `percent` of all values do not exceed, rounded up to
  // the histogram's precision; for 100 exactly the largest. 0 if there are no values. REQUIRES: 0 <
  // percent <= 100.
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
  // A second with commands: its start, and their number.
  struct Second {
    engine::Timestamp time;
    uint64_t count = 0;
  };
  template <typename Key>
  using Counts = std::vector<std::pair<Key, uint64_t>>;

  // REQUIRES: called in the order of the log.
  void Add(const engine::Command& command, size_t attachment_bytes);

  uint64_t command_count() const { return command_count_; }
  uint64_t attachment_count() const { return attachment_count_; }
  uint64_t attachment_bytes() const { return attachment_bytes_; }
  engine::Timestamp first_time() const { return first_time_; }
  engine::Timestamp last_time() const { return last_time_; }

  // Commands per second between the first and the last command; 0 if no time has passed.
  double MeanRate() const;
  Second BusiestSecond() const;
  const std::vector<Second>& seconds() const { return seconds_; }

  // Nanoseconds between consecutive commands.
  const SizeHistogram& gaps() const { return gaps_; }

  // Kinds in their order; markets and accounts by descending count, then by id. Number 0 means that
  // a command has none, and is counted apart.
  const std::map<engine::CommandKind, uint64_t>& kinds() const { return kinds_; }
  Counts<engine::MarketId> Markets() const;
  Counts<engine::AccountId> Accounts() const;
  uint64_t without_market() const { return without_market_; }
  uint64_t without_account() const { return without_account_; }

 private:
  uint64_t command_count_ = 0;
  uint64_t attachment_count_ = 0;
  uint64_t attachment_bytes_ = 0;
  engine::Timestamp first_time_;
  engine::Timestamp last_time_;
  std::vector<Second> seconds_;
  SizeHistogram gaps_;
  std::map<engine::CommandKind, uint64_t> kinds_;
  absl::flat_hash_map<engine::MarketId, uint64_t> markets_;  // Sorted before they are returned.
  absl::flat_hash_map<engine::AccountId, uint64_t> accounts_;
  uint64_t without_market_ = 0;
  uint64_t without_account_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_SHOW_LOG_STATISTICS_H_
