#include "tools/cli/show/log_statistics.h"

#include <algorithm>
#include <bit>

namespace tools {
namespace {

constexpr int64_t kNanosPerSecond = 1'000'000'000;

// Below 64 the value itself; above, the position of the highest bit and the next five bits.
size_t BucketOf(uint64_t value) {
  if (value < 64) return value;
  const auto shift = static_cast<size_t>(std::bit_width(value)) - 6;
  return shift * 32 + (value >> shift);
}

uint64_t LargestOf(size_t bucket) {
  if (bucket < 64) return bucket;
  const size_t shift = bucket / 32 - 1;
  const uint64_t lead = bucket % 32 + 32;
  return (lead << shift) + ((uint64_t{1} << shift) - 1);
}

engine::Timestamp SecondOf(engine::Timestamp time) {
  const int64_t into = time.nanos() % kNanosPerSecond;
  int64_t begin = 0;
  // The earliest timestamp is not at the start of a second.
  if (__builtin_sub_overflow(time.nanos(), into < 0 ? into + kNanosPerSecond : into, &begin)) {
    return time;
  }
  return engine::Timestamp::FromNanos(begin);
}

template <typename Key>
LogStatistics::Counts<Key> Ranked(const absl::flat_hash_map<Key, uint64_t>& counts) {
  LogStatistics::Counts<Key> ranked(counts.begin(), counts.end());
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  return ranked;
}

}  // namespace

void SizeHistogram::Add(uint64_t value) {
  ++counts_[BucketOf(value)];
  ++count_;
  largest_ = std::max(largest_, value);
}

uint64_t SizeHistogram::Percentile(unsigned percent) const {
  const auto wanted =
      static_cast<uint64_t>((static_cast<unsigned __int128>(count_) * percent + 99) / 100);
  uint64_t seen = 0;
  for (size_t bucket = 0; bucket < counts_.size(); ++bucket) {
    seen += counts_[bucket];
    if (seen >= wanted && seen > 0) return std::min(LargestOf(bucket), largest_);
  }
  return 0;
}

void LogStatistics::Add(const engine::Command& command, size_t attachment_bytes) {
  if (command_count_ == 0) {
    first_time_ = command.timestamp;
  } else {
    gaps_.Add(static_cast<uint64_t>(command.timestamp.nanos()) -
              static_cast<uint64_t>(last_time_.nanos()));
  }
  last_time_ = command.timestamp;
  ++command_count_;
  if (attachment_bytes > 0) ++attachment_count_;
  attachment_bytes_ += attachment_bytes;

  const engine::Timestamp second = SecondOf(command.timestamp);
  if (seconds_.empty() || seconds_.back().time != second) seconds_.push_back({.time = second});
  ++seconds_.back().count;
  ++kinds_[command.kind];
  command.market == engine::MarketId() ? ++without_market_ : ++markets_[command.market];
  command.account == engine::AccountId() ? ++without_account_ : ++accounts_[command.account];
}

double LogStatistics::MeanRate() const {
  const double seconds =
      (static_cast<double>(last_time_.nanos()) - static_cast<double>(first_time_.nanos())) /
      static_cast<double>(kNanosPerSecond);
  return seconds > 0 ? static_cast<double>(command_count_) / seconds : 0;
}

LogStatistics::Second LogStatistics::BusiestSecond() const {
  Second busiest;
  for (const Second& second : seconds_) {
    if (second.count > busiest.count) busiest = second;
  }
  return busiest;
}

LogStatistics::Counts<engine::MarketId> LogStatistics::Markets() const { return Ranked(markets_); }
LogStatistics::Counts<engine::AccountId> LogStatistics::Accounts() const {
  return Ranked(accounts_);
}

}  // namespace tools
