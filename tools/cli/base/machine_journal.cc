#include "tools/cli/base/machine_journal.h"

#include "absl/strings/str_cat.h"
#include "engine/base/digest.h"
#include "engine/base/status_macros.h"
#include "engine/base/timestamp.h"
#include "journal/storage/storage.h"
#include "journal/uuid.h"

namespace tools {

absl::StatusOr<std::unique_ptr<MachineJournal>> MachineJournal::Create(
    const std::string& path, const journal::JournalMetadata& metadata, absl::string_view origin,
    replay::Machine& machine) {
  std::unique_ptr<MachineJournal> made(new MachineJournal(machine));
  ASSIGN_OR_RETURN(made->folder_, UnfinishedFolder::Create(path));
  journal::Directory& directory = made->folder_->directory();
  const engine::Digest digest = engine::DigestOf(engine::AsBytes(origin));
  const journal::Uuid uuid = journal::Uuid::FromWords(digest.low, digest.high);
  ASSIGN_OR_RETURN(made->writer_,
                   journal::Writer::Create(directory, metadata, uuid, engine::Timestamp()));
  ASSIGN_OR_RETURN(made->sidecar_, journal::SidecarWriter::Create(directory, uuid));
  return made;
}

absl::StatusOr<std::span<const replay::Output>> MachineJournal::Append(journal::Row row,
                                                                       engine::Bytes attachment) {
  row.sequence = writer_->next_sequence();
  if (row.timestamp < writer_->last_timestamp()) {
    return absl::InvalidArgumentError(
        absl::StrCat("@", row.sequence.value(), " would be at ", row.timestamp.ToString(),
                     ", before the command before it, at ", writer_->last_timestamp().ToString()));
  }
  RETURN_IF_ERROR(writer_->Append(row, attachment));
  const std::span<const replay::Output> outputs =
      driver_.Apply({.row = &row, .attachment = attachment});
  if (driver_.at_checkpoint()) RETURN_IF_ERROR(sidecar_->Append(Here()));
  return outputs;
}

journal::Checkpoint MachineJournal::Here() const {
  journal::Checkpoint checkpoint = driver_.Checkpoint();
  checkpoint.log = writer_->log_digest();
  return checkpoint;
}

absl::StatusOr<journal::Checkpoint> MachineJournal::Seal() {
  const journal::Checkpoint last = Here();
  RETURN_IF_ERROR(writer_->Close());
  if (last.sequence > engine::SequenceNumber()) RETURN_IF_ERROR(sidecar_->Append(last));
  RETURN_IF_ERROR(sidecar_->Close());
  RETURN_IF_ERROR(folder_->directory().Sync());
  return last;
}

}  // namespace tools
