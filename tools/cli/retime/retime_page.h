// The results of `retime` as one self-contained HTML page; its charts are inline SVG.
//
//   per class of command   frequency of each time, both axes logarithmic, percentiles marked
//                          time by percentile, with the scale stretched towards the tail
//   grey: before; coloured: after

#ifndef TOOLS_CLI_RETIME_RETIME_PAGE_H_
#define TOOLS_CLI_RETIME_RETIME_PAGE_H_

#include <string>

#include "tools/cli/retime/retime_comparison.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

struct RetimePage {
  std::string path;
  const RetimeReport& after;
  const RetimeReport* before = nullptr;          // May be null.
  const RetimeComparison* comparison = nullptr;  // May be null.
};

std::string ToHtml(const RetimePage& page);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_PAGE_H_
