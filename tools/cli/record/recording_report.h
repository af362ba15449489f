// The results of a recording, for people and as JSON.

#ifndef TOOLS_CLI_RECORD_RECORDING_REPORT_H_
#define TOOLS_CLI_RECORD_RECORDING_REPORT_H_

#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/execution_check.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/report.h"
#include "tools/cli/record/recording.h"

namespace tools {

void AddRecording(Report& report, const Recording& recording, const journal::Checkpoint& last,
                  double seconds);

// Counts of the commands of an ITCH stream, and of its other messages.
void AddItchRows(Report& report, const engine::ItchCounters& counters);
void AddItchFields(JsonObject& json, const engine::ItchCounters& counters);

// Counts of matched, mismatched and not applicable executions, and the first mismatches in full.
void AddExecutionRows(Report& report, const engine::ItchExecutionCheck& check);
void AddExecutionFields(JsonObject& json, const engine::ItchExecutionCheck& check);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORDING_REPORT_H_
