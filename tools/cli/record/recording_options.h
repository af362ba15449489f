// The options of every verb that writes a journal.

#ifndef TOOLS_CLI_RECORD_RECORDING_OPTIONS_H_
#define TOOLS_CLI_RECORD_RECORDING_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "journal/writer_options.h"
#include "tools/cli/record/recording.h"

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

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_RECORDING_OPTIONS_H_
