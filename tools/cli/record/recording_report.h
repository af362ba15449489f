// The results of a recording, for people and as JSON.

#ifndef TOOLS_CLI_RECORD_RECORDING_REPORT_H_
#define TOOLS_CLI_RECORD_RECORDING_REPORT_H_

#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/execution_check.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/json.h"
#include "tools/cli/record/recording.h"

namespace tools {

void PrintRecording(Console& console, const Recording& recording, const journal::Checkpoint& last,
                    double seconds);
void AddRecording(JsonObject& json, const Recording& recording, const journal::Checkpoint& last,
                  double seconds);

// Counts of the commands of an ITCH stream, and of its other messages.
void PrintItch(Console& console, const engine::ItchCounters& counters);
void AddItch(JsonObject& json, const engine::ItchCounters& counters);

// Counts of matched, mismatched and not applicable executions, and the first mismatches in full.
void PrintExecutions(Console& console, const engine::ItchExecutionCheck& check);
void AddExecutions(JsonObject& json, const engine::ItchExecutionCheck& check);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORDING_REPORT_H_
