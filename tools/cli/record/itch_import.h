// Imports a Nasdaq ITCH stream: translates its messages, submits the commands and reports both.

#ifndef TOOLS_CLI_RECORD_ITCH_IMPORT_H_
#define TOOLS_CLI_RECORD_ITCH_IMPORT_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/execution_check.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/itch/translator.h"
#include "engine/wire/mold/capture.h"
#include "tools/cli/base/report.h"
#include "tools/cli/record/priority_check.h"

namespace tools {

// Times count from midnight there.
inline constexpr char kNasdaqTimeZone[] = "America/New_York";

// Not thread-safe: owned by the verb.
class ItchImport {
 public:
  // `executions` may be null. Everything that is referred to outlives the import. With
  // `allow_gaps`, messages that a capture lacks are counted, and no error.
  ItchImport(engine::CommandSink& sink, engine::ManualClock& clock, engine::Timestamp midnight,
             engine::ItchMode mode, engine::ItchExecutionListener* executions,
             bool allow_gaps = false)
      : reader_(allow_gaps), translator_(sink, clock, midnight, mode, executions) {}

  // Submits the commands of the next chunk; an empty one ends the stream. Returns whether the
  // stream goes on. Errors: the sink's.
  absl::StatusOr<bool> Take(engine::Bytes chunk);

  // OK, or DATA_LOSS with byte offset and message number: the stream is malformed there, and
  // everything before that has been submitted.
  const absl::Status& input_status() const { return input_status_; }
  const engine::ItchCounters& counters() const { return translator_.counters(); }
  // Null unless the stream is a capture of MoldUDP64.
  const engine::MoldCapture* capture() const { return reader_.capture(); }

 private:
  engine::ItchStreamReader reader_;
  engine::ItchTranslator translator_;
  absl::Status input_status_;
};

// For people: counts of the commands of an ITCH stream, and of its other messages.
void AddItchRows(Report& report, const engine::ItchCounters& counters);
// What a capture of MoldUDP64 held.
void AddMoldRows(Report& report, const engine::MoldCapture& capture);
void AddMoldFields(JsonObject& json, const engine::MoldCapture& capture);
// Counts of matched, mismatched and not applicable executions, and the first mismatches in full.
void AddExecutionRows(Report& report, const engine::ItchCounters& counters,
                      const engine::ItchExecutionCheck& check);

// For each type of message that executes orders: how often another order had priority.
void AddPriorityRows(Report& report, const PriorityCheck& check);
void AddPriorityFields(JsonObject& json, const PriorityCheck& check);

// The same counts in JSON. `check` may be null.
void AddItchFields(JsonObject& json, const engine::ItchCounters& counters,
                   const engine::ItchExecutionCheck* check);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_ITCH_IMPORT_H_
