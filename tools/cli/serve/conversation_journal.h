// The conversations of a venue on disk: one journal for each run, VENUE/conversations/000001.tape
// and so on.

#ifndef TOOLS_CLI_SERVE_CONVERSATION_JOURNAL_H_
#define TOOLS_CLI_SERVE_CONVERSATION_JOURNAL_H_

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "journal/sequencer.h"
#include "journal/storage/storage.h"
#include "journal/writer.h"

namespace tools {

// The paths of a venue's conversations, the oldest first. Errors: the storage's.
absl::StatusOr<std::vector<std::string>> ListConversations(const std::string& venue);

// Not thread-safe: owned by the venue's thread, on which it compresses and writes. A conversation
// is a tool of its operators: after an error it keeps no more rows, and the venue goes on.
class ConversationJournal final : public engine::TalkSink {
 public:
  // Creates the next one of the venue. `clock` outlives it. Errors: the storage's.
  static absl::StatusOr<std::unique_ptr<ConversationJournal>> Create(const std::string& venue,
                                                                     engine::Clock& clock);

  engine::Timestamp Append(const engine::TalkRow& row, engine::Bytes attachment) override;

  // Hands what was appended to the system, so that it survives the process.
  void Write() {
    if (status_.ok()) status_ = writer_->Write();
  }

  // Seals it. Returns the first error of all.
  absl::Status Finish();

  const std::string& path() const { return path_; }

 private:
  ConversationJournal(std::string path, std::unique_ptr<journal::Directory> directory,
                      std::unique_ptr<journal::Writer> writer, engine::Clock& clock)
      : path_(std::move(path)),
        directory_(std::move(directory)),
        writer_(std::move(writer)),
        clock_(clock),
        sequencer_(*writer_, clock) {}

  const std::string path_;
  const std::unique_ptr<journal::Directory> directory_;
  const std::unique_ptr<journal::Writer> writer_;
  engine::Clock& clock_;
  journal::Sequencer sequencer_;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_CONVERSATION_JOURNAL_H_
