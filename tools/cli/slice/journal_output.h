// A journal that is made of commands which have their times already, matched on the way: what comes
// of each command is known at once, and the digests stand beside the journal.
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

// Not thread-safe: owned by the verb. What is not finished is deleted.
class JournalOutput {
 public:
  // The same `origin` is the same journal: what makes it unique is made from these words.
  // Errors: ALREADY_EXISTS, the storage's.
  static absl::StatusOr<std::unique_ptr<JournalOutput>> Create(const std::string& path,
                                                               const std::string& created_by,
                                                               absl::string_view origin);

  // The next command. Its sequence number is set here. The events are valid until the next call.
  // Errors: the storage's; INVALID_ARGUMENT where its time is before that of the one before.
  absl::StatusOr<std::span<const engine::Event>> Append(engine::Command command,
                                                        engine::Bytes attachment);

  engine::SequenceNumber last_sequence() const { return driver_->last_applied(); }

  // Seals it, and gives it its name, and right before that `beside`, a file that belongs to it, its
  // own. The digests of all of it.
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
