// The results of `retime`, for people and as JSON.

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

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_PRINTER_H_
