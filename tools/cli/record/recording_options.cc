#include "tools/cli/record/recording_options.h"

#include <cstddef>
#include <cstdint>
#include <map>

#include "journal/writer_options.h"
#include "tools/cli/base/engine_option.h"
#include "tools/cli/base/options.h"
#include "tools/os/cores.h"

namespace tools {
namespace {

// Twice what blocks in flight may need.
constexpr uint64_t kReserveBytes = 8 << 20;

// With a syncing thread, a group holds more records than arrive during a sync, so that the
// sequencer does not wait for it.
constexpr size_t kGroupOfTwoThreads = 1 << 16;
constexpr size_t kGroupOfOneThread = 1 << 12;

}  // namespace

void RecordingOptions::Declare(Options& options, bool path_is_required) {
  const std::map<std::string, replay::AckPolicy> policies = {
      {"none", replay::AckPolicy::kNone},
      {"written", replay::AckPolicy::kWritten},
      {"disk", replay::AckPolicy::kDisk}};
  const std::map<std::string, journal::Compression> compressions = {
      {"none", journal::Compression::kNone}, {"zstd", journal::Compression::kZstd}};
  options.Add("-o,--output", path_, "The journal: a folder that does not exist yet")
      .Type("JOURNAL")
      .Required(path_is_required);
  options
      .AddChoice("--ack", ack_, policies,
                 "What an event waits for before it leaves: none, written (survives the process;\n"
                 "the default) or disk (survives the machine)")
      .Type("POLICY");
  AddEngineOption(options, engine_);
  options.AddChoice("--compress", writer_.compression, compressions, "zstd (the default) or none")
      .Type("HOW");
  options
      .Add("--threads", thread_count_,
           "2: another thread compresses, writes and syncs; 1: the one that matches does.\n"
           "Left out: as many as there are processors for")
      .InRange(1, 2);
  options
      .Add("--reserve", reserve_bytes_,
           "Take disk space ahead, so that a full disk refuses orders instead of ending the\n"
           "run; 0: none. Left out: 8M, where a segment has room for it")
      .Type("SIZE")
      .Size();
  options
      .Add("--max-clock-jump", clock_jump_seconds_max_,
           "Do not use a reading of the clock that jumps further ahead than this: commands keep\n"
           "the last time until it is right. Left out: 1d")
      .Type("TIME")
      .TimeSpan(/*unit_is_required=*/true, "30s, 10m, 2h or 7d")
      .InRange(int64_t{1}, int64_t{100} * 365 * 86'400);
  options.Add("--segment", writer_.segment_bytes, "Seal a segment at this size; e.g. 64M, 1G")
      .Type("SIZE")
      .Size()
      .InRange(uint64_t{64} << 10, uint64_t{16} << 30);
}

Recording::Options RecordingOptions::Get(const std::string& created_by) const {
  journal::WriterOptions writer = writer_;
  const bool has_room = kReserveBytes * 4 <= writer.segment_bytes;
  writer.reserve_bytes = reserve_bytes_.value_or(has_room ? kReserveBytes : 0);
  const int thread_count = thread_count_.value_or(UsableCores().size() < 2 ? 1 : 2);
  return {
      .path = path_,
      .created_by = created_by,
      .recorder = {.ack = ack_,
                   .group_commands = thread_count == 1 ? kGroupOfOneThread : kGroupOfTwoThreads},
      .writer = writer,
      .thread_count = thread_count,
      .engine = engine_};
}

}  // namespace tools
