#include "bench/replay_run.h"

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "bench/apply_loop.h"
#include "bench/kept_events.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_info.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "journal/storage/posix_storage.h"
#include "journal/storage/storage.h"
#include "replay/checked_replay.h"
#include "replay/command_row.h"
#include "replay/exchange_machine.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/read/read_ahead.h"
#include "tools/os/clocks.h"

namespace bench {
namespace {

using engine::SequenceNumber;

struct OpenJournal {
  std::unique_ptr<journal::Directory> directory;
  std::unique_ptr<journal::Reader> reader;
};

absl::StatusOr<OpenJournal> Open(const std::string& path) {
  OpenJournal open;
  ASSIGN_OR_RETURN(open.directory,
                   journal::OpenPosixDirectory(path, journal::DirectoryMode::kReadOnly));
  ASSIGN_OR_RETURN(open.reader, journal::Reader::Open(*open.directory));
  const journal::JournalInfo& info = open.reader->info();
  if (info.first_sequence == SequenceNumber::First()) return open;
  return absl::FailedPreconditionError(
      absl::StrCat(path, " begins at @", info.first_sequence.value(), "; expected @1"));
}

void Apply(FastEngine& engine, const journal::Batch& batch, engine::EventBuffer& events) {
  const std::span<const engine::Command> commands = replay::AsCommands(batch.rows);
  size_t i = 0;
  for (const journal::AttachmentView& attachment : batch.attachments) {
    const size_t at = attachment.sequence - batch.rows.front().sequence;
    ApplyPlain(engine, commands, i, at, events, [](size_t) {});
    engine.Apply(commands[at], attachment.bytes, events);
    i = at + 1;
  }
  ApplyPlain(engine, commands, i, commands.size(), events, [](size_t) {});
}

}  // namespace

absl::StatusOr<ReplayResult> RunReplay(const std::string& path) {
  ASSIGN_OR_RETURN(const OpenJournal open, Open(path));
  replay::StartingPoint start;
  start.machine = std::make_unique<replay::ExchangeMachine>();
  const auto recorded = journal::ReadSidecar(*open.directory, open.reader->info().uuid,
                                             open.reader->info().last_sequence);
  const tools::Stopwatch stopwatch;
  tools::ReadAhead ahead(*open.reader);
  ASSIGN_OR_RETURN(const replay::CheckedReplay replayed,
                   replay::ReplayCheckedBatchesUnseen(
                       start, [&] { return ahead.NextBatch(); },
                       recorded.ok() ? *recorded : std::vector<journal::Checkpoint>(),
                       open.reader->info().last_sequence, [](SequenceNumber) {}));
  ReplayResult result;
  result.seconds = stopwatch.Seconds();
  result.record_count = replayed.record_count;
  if (replayed.divergence.has_value()) {
    return absl::DataLossError(absl::StrCat(path, " diverges from its recording"));
  }
  result.digests = {.trace = replayed.last.trace.value_or(engine::Digest()),
                    .state = replayed.last.state.value_or(engine::Digest())};
  return result;
}

absl::StatusOr<ReplayResult> RunUndigested(const std::string& path) {
  ASSIGN_OR_RETURN(const OpenJournal open, Open(path));
  const auto engine = std::make_unique<FastEngine>();
  KeptEvents kept;
  engine::EventBuffer events(kept);
  ReplayResult result;
  const tools::Stopwatch stopwatch;
  tools::ReadAhead ahead(*open.reader);
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, ahead.NextBatch());
    if (batch.empty()) break;
    Apply(*engine, batch, events);
    result.record_count += batch.rows.size();
  }
  result.seconds = stopwatch.Seconds();
  result.digests.state = engine->StateDigest();
  return result;
}

}  // namespace bench
