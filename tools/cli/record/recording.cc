#include "tools/cli/record/recording.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "journal/writer_stats.h"
#include "replay/event_outputs.h"
#include "replay/exchange_machine.h"
#include "replay/output.h"
#include "replay/snapshot/snapshot_file.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/files.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/cli/read/snapshots.h"
#include "tools/os/cores.h"
#include "tools/os/entropy.h"
#include "tools/os/system_clock.h"

namespace tools {

using engine::SequenceNumber;

namespace {

// Spinning is worth it: waking a sleeper takes longer than submitting a small group to the disk's
// queue.
constexpr uint32_t kSpinCount = 2'000;

constexpr int64_t kWaitNanos = 1'000'000'000;

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
    const auto& before = recovery.sidecar_notes;
    const bool was_noted = std::find(before.begin(), before.end(), note) != before.end();
    if (!was_noted) console.Note("note: ", note);
  }
}

// Rounds up, so as not to wake too early. REQUIRES: at most some seconds.
int MillisOf(int64_t nanos) { return static_cast<int>((nanos + 999'999) / 1'000'000); }

journal::Uuid RandomUuid() { return journal::Uuid::FromWords(RandomWord(), RandomWord()); }

}  // namespace

absl::StatusOr<std::unique_ptr<Recording>> Recording::Create(const Options& options,
                                                             engine::Clock& clock,
                                                             engine::EventListener& listener) {
  std::unique_ptr<Recording> recording(new Recording());
  recording->machine_ = replay::MakeEngine(options.engine);
  recording->driver_.emplace(*recording->machine_);
  ASSIGN_OR_RETURN(recording->directory_,
                   journal::OpenPosixDirectory(options.path, journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(const journal::WriterOptions writer, recording->PrepareThreads(options));
  ASSIGN_OR_RETURN(
      recording->writer_,
      journal::Writer::Create(*recording->directory_, ExchangeMetadata(options.created_by),
                              RandomUuid(), SystemClock().Now(), writer));
  ASSIGN_OR_RETURN(
      recording->sidecar_,
      journal::SidecarWriter::Create(*recording->directory_, recording->writer_->journal_uuid()));
  RETURN_IF_ERROR(recording->Begin(options, clock, listener));
  return recording;
}

absl::StatusOr<std::unique_ptr<Recording>> Recording::Resume(
    const Options& options, engine::Clock& clock, engine::EventListener& listener, Console& console,
    OnRestored on_restored, History history) {
  std::unique_ptr<Recording> recording(new Recording());
  ASSIGN_OR_RETURN(recording->directory_,
                   journal::OpenPosixDirectory(options.path, journal::DirectoryMode::kReadWrite));
  RETURN_IF_ERROR(CheckEndsAfterSnapshots(*recording->directory_));
  ASSIGN_OR_RETURN(const journal::WriterOptions writer, recording->PrepareThreads(options));
  ASSIGN_OR_RETURN(recording->writer_,
                   journal::Writer::Open(
                       *recording->directory_, ExchangeMetadata(options.created_by), RandomUuid(),
                       SystemClock().Now(), writer,
                       [&] { return recording->Restore(options, console, on_restored, history); }));
  ASSIGN_OR_RETURN(
      recording->sidecar_,
      journal::SidecarWriter::Open(*recording->directory_, recording->writer_->journal_uuid(),
                                   recording->driver_->last_applied()));
  NoteRecovered(recording->writer_->recovery(), *recording->sidecar_, console);
  RETURN_IF_ERROR(recording->Begin(options, clock, listener));
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
  ASSIGN_OR_RETURN(sequencing_, InputDoorbell::Make(spin_count));
  writing_ = std::make_unique<FutexDoorbell>(spin_count);
  threads_.emplace(journal::WriterThreads{.sequencing = *sequencing_, .writing = *writing_});
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
  recorder_ = std::make_unique<replay::Recorder>(*writer_, clock, *sidecar_, *driver_, listener,
                                                 options.recorder);
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
    if (until_expiry == replay::ExpiryTimer::kNever || input.IsReady(MillisOf(until_expiry))) {
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

absl::Status Recording::Restore(const Options& options, Console& console, OnRestored on_restored,
                                History history) {
  absl::StatusOr<std::unique_ptr<journal::Reader>> opened = journal::Reader::Open(*directory_);
  if (absl::IsNotFound(opened.status())) {
    // The writer stopped before it had written anything.
    machine_ = replay::MakeEngine(options.engine);
    driver_.emplace(*machine_);
    return absl::OkStatus();
  }
  RETURN_IF_ERROR(opened.status());
  const std::unique_ptr<journal::Reader> reader = *std::move(opened);
  const journal::JournalInfo& info = reader->info();
  SequenceNumber history_begin;
  if (info.last_sequence.value() > kHistoryRecords) {
    history_begin = info.last_sequence - kHistoryRecords;
  }
  absl::StatusOr<replay::StartingPoint> start =
      StartFromSnapshot(*directory_, info, history_begin, options.engine, console);
  // Falls back to as much history as can be replayed.
  if (absl::IsFailedPrecondition(start.status())) {
    ASSIGN_OR_RETURN(const SequenceNumber oldest, OldestStart(*directory_, info));
    start = StartFromSnapshot(*directory_, info, oldest, options.engine, console);
  }
  if (absl::IsFailedPrecondition(start.status())) {
    start = StartFromSnapshot(*directory_, info, info.last_sequence, options.engine, console);
  }
  RETURN_IF_ERROR(start.status());
  machine_ = std::move(start->machine);
  driver_.emplace(*machine_);
  if (start->snapshot.has_value()) {
    snapshot_ = start->snapshot->sequence;
    driver_->ResumeAt(replay::CheckpointOf(*start->snapshot), start->snapshot->event_count);
  }
  Progress progress(console, "replay", "records", info.last_sequence.value());
  RETURN_IF_ERROR(ReplaySilently(history_begin, *reader, progress));
  if (driver_->last_applied() != SequenceNumber()) {
    RETURN_IF_ERROR(on_restored(*machine_, *reader, *directory_));
  }
  return ReplayUpTo(info.last_sequence, *reader, progress, history);
}

absl::Status Recording::ReplaySilently(SequenceNumber last, journal::Reader& reader,
                                       Progress& progress) {
  if (driver_->last_applied() >= last) return absl::OkStatus();
  RETURN_IF_ERROR(reader.SeekToSequence(driver_->last_applied().Next()));
  ReadAhead ahead(reader);
  while (driver_->last_applied() < last) {
    ASSIGN_OR_RETURN(const journal::Batch batch, ahead.NextBatch());
    if (batch.empty()) break;
    driver_->ApplyBatch(batch, last);
    progress.Show(driver_->last_applied().value());
  }
  return absl::OkStatus();
}

absl::Status Recording::ReplayUpTo(SequenceNumber last, journal::Reader& reader, Progress& progress,
                                   History history) {
  if (driver_->last_applied() >= last) return absl::OkStatus();
  RETURN_IF_ERROR(reader.SeekToSequence(driver_->last_applied().Next()));
  return driver_->Run(reader, last,
                      [&](const journal::Record& record, std::span<const replay::Output> outputs) {
                        progress.Update(record.sequence().value());
                        history(record, replay::AsEvents(outputs));
                        return true;
                      });
}

}  // namespace tools
