// What `retime` found, as one page of HTML that needs nothing else: pictures are SVG in the page.
//
//   per kind of work   how often each time was taken, both axes logarithmic, percentiles marked
//                      which time which share stays below, towards the rare ones
//   before in grey, after in colour

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
