#include "tools/cli/record/recording.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/output.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/options.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/entropy.h"
#include "tools/os/thread.h"

namespace tools {

using engine::SequenceNumber;

namespace {

// Spinning is worth it: waking a sleeper takes longer than submitting a small group to the disk's
// queue.
constexpr uint32_t kSpinCount = 2'000;

constexpr int64_t kWaitNanos = 1'000'000'000;

// Twice what blocks in flight may need.
constexpr uint64_t kReserveBytes = 8 << 20;

// With a syncing thread, a group holds more records than arrive during a sync, so that the
// sequencer does not wait for it.
constexpr size_t kGroupOfTwoThreads = 1 << 16;
constexpr size_t kGroupOfOneThread = 1 << 12;

// Notes what recovery has moved out of the journal, and where it is kept.
void NoteRecovered(const journal::RecoverySummary& recovery, const journal::SidecarWriter& sidecar,
                   Console& console) {
  if (recovery.bytes_set_aside > 0) {
    console.Note(
        "note: the journal had ", recovery.bytes_set_aside,
        " bytes after its end that were never acknowledged; they are kept in a .torn file");
  }
  for (const std::string& note : recovery.sidecar_notes) console.Note("note: ", note);
  for (const std::string& note : sidecar.notes()) {
    if (std::ranges::count(recovery.sidecar_notes, note) == 0) console.Note("note: ", note);
  }
}

journal::Uuid RandomUuid() { return journal::Uuid::FromWords(RandomWord(), RandomWord()); }

// Returns the state at or before `at`, or else the earliest state that a replay can start from.
absl::StatusOr<replay::StartingPoint> StartBefore(SequenceNumber at,
                                                  const journal::Directory& directory,
                                                  const journal::JournalInfo& info,
                                                  replay::EngineKind engine, Console& console,
                                                  replay::WithMemory with_memory) {
  auto start = StartFromSnapshot(directory, info, at, engine, console, with_memory);
  if (absl::IsFailedPrecondition(start.status())) {
    ASSIGN_OR_RETURN(const SequenceNumber oldest, OldestStart(directory, info));
    start = StartFromSnapshot(directory, info, oldest, engine, console, with_memory);
  }
  if (absl::IsFailedPrecondition(start.status())) {
    start = StartFromSnapshot(directory, info, info.last_sequence, engine, console, with_memory);
  }
  return start;
}

// Applies the records up to `last`, which another thread decodes ahead.
absl::Status ApplyUpTo(SequenceNumber last, journal::Reader& reader, replay::Driver& driver,
                       Progress& progress) {
  if (driver.last_applied() >= last) return absl::OkStatus();
  RETURN_IF_ERROR(reader.SeekToSequence(driver.last_applied().Next()));
  ReadAhead ahead(reader);
  while (driver.last_applied() < last) {
    ASSIGN_OR_RETURN(const journal::Batch batch, ahead.NextBatch());
    if (batch.empty()) break;
    driver.ApplyBatch(batch, last);
    progress.Show(driver.last_applied().value());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<Recording>> Recording::Create(const Options& options,
                                                             engine::Clock& clock,
                                                             engine::EventListener& listener) {
  std::unique_ptr<Recording> recording(new Recording());
  Recording& self = *recording;
  self.state_.machine = replay::MakeEngine(options.engine);
  self.state_.driver.emplace(*self.state_.machine);
  ASSIGN_OR_RETURN(self.directory_,
                   journal::OpenPosixDirectory(options.path, journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(const journal::WriterOptions writer, self.PrepareThreads(options));
  ASSIGN_OR_RETURN(self.writer_,
                   journal::Writer::Create(*self.directory_,
                                           ExchangeMetadata(options.created_by, options.time_zone),
                                           RandomUuid(), SystemClock().Now(), writer));
  ASSIGN_OR_RETURN(self.sidecar_,
                   journal::SidecarWriter::Create(*self.directory_, self.writer_->journal_uuid()));
  RETURN_IF_ERROR(self.Begin(options, clock, listener));
  return recording;
}

absl::StatusOr<std::unique_ptr<Recording>> Recording::Resume(const Options& options,
                                                             engine::Clock& clock,
                                                             engine::EventListener& listener,
                                                             HistoryListener& history,
                                                             Console& console) {
  std::unique_ptr<Recording> recording(new Recording());
  Recording& self = *recording;
  ASSIGN_OR_RETURN(self.directory_,
                   journal::OpenPosixDirectory(options.path, journal::DirectoryMode::kReadWrite));
  RETURN_IF_ERROR(CheckEndsAfterSnapshots(*self.directory_));
  ASSIGN_OR_RETURN(const journal::WriterOptions writer, self.PrepareThreads(options));
  ASSIGN_OR_RETURN(self.writer_, journal::Writer::Open(
                                     *self.directory_, ExchangeMetadata(options.created_by),
                                     RandomUuid(), SystemClock().Now(), writer,
                                     [&] { return self.RestoreAll(options, history, console); }));
  ASSIGN_OR_RETURN(self.sidecar_,
                   journal::SidecarWriter::Open(*self.directory_, self.writer_->journal_uuid(),
                                                self.state_.driver->last_applied()));
  NoteRecovered(self.writer_->recovery(), *self.sidecar_, console);
  RETURN_IF_ERROR(self.Begin(options, clock, listener));
  return recording;
}

absl::StatusOr<journal::WriterOptions> Recording::PrepareThreads(const Options& options) {
  journal::WriterOptions writer = options.writer;
  if (options.thread_count < 2) return writer;
  // Checked before anything is written: a journal that exists could not be created again.
  const absl::Status can_start = Thread("journal", [] {}).status();
  if (!can_start.ok()) {
    return absl::Status(can_start.code(),
                        absl::StrCat(can_start.message(), "; --threads 1 does without"));
  }
  const uint32_t spin_count = UsableCores().size() < 2 ? 0 : kSpinCount;
  if (options.bell == nullptr) {
    ASSIGN_OR_RETURN(sequencing_, InputDoorbell::Make(spin_count));
  }
  // Under kNone no command waits for the writing thread, and others may need the core.
  const bool awaited = options.recorder.ack != replay::AckPolicy::kNone;
  writing_ = std::make_unique<FutexDoorbell>(awaited ? spin_count : 0);
  threads_.emplace(journal::WriterThreads{
      .sequencing = options.bell != nullptr ? *options.bell : *sequencing_, .writing = *writing_});
  writer.threads = &*threads_;
  return writer;
}

absl::Status Recording::Begin(const Options& options, engine::Clock& clock,
                              engine::EventListener& listener) {
  if (threads_.has_value()) {
    thread_ = std::make_unique<Thread>(
        "journal", [this] { writer_->RunBackground(steady_clock_); },
        [this] { writer_->StopBackground(); });
    RETURN_IF_ERROR(thread_->status());
  }
  recorder_ = std::make_unique<replay::Recorder>(*writer_, clock, *sidecar_, *state_.driver,
                                                 listener, options.recorder);
  if (options.is_live) expiry_timer_.emplace(*recorder_, clock, steady_clock_);
  return absl::OkStatus();
}

absl::Status Recording::AwaitInput(const Input& input, absl::FunctionRef<void()> turn) {
  while (true) {
    RETURN_IF_ERROR(recorder_->Poll());
    turn();
    if (recorder_->has_waiting() && input.IsReady()) return absl::OkStatus();
    int64_t until_expiry = replay::ExpiryTimer::kNever;
    if (expiry_timer_.has_value()) {
      ASSIGN_OR_RETURN(until_expiry, expiry_timer_->Tick());
    }
    if (recorder_->has_waiting()) {
      if (threads_.has_value()) {
        sequencing_->WaitOrInput(input, std::min(until_expiry, kWaitNanos));
      }
      continue;
    }
    if (!threads_.has_value()) RETURN_IF_ERROR(HeartbeatUnless(input));
    if (until_expiry == replay::ExpiryTimer::kNever) return absl::OkStatus();
    // Rounded up, so as not to wake too early.
    if (input.IsReady(static_cast<int>((until_expiry + 999'999) / 1'000'000))) {
      return absl::OkStatus();
    }
  }
}

void Recording::AwaitRelease() { sequencing_->Wait(kWaitNanos); }

absl::Status Recording::HeartbeatUnless(const Input& input) {
  constexpr int kIdleMillis = 5;
  constexpr int kPauseSyncMillis = 1000;
  if (input.IsReady(kIdleMillis)) return absl::OkStatus();
  if (writer_->durable_sequence().Next() != writer_->next_sequence()) {
    // As rarely as the writer's thread does it: input that arrives during a sync has to wait.
    if (since_pause_sync_.has_value()) {
      const double millis = 1000 * since_pause_sync_->Seconds();
      const int left = millis < kPauseSyncMillis ? kPauseSyncMillis - static_cast<int>(millis) : 0;
      if (input.IsReady(left)) return absl::OkStatus();
    }
    RETURN_IF_ERROR(writer_->Sync());
    since_pause_sync_.emplace();
  }
  return writer_->Heartbeat();
}

absl::Status Recording::RestoreAll(const Options& options, HistoryListener& history,
                                   Console& console) {
  absl::StatusOr<std::unique_ptr<journal::Reader>> opened = journal::Reader::Open(*directory_);
  if (absl::IsNotFound(opened.status())) {
    // The writer stopped before it had written anything.
    state_.machine = replay::MakeEngine(options.engine);
    state_.driver.emplace(*state_.machine);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(opened.status());
  journal::Reader& reader = **opened;
  return Restore(options, reader, *directory_, reader.info().last_sequence, history, console,
                 state_);
}

absl::Status Recording::Restore(const Options& options, journal::Reader& reader,
                                const journal::Directory& directory, SequenceNumber last,
                                HistoryListener& history, Console& console, State& state) {
  SequenceNumber history_begin;
  if (last.value() > kHistoryRecords && !options.needs_whole_history) {
    history_begin = last - kHistoryRecords;
  }
  ASSIGN_OR_RETURN(
      replay::StartingPoint start,
      StartBefore(history_begin, directory, reader.info(), options.engine, console,
                  options.is_venue ? replay::WithMemory::kYes : replay::WithMemory::kNo));
  state.machine = std::move(start.machine);
  state.driver.emplace(*state.machine);
  start.Resume(*state.driver);
  if (options.needs_whole_history && state.driver->last_applied() != SequenceNumber()) {
    return absl::FailedPreconditionError(absl::StrCat(
        options.path, ": the records up to @", state.driver->last_applied().value(),
        " are deleted, and Kalshi's API, OUCH, ITCH, the native protocol and agents need "
        "what all of them did; expected a journal "
        "from its first record on, or a venue without these"));
  }
  if (start.snapshot.has_value()) state.snapshot = start.snapshot->sequence;
  Progress progress(console, "replay", "records", last.value());
  if (!options.is_venue) {
    RETURN_IF_ERROR(ApplyUpTo(history_begin, reader, *state.driver, progress));
  }
  if (state.driver->last_applied() != SequenceNumber()) {
    engine::VenueMemory memory = std::move(start.memory).value_or(engine::VenueMemory());
    RETURN_IF_ERROR(history.OnRestored(
        {.machine = *state.machine, .reader = reader, .directory = directory, .memory = memory}));
  }
  if (state.driver->last_applied() >= last) return absl::OkStatus();
  RETURN_IF_ERROR(reader.SeekToSequence(state.driver->last_applied().Next()));
  return state.driver->Run(
      reader, last, [&](const journal::Record& record, std::span<const replay::Output> outputs) {
        progress.Update(record.sequence().value());
        history.OnHistory(record, replay::AsEvents(outputs));
        return true;
      });
}

void AddRecording(Report& report, const Recording& recording, const journal::Checkpoint& last,
                  double seconds, Booking booking) {
  const journal::WriterStats stats = recording.writer().stats();
  const double bytes_per_command = stats.records == 0 ? 0
                                                      : static_cast<double>(stats.stored_bytes) /
                                                            static_cast<double>(stats.records);
  report.Row("commands", WithCommas(stats.records), " recorded and ",
             booking == Booking::kMatched ? "matched" : "mirrored", " in ", HumanSeconds(seconds),
             ", ", HumanCount(static_cast<double>(stats.records) / seconds), "/s");
  report.Field("commands", stats.records);
  report.Field("last_sequence", last.sequence);
  report.Fact("events", "events", recording.driver().output_count());
  report.Fact("live orders", "live_orders",
              replay::ExchangeOf(recording.machine()).live_order_count());
  report.Row("journal", absl::StrFormat("%s, %.1f bytes per command, %u segment%s",
                                        HumanBytes(stats.stored_bytes), bytes_per_command,
                                        stats.segments, stats.segments == 1 ? "" : "s"));
  if (stats.segments_compacted > 0) {
    report.Row("compacted", stats.segments_compacted, " of them, ",
               HumanBytes(stats.bytes_compacted), " less");
  }
  report.Field("seconds", seconds);
  report.Field("journal_bytes", stats.stored_bytes);
  report.Field("bytes_per_command", bytes_per_command);
  report.Field("segments", stats.segments);
  report.Fact("log digest", "log_digest", last.log);
  report.Fact("trace digest", "trace_digest", last.trace);
  report.Fact("state digest", "state_digest", recording.machine().StateDigest());
}

void RecordingOptions::Declare(Options& options, bool path_is_required) {
  options.Add("-o,--output", recording.path, "The journal: a folder that does not exist yet")
      .Type("JOURNAL")
      .Required(path_is_required);
  DeclareHow(options);
  options
      .Add("--threads", thread_count,
           "2: a second thread compresses, writes and syncs the journal; 1: the thread that\n"
           "matches does it, too. The default: 2, or 1 on a machine with one processor")
      .InRange(1, 2);
}

void RecordingOptions::DeclareHow(Options& options) {
  const std::map<std::string, replay::AckPolicy> policies = {
      {"none", replay::AckPolicy::kNone},
      {"written", replay::AckPolicy::kWritten},
      {"disk", replay::AckPolicy::kDisk}};
  const std::map<std::string, journal::Compression> compressions = {
      {"none", journal::Compression::kNone}, {"zstd", journal::Compression::kZstd}};
  options
      .AddChoice("--ack", recording.recorder.ack, policies,
                 "What an event waits for before it leaves: none, written (survives the process;\n"
                 "the default) or disk (survives the machine)")
      .Type("POLICY");
  AddEngineOption(options, recording.engine);
  options
      .AddChoice("--compress", recording.writer.compression, compressions,
                 "zstd (the default) or none")
      .Type("HOW");
  options
      .Add("--reserve", reserve_bytes,
           "Take disk space ahead, so that a full disk refuses orders instead of ending the\n"
           "run; 0: none. Left out: 8M, where a segment has room for it")
      .Type("SIZE")
      .Size();
  options
      .Add("--max-clock-jump", clock_jump_seconds_max,
           "Do not use a reading of the clock that jumps further ahead than this: commands keep\n"
           "the last time until it is right. Left out: 1d")
      .Type("TIME")
      .TimeSpan(/*unit_is_required=*/true, "30s, 10m, 2h or 7d")
      .InRange(int64_t{1}, int64_t{100} * 365 * 86'400);
  options
      .Add("--segment", recording.writer.segment_bytes, "Seal a segment at this size; e.g. 64M, 1G")
      .Type("SIZE")
      .Size()
      .InRange(uint64_t{64} << 10, uint64_t{16} << 30);
}

Recording::Options RecordingOptions::Get(const std::string& created_by) const {
  Recording::Options options = recording;
  options.created_by = created_by;
  const bool has_room = kReserveBytes * 4 <= options.writer.segment_bytes;
  options.writer.reserve_bytes = reserve_bytes.value_or(has_room ? kReserveBytes : 0);
  options.thread_count = thread_count.value_or(UsableCores().size() < 2 ? 1 : 2);
  options.recorder.group_commands =
      options.thread_count == 1 ? kGroupOfOneThread : kGroupOfTwoThreads;
  return options;
}

}  // namespace tools
