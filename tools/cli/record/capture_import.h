// Imports a capture of a Kalshi WebSocket connection, one frame a line, and reports what it held.

#ifndef TOOLS_CLI_RECORD_CAPTURE_IMPORT_H_
#define TOOLS_CLI_RECORD_CAPTURE_IMPORT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/kalshi/capture_frame.h"
#include "engine/wire/kalshi/capture_translator.h"
#include "tools/cli/base/report.h"
#include "tools/cli/record/chunk_lines.h"

namespace tools {

// Not thread-safe: owned by the verb. `sink` and `clock` outlive it.
class CaptureImport {
 public:
  CaptureImport(engine::CommandSink& sink, engine::ManualClock& clock, bool use_yes_price)
      : reader_(use_yes_price), translator_(sink, clock) {}

  // As ItchImport::Take().
  absl::StatusOr<bool> Take(engine::Bytes chunk);

  // OK, or INVALID_ARGUMENT "LINE: MEMBER: …" for the first malformed line; everything before it
  // has been submitted.
  const absl::Status& input_status() const { return input_status_; }
  const engine::kalshi::CaptureCounters& counters() const { return translator_.counters(); }

 private:
  // A snapshot has no time: the frames before the first time have that.
  static constexpr size_t kUntimedMax = 1000;

  // Blank lines are none.
  absl::Status TakeLine(absl::string_view line);
  absl::Status Translate(absl::string_view line, uint64_t number);
  absl::Status TranslateUntimed();

  engine::kalshi::CaptureReader reader_;
  engine::kalshi::CaptureTranslator translator_;
  ChunkLines lines_{engine::kalshi::CaptureReader::kLineBytesMax};
  bool has_time_ = false;
  std::vector<std::pair<uint64_t, std::string>> untimed_;  // Lines with their numbers.
  absl::Status input_status_;
};

// For people, and in JSON: frames by type, gaps, and what could not be followed.
void AddCaptureRows(Report& report, const engine::kalshi::CaptureCounters& counters);
void AddCaptureFields(JsonObject& json, const engine::kalshi::CaptureCounters& counters);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_CAPTURE_IMPORT_H_
