// What `record` was asked for, and what its sources have in common.

#ifndef TOOLS_CLI_RECORD_RECORD_REQUEST_H_
#define TOOLS_CLI_RECORD_RECORD_REQUEST_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/timestamp.h"
#include "engine/wire/itch/translator.h"
#include "engine/workload/order_flow.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/report.h"
#include "tools/cli/record/record_input.h"
#include "tools/cli/record/recording.h"
#include "tools/cli/record/source.h"
#include "tools/os/input.h"

namespace tools {

// 2026-01-01T00:00:00Z.
inline constexpr engine::Timestamp kWorkloadStart =
    engine::Timestamp::FromNanos(1'767'225'600'000'000'000);

// A regular value type: the options.
struct RecordRequest {
  Source source = Source::kItch;
  std::string input = "-";
  std::optional<std::string> date;
  std::string books;
  std::string symbol;
  bool check_executions = false;
  bool allow_gaps = false;
  engine::ItchMode mode = engine::ItchMode::kMatch;
  bool use_yes_price = false;
  bool strict = false;
  uint32_t account = 1;
  uint64_t command_count = 1'000'000;
  bench::OrderFlow::Options workload = {.start = kWorkloadStart};
  RecordingOptions recording;

  // Of the journal.
  const std::string& path() const { return recording.recording.path; }

  Recording::Options From(absl::string_view source_name) const;
  Report BeginReport(const std::string& source_name) const;

  // The exit code of input that is well formed.
  absl::StatusOr<ExitCode> CheckStrict(uint64_t rejected, uint64_t lines_refused) const;

  // The commands that came before malformed input are kept; `from` says what they were made of, as
  // in " of the 3 frames". Without any, removes the journal.
  absl::Status Malformed(absl::string_view message, const Recorded& recorded,
                         absl::string_view from) const;
  // The same for damaged compression.
  absl::Status Damaged(const Input& input, const Recorded& recorded) const;
};

// ---- record_feeds.cc: market data of exchanges.
absl::StatusOr<ExitCode> RecordItch(const RecordRequest& request, Console& console);
absl::StatusOr<ExitCode> RecordCapture(const RecordRequest& request, Console& console);
absl::StatusOr<ExitCode> RecordDbn(const RecordRequest& request, Console& console);
absl::StatusOr<ExitCode> RecordLobster(const RecordRequest& request, Console& console);

// ---- record_commands.cc: commands as this program has them.
absl::StatusOr<ExitCode> RecordText(const RecordRequest& request, Console& console);
absl::StatusOr<ExitCode> RecordWorkload(const RecordRequest& request, Console& console);
absl::StatusOr<ExitCode> RecordTable(const RecordRequest& request, Console& console);

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORD_REQUEST_H_
