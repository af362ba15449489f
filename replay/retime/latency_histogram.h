// Latency counts from which any percentile can be read, with an error below one percent.
//
//   value   0 1 2 ... 255 | 256 258 260 ... 508 | 512 516 520 ... 1016 | ...
//   a slot  one value       two values            four values
//
// The layout is HdrHistogram's for two significant digits, slot for slot, so that its encodings can
// be written and read: slots have equal width between two powers of two, and double width in the
// next range. Recording is a shift, an addition and a store; memory is fixed.

#ifndef REPLAY_RETIME_LATENCY_HISTOGRAM_H_
#define REPLAY_RETIME_LATENCY_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace replay {

// A value type. Not thread-safe.
class LatencyHistogram {
 public:
  static constexpr int kLinearBits = 8;  // Exact below 2^8, then 128 slots for each power of two.
  static constexpr int kValueBits = 40;
  static constexpr size_t kHalf = size_t{1} << (kLinearBits - 1);
  static constexpr size_t kSlots = (kValueBits - kLinearBits + 2) * kHalf;

  LatencyHistogram() : counts_(kSlots) {}

  // Restores a histogram from its slots() and max(). REQUIRES: at most kSlots counts, whose sum
  // fits 64 bits.
  LatencyHistogram(std::span<const uint64_t> slots, uint64_t max);

  // Values of 2^40 and more count as 2^40 - 1; max() is exact nevertheless.
  void Record(uint64_t value);

  uint64_t count() const { return count_; }
  uint64_t max() const { return max_; }

  // Finds the first slot such that at least `per_million` of a million values are in it or below.
  // Returns its highest value, or max() if that is lower; 0 if there are no values.
  // REQUIRES: per_million <= 1,000,000.
  uint64_t Percentile(uint64_t per_million) const;

  // Adds all values of `other`.
  void Add(const LatencyHistogram& other);

  // The count of each slot, and the lowest and highest value of a slot, both included.
  std::span<const uint64_t> slots() const { return counts_; }
  static uint64_t LowestIn(size_t slot) { return slot == 0 ? 0 : HighestIn(slot - 1) + 1; }
  static uint64_t HighestIn(size_t slot);

 private:
  static size_t SlotOf(uint64_t value);

  std::vector<uint64_t> counts_;
  uint64_t count_ = 0;
  uint64_t max_ = 0;
};

// ---- hdr_text.cc: histograms as text. HdrHistogram's V2 encoding, compressed and in base64, which
// other HdrHistogram tools read; and its table of percentiles for plotters (.hgrm).
//
// Source: HdrHistogram's wire format, github.com/HdrHistogram/HdrHistogram, encodeIntoByteBuffer
// and encodeIntoCompressedByteBuffer.

// Returns "HISTFAAA...". The exact maximum is not part of it.
std::string EncodeHistogram(const LatencyHistogram& histogram);

// `max` is the exact maximum. Errors: DATA_LOSS that says what is wrong with the text;
// UNIMPLEMENTED for a histogram of another precision or range.
absl::StatusOr<LatencyHistogram> DecodeHistogram(absl::string_view text, uint64_t max);

// Values are in microseconds.
std::string PercentileTable(const LatencyHistogram& histogram);

}  // namespace replay

#endif  // REPLAY_RETIME_LATENCY_HISTOGRAM_H_
