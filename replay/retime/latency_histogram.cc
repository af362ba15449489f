#include "replay/retime/latency_histogram.h"

#include <algorithm>
#include <bit>

#include "engine/base/check.h"

namespace replay {

LatencyHistogram::LatencyHistogram(std::span<const uint64_t> slots, uint64_t max)
    : counts_(slots.begin(), slots.end()), max_(max) {
  CHECK(slots.size() <= kSlots) << slots.size();
  counts_.resize(kSlots);
  for (const uint64_t count : counts_) count_ += count;
}

void LatencyHistogram::Record(uint64_t value) {
  ++counts_[SlotOf(value)];
  ++count_;
  max_ = std::max(max_, value);
}

uint64_t LatencyHistogram::Percentile(uint64_t per_million) const {
  CHECK(per_million <= 1'000'000) << per_million;
  if (count_ == 0) return 0;
  const auto wanted = static_cast<uint64_t>(
      (static_cast<unsigned __int128>(count_) * per_million + 999'999) / 1'000'000);
  uint64_t seen = 0;
  for (size_t slot = 0; slot < kSlots; ++slot) {
    seen += counts_[slot];
    if (seen >= std::max<uint64_t>(wanted, 1)) return std::min(HighestIn(slot), max_);
  }
  return max_;
}

void LatencyHistogram::Add(const LatencyHistogram& other) {
  for (size_t slot = 0; slot < kSlots; ++slot) counts_[slot] += other.counts_[slot];
  count_ += other.count_;
  max_ = std::max(max_, other.max_);
}

size_t LatencyHistogram::SlotOf(uint64_t value) {
  value = std::min(value, (uint64_t{1} << kValueBits) - 1);
  const int width_bits = std::max(static_cast<int>(std::bit_width(value)) - kLinearBits, 0);
  return static_cast<size_t>(width_bits) * kHalf + (value >> width_bits);
}

uint64_t LatencyHistogram::HighestIn(size_t slot) {
  if (slot < 2 * kHalf) return slot;
  const size_t width_bits = slot / kHalf - 1;
  return ((uint64_t{slot - width_bits * kHalf} + 1) << width_bits) - 1;
}

}  // namespace replay
