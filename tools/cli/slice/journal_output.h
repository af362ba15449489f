// A new journal of commands that already have their times. Each is matched as it is appended, so
// that its events are available immediately, and digests are written next to the journal.
//
//   Append ─► PATH.partial/segment-*.tape ─► Driver ─► events       Finish ─► PATH
//                                              └─► checkpoints.trace

#ifndef TOOLS_CLI_SLICE_JOURNAL_OUTPUT_H_
#define TOOLS_CLI_SLICE_JOURNAL_OUTPUT_H_

#include <memory>
#include <optional>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "journal/digest_sidecar.h"
#include "journal/writer.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "tools/cli/base/unfinished_folder.h"
#include "tools/os/output.h"

namespace tools {

// Not thread-safe: owned by the verb. Deleted unless finished.
class JournalOutput {
 public:
  // Equal `origin` gives an equal journal: its UUID is derived from that text. Errors:
  // ALREADY_EXISTS, the storage's.
  static absl::StatusOr<std::unique_ptr<JournalOutput>> Create(const std::string& path,
                                                               const std::string& created_by,
                                                               absl::string_view origin);

  // Appends the next command and sets its sequence number. The events are valid until the next
  // call. Errors: the storage's; INVALID_ARGUMENT if its time is before the previous command's.
  absl::StatusOr<std::span<const engine::Event>> Append(engine::Command command,
                                                        engine::Bytes attachment);

  engine::SequenceNumber last_sequence() const { return driver_->last_applied(); }

  // Seals the journal and renames it to its final path. Right before that, finishes `beside`, a
  // file that belongs to the journal. Returns the digests of the whole journal.
  absl::StatusOr<journal::Checkpoint> Finish(Output* beside = nullptr);

 private:
  JournalOutput() = default;
  journal::Checkpoint Here() const;

  std::unique_ptr<UnfinishedFolder> folder_;
  std::unique_ptr<journal::Writer> writer_;
  std::unique_ptr<journal::SidecarWriter> sidecar_;
  replay::ExchangeMachine machine_;
  std::optional<replay::Driver> driver_;
};

}  // namespace tools

#endif  // TOOLS_CLI_SLICE_JOURNAL_OUTPUT_H_
