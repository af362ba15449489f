#include "tools/cli/recording.h"

#include "engine/base/status_macros.h"
#include "engine/messages/schema.h"
#include "journal/journal_metadata.h"
#include "journal/reader.h"
#include "journal/storage/posix_storage.h"
#include "journal/uuid.h"
#include "replay/exchange_machine.h"
#include "tools/cli/build_id.h"
#include "tools/cli/progress.h"
#include "tools/os/entropy.h"
#include "tools/os/system_clock.h"

namespace tools {
namespace {

journal::JournalMetadata MetadataOf(const Recording::Options& options) {
  return {.application = "ticktape exchange",
          .build_id = BuildId(),
          .semantics_version = replay::kSemanticsVersion,
          .created_by = options.created_by,
          .row_schema_id = engine::CommandSchemaId(),
          .row_schema = engine::CompiledSchema()};
}

journal::Uuid RandomUuid() { return journal::Uuid::FromWords(RandomWord(), RandomWord()); }

}  // namespace

absl::StatusOr<std::unique_ptr<Recording>> Recording::Create(const Options& options,
                                                             engine::Clock& clock,
                                                             engine::EventListener& listener) {
  std::unique_ptr<Recording> recording(new Recording(options.engine));
  ASSIGN_OR_RETURN(recording->directory_,
                   journal::OpenPosixDirectory(options.path, journal::DirectoryMode::kCreate));
  ASSIGN_OR_RETURN(recording->writer_,
                   journal::Writer::Create(*recording->directory_, MetadataOf(options),
                                           RandomUuid(), SystemClock().Now(), options.writer));
  ASSIGN_OR_RETURN(
      recording->sidecar_,
      journal::SidecarWriter::Create(*recording->directory_, recording->writer_->journal_uuid()));
  recording->recorder_ =
      std::make_unique<replay::Recorder>(*recording->writer_, clock, *recording->sidecar_,
                                         recording->driver_, listener, options.recorder);
  return recording;
}

absl::StatusOr<std::unique_ptr<Recording>> Recording::Resume(const Options& options,
                                                             engine::Clock& clock,
                                                             engine::EventListener& listener,
                                                             Console& console, History history) {
  std::unique_ptr<Recording> recording(new Recording(options.engine));
  ASSIGN_OR_RETURN(recording->directory_,
                   journal::OpenPosixDirectory(options.path, journal::DirectoryMode::kReadWrite));
  ASSIGN_OR_RETURN(recording->writer_,
                   journal::Writer::Open(*recording->directory_, MetadataOf(options), RandomUuid(),
                                         SystemClock().Now(), options.writer));
  RETURN_IF_ERROR(recording->Replay(console, history));
  ASSIGN_OR_RETURN(
      recording->sidecar_,
      journal::SidecarWriter::Open(*recording->directory_, recording->writer_->journal_uuid(),
                                   recording->driver_.last_applied()));
  recording->recorder_ =
      std::make_unique<replay::Recorder>(*recording->writer_, clock, *recording->sidecar_,
                                         recording->driver_, listener, options.recorder);
  return recording;
}

absl::Status Recording::Replay(Console& console, History history) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader,
                   journal::Reader::Open(*directory_));
  Progress progress(console, "replay", "records", reader->info().record_count());
  return driver_.Run(*reader, reader->info().last_sequence,
                     [&](const journal::Record& record, std::span<const engine::Event> events) {
                       progress.Update(record.sequence().value());
                       history(record, events);
                       return true;
                     });
}

}  // namespace tools
