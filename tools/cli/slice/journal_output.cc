#include "tools/cli/slice/journal_output.h"

#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/journal_metadata.h"
#include "journal/record.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"
#include "tools/cli/base/files.h"

namespace tools {

absl::StatusOr<std::unique_ptr<JournalOutput>> JournalOutput::Create(const std::string& path,
                                                                     const std::string& created_by,
                                                                     absl::string_view origin) {
  std::unique_ptr<JournalOutput> output(new JournalOutput());
  ASSIGN_OR_RETURN(output->folder_, UnfinishedFolder::Create(path));
  journal::Directory& directory = output->folder_->directory();
  const engine::Digest digest = engine::DigestOf(engine::AsBytes(origin));
  const journal::Uuid uuid = journal::Uuid::FromWords(digest.low, digest.high);
  ASSIGN_OR_RETURN(output->writer_, journal::Writer::Create(directory, ExchangeMetadata(created_by),
                                                            uuid, engine::Timestamp()));
  ASSIGN_OR_RETURN(output->sidecar_, journal::SidecarWriter::Create(directory, uuid));
  output->driver_.emplace(output->machine_);
  return output;
}

absl::StatusOr<std::span<const engine::Event>> JournalOutput::Append(engine::Command command,
                                                                     engine::Bytes attachment) {
  command.sequence = writer_->next_sequence();
  if (command.timestamp < writer_->last_timestamp()) {
    return absl::InvalidArgumentError(
        absl::StrCat("@", command.sequence.value(), " would be at ", command.timestamp.ToString(),
                     ", before the command before it, at ", writer_->last_timestamp().ToString()));
  }
  const journal::Row row = replay::ToRow(command);
  RETURN_IF_ERROR(writer_->Append(row, attachment));
  const auto events = replay::AsEvents(driver_->Apply({.row = &row, .attachment = attachment}));
  if (driver_->at_checkpoint()) {
    RETURN_IF_ERROR(sidecar_->Append(Here()));
  }
  return events;
}

journal::Checkpoint JournalOutput::Here() const {
  journal::Checkpoint checkpoint = driver_->Checkpoint();
  checkpoint.log = writer_->log_digest();
  return checkpoint;
}

absl::StatusOr<journal::Checkpoint> JournalOutput::Finish(Output* beside) {
  const journal::Checkpoint last = Here();
  RETURN_IF_ERROR(writer_->Close());
  if (last.sequence > engine::SequenceNumber()) {
    RETURN_IF_ERROR(sidecar_->Append(last));
  }
  RETURN_IF_ERROR(sidecar_->Close());
  RETURN_IF_ERROR(folder_->directory().Sync());
  if (beside != nullptr) RETURN_IF_ERROR(beside->Finish());
  RETURN_IF_ERROR(folder_->Finish());
  return last;
}

}  // namespace tools
