// The options of every verb that writes a journal.

#ifndef TOOLS_CLI_RECORD_RECORDING_OPTIONS_H_
#define TOOLS_CLI_RECORD_RECORDING_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "journal/guarded_clock.h"
#include "journal/writer_options.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/format.h"
#include "tools/cli/record/recording.h"
#include "tools/os/monotonic_clock.h"
#include "tools/os/system_clock.h"

namespace tools {

class Options;

class RecordingOptions {
 public:
  // Declares the options. The path is required if `path_is_required`.
  void Declare(Options& options, bool path_is_required);

  Recording::Options Get(const std::string& created_by) const;
  const std::string& path() const { return path_; }
  void set_path(const std::string& path) { path_ = path; }
  replay::AckPolicy ack() const { return ack_; }
  int64_t clock_jump_seconds_max() const { return clock_jump_seconds_max_; }

 private:
  std::string path_;
  replay::AckPolicy ack_ = replay::AckPolicy::kWritten;
  journal::WriterOptions writer_;
  std::optional<uint64_t> reserve_bytes_;
  std::optional<int> thread_count_;
  int64_t clock_jump_seconds_max_ = 86'400;
  replay::EngineKind engine_ = replay::EngineKind::kFast;
};

// The real time for a live session, without readings that jump ahead.

// Not thread-safe: owned by the verb. Warns on `console`, which outlives it.
class LiveClock final : public engine::Clock {
 public:
  LiveClock(int64_t jump_seconds_max, Console& console)
      : guarded_(system_, steady_, jump_seconds_max * 1'000'000'000,
                 [&console, jump_seconds_max](engine::Timestamp refused, engine::Timestamp used) {
                   console.Error(
                       absl::StrCat("warning: the clock says ", refused.ToString(), ", more than ",
                                    HumanSeconds(static_cast<double>(jump_seconds_max)),
                                    " ahead of its last value: not used; commands are stamped ",
                                    used.ToString(), " until it is right (--max-clock-jump)\n"));
                 }) {}

  engine::Timestamp Now() override { return guarded_.Now(); }

 private:
  SystemClock system_;
  MonotonicClock steady_;
  journal::GuardedClock guarded_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORDING_OPTIONS_H_
