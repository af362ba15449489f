// Imports LOBSTER's message file, with the order book file or without, and reports what they held.

#ifndef TOOLS_CLI_RECORD_LOBSTER_IMPORT_H_
#define TOOLS_CLI_RECORD_LOBSTER_IMPORT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/lobster/lines.h"
#include "engine/wire/lobster/translator.h"
#include "tools/cli/base/report.h"
#include "tools/cli/record/chunk_lines.h"
#include "tools/cli/record/input_lines.h"
#include "tools/cli/record/lobster_check.h"
#include "tools/cli/record/lobster_files.h"

namespace tools {

// Not thread-safe: owned by the verb. Everything that is referred to outlives it.
class LobsterImport {
 public:
  LobsterImport(engine::CommandSink& sink, engine::ManualClock& clock, const LobsterFiles& files,
                LobsterCheck& check)
      : files_(files), check_(check), translator_(sink, clock, files.midnight, files.symbol) {}

  // As ItchImport::Take(). The chunk is not compressed.
  absl::StatusOr<bool> Take(engine::Bytes chunk);

  // OK, or INVALID_ARGUMENT "FILE:LINE: FIELD: …" for the first malformed line of either file, or
  // for files of different lengths.
  const absl::Status& input_status() const { return input_status_; }
  const engine::LobsterCounters& counters() const { return translator_.counters(); }

 private:
  static constexpr size_t kLineBytesMax = 1 << 10;

  absl::Status TakeLine(absl::string_view line);
  // Sets book_ to that of the message.
  absl::Status ReadBook();
  absl::Status FinishBooks();
  void Refuse(absl::string_view file, uint64_t line, absl::string_view why);

  const LobsterFiles& files_;
  LobsterCheck& check_;
  engine::LobsterTranslator translator_;
  ChunkLines lines_{kLineBytesMax};
  std::string book_line_;
  engine::LobsterBook book_;
  size_t depth_ = 0;  // Of all books.
  absl::Status input_status_;
};

// For people, and in JSON: messages by type, corrections, and how the books compare.
void AddLobsterRows(Report& report, const LobsterFiles& files,
                    const engine::LobsterCounters& counters, const LobsterCheck& check);
void AddLobsterFields(JsonObject& json, const engine::LobsterCounters& counters,
                      const LobsterCheck& check);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_LOBSTER_IMPORT_H_
