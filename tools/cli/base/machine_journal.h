// A new journal whose records a machine applies as they are appended, so that their outputs are
// there immediately and digests are written beside them:
//
//   Append ─► PATH.partial/segment-*.tape ─► Driver ─► outputs     Finish ─► PATH
//                                              └─► checkpoints.trace

#ifndef TOOLS_CLI_BASE_MACHINE_JOURNAL_H_
#define TOOLS_CLI_BASE_MACHINE_JOURNAL_H_

#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "journal/digest_sidecar.h"
#include "journal/journal_metadata.h"
#include "journal/record.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "tools/cli/base/files.h"

namespace tools {

// Not thread-safe: owned by the verb. Deleted unless finished.
class MachineJournal {
 public:
  // Equal `origin` gives an equal journal: its UUID is derived from that text. `machine`, to which
  // nothing was applied, outlives it. Errors: ALREADY_EXISTS, the storage's.
  static absl::StatusOr<std::unique_ptr<MachineJournal>> Create(
      const std::string& path, const journal::JournalMetadata& metadata, absl::string_view origin,
      replay::Machine& machine);

  // Appends the next record and sets its sequence number. The outputs are valid until the next
  // call. Errors: the storage's; INVALID_ARGUMENT if its time is before the previous record's.
  absl::StatusOr<std::span<const replay::Output>> Append(journal::Row row,
                                                         engine::Bytes attachment);

  // Hands what was appended to the operating system: another program can read it, and a crash of
  // this one loses nothing of it. Errors: the storage's.
  absl::Status Write() { return writer_->Write(); }

  engine::SequenceNumber last_sequence() const { return driver_.last_applied(); }

  // Seal() ends the journal and returns the digests of all of it; Finish() renames it to its final
  // path. What belongs to it is written in between.
  absl::StatusOr<journal::Checkpoint> Seal();
  absl::Status Finish() { return folder_->Finish(); }

 private:
  explicit MachineJournal(replay::Machine& machine) : driver_(machine) {}
  journal::Checkpoint Here() const;  // The digests of what was appended.

  std::unique_ptr<UnfinishedFolder> folder_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  replay::Driver driver_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_MACHINE_JOURNAL_H_
