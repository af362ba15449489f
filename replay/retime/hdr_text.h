// Histograms as text: HdrHistogram's V2 encoding, compressed and in base64, which other
// HdrHistogram tools read; and its table of percentiles for plotters (.hgrm).
//
// Source: HdrHistogram's wire format, github.com/HdrHistogram/HdrHistogram, encodeIntoByteBuffer
// and encodeIntoCompressedByteBuffer.

#ifndef REPLAY_RETIME_HDR_TEXT_H_
#define REPLAY_RETIME_HDR_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "replay/retime/latency_histogram.h"

namespace replay {

// Returns "HISTFAAA...". The exact maximum is not part of it.
std::string EncodeHistogram(const LatencyHistogram& histogram);

// `max` is the exact maximum. Errors: DATA_LOSS that says what is wrong with the text;
// UNIMPLEMENTED for a histogram of another precision or range.
absl::StatusOr<LatencyHistogram> DecodeHistogram(absl::string_view text, uint64_t max);

// Values are in microseconds.
std::string PercentileTable(const LatencyHistogram& histogram);

}  // namespace replay

#endif  // REPLAY_RETIME_HDR_TEXT_H_
