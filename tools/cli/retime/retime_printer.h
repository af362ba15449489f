// The results of `retime`, for people and as JSON.

#ifndef TOOLS_CLI_RETIME_RETIME_PRINTER_H_
#define TOOLS_CLI_RETIME_RETIME_PRINTER_H_

#include <string>

#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"
#include "tools/cli/retime/retime_comparison.h"
#include "tools/cli/retime/retime_report.h"

namespace tools {

// `all` is `run_count` merged runs of the journal at `path`.
void PrintRetime(Console& console, const std::string& path, const RetimeReport& all,
                 size_t run_count);
void AddRetime(JsonObject& json, const RetimeReport& all, size_t run_count);

// `threshold` is a fraction.
void PrintComparison(Console& console, const RetimeComparison& comparison, double threshold);
void AddComparison(JsonObject& json, const RetimeComparison& comparison);

}  // namespace tools

#endif  // TOOLS_CLI_RETIME_RETIME_PRINTER_H_
