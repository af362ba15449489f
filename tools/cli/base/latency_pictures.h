// Pictures of latencies for the pages of reports: inline SVG.
//
//   frequency of each time, both axes logarithmic, percentiles marked
//   time by percentile, with the scale stretched towards the tail
//   grey: before; coloured: after

#ifndef TOOLS_CLI_BASE_LATENCY_PICTURES_H_
#define TOOLS_CLI_BASE_LATENCY_PICTURES_H_

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "replay/retime/latency_histogram.h"

namespace tools {

// The percentiles that pictures mark and tables show, per million.
inline constexpr std::array<std::pair<const char*, uint64_t>, 4> kMarkedPercentiles = {{
    {"p50", 500'000},
    {"p99", 990'000},
    {"p99.9", 999'000},
    {"p99.99", 999'900},
}};

// What a page with pictures needs, for HtmlHead().
inline constexpr char kPictureStyles[] = ".pictures{display:flex;flex-wrap:wrap;gap:1em}\n";

// Both pictures of `after`, nanoseconds, or nothing if it has no values; `before` may be empty.
// `what`: their title, which is escaped.
std::string LatencyPictures(const std::string& what, const replay::LatencyHistogram& after,
                            const replay::LatencyHistogram& before);

// "54 ns", "1.25 µs", "10 ms".
std::string TimeText(double nanos);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_LATENCY_PICTURES_H_
