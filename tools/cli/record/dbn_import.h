// Imports a file of Databento's records of orders (DBN, MBO): reads it for its markets, then again
// for the commands, and reports both.

#ifndef TOOLS_CLI_RECORD_DBN_IMPORT_H_
#define TOOLS_CLI_RECORD_DBN_IMPORT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/dbn/counters.h"
#include "engine/wire/dbn/markets.h"
#include "engine/wire/dbn/stream_reader.h"
#include "engine/wire/dbn/translator.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/report.h"

namespace tools {

// The markets of the file at `path`, up to its end or to where it is malformed. Errors:
// INVALID_ARGUMENT if it cannot be read twice; DATA_LOSS if its metadata is malformed, or a market
// cannot have its prices; those of reading.
absl::StatusOr<engine::DbnMarkets> LearnDbnMarkets(const std::string& path, Console& console);

// Not thread-safe: owned by the verb. What is referred to outlives it.
class DbnImport {
 public:
  DbnImport(engine::CommandSink& sink, engine::ManualClock& clock, engine::DbnMarkets& markets)
      : translator_(sink, clock, markets) {}

  // As ItchImport::Take().
  absl::StatusOr<bool> Take(engine::Bytes chunk);

  // As ItchImport::input_status().
  const absl::Status& input_status() const { return input_status_; }
  const engine::DbnCounters& counters() const { return translator_.counters(); }
  const engine::DbnStreamReader& reader() const { return reader_; }

 private:
  engine::DbnStreamReader reader_;
  engine::DbnTranslator translator_;
  absl::Status input_status_;
};

// For people, and in JSON: records by type and action, and what could not be followed.
void AddDbnRows(Report& report, const DbnImport& import);
void AddDbnFields(JsonObject& json, const DbnImport& import);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_DBN_IMPORT_H_
