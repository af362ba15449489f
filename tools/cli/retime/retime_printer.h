// The results of `retime`, for people, as JSON and as a page with pictures.

#ifndef TOOLS_CLI_RETIME_RETIME_PRINTER_H_
#define TOOLS_CLI_RETIME_RETIME_PRINTER_H_

#include <string>

#include "tools/cli/base/report.h"
#include "tools/cli/retime/retime_comparison.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

// `all` is `run_count` merged runs of the journal at `path`.
void AddRetime(Report& report, const std::string& path, const RetimeReport& all, size_t run_count);

// `threshold` is a fraction.
void AddComparison(Report& report, const RetimeComparison& comparison, double threshold);

struct RetimePage {
  std::string path;
  const RetimeReport& after;
  const RetimeReport* before = nullptr;          // May be null.
  const RetimeComparison* comparison = nullptr;  // May be null.
};

// Returns a self-contained HTML page; its charts are inline SVG.
//
//   per class of command   frequency of each time, both axes logarithmic, percentiles marked
//                          time by percentile, with the scale stretched towards the tail
//   grey: before; coloured: after
std::string ToHtml(const RetimePage& page);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_PRINTER_H_
