// Connects the text protocol to a recording: bytes in; commands journalled and matched; replies
// out.
//
//   bytes ─► TextSession ─► Recorder ─► engine ─► events ─► TextSession ─► replies
//                └─ PRINT ─► its book, now; the reply is released with the last command before it

#ifndef TOOLS_CLI_RECORD_TEXT_CONVERSATION_H_
#define TOOLS_CLI_RECORD_TEXT_CONVERSATION_H_

#include <memory>
#include <span>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/text/request.h"
#include "journal/digest_sidecar.h"
#include "journal/record.h"
#include "tools/cli/base/console.h"
#include "tools/cli/read/rejections.h"
#include "tools/cli/record/recording.h"
#include "tools/os/clocks.h"
#include "tools/os/input.h"

namespace tools {

// Not thread-safe: owned by the verb.
class TextConversation final : public engine::CommandSink,
                               public engine::TextSessionHost,
                               private Recording::HistoryListener {
 public:
  struct Options {
    Recording::Options recording;
    bool resume = false;  // Resumes the existing journal.
    engine::AccountId account;
  };

  // Errors: those of Recording::Create and Resume.
  static absl::StatusOr<std::unique_ptr<TextConversation>> Start(const Options& options,
                                                                 engine::Clock& clock,
                                                                 Console& console);

  // Processes the next chunk of input. Released replies are appended to output(); `take`, called
  // one or more times, consumes and clears them. Waits for the journal while more replies are held
  // back than the session may hold.
  absl::Status Feed(engine::Bytes chunk, absl::FunctionRef<void()> take);

  // Releases the replies to all commands submitted so far.
  absl::Status Settle() { return recording_->recorder().Commit(); }

  // As Recording::AwaitInput(): orders also expire while there is no input.
  absl::Status AwaitInput(const Input& input, absl::FunctionRef<void()> turn) {
    return recording_->AwaitInput(input, [&] {
      turn();
      clock_.Restart();
    });
  }

  // Call at the end of the input: processes the last line, if it has no ending. An input that was
  // interrupted may have cut it off, and has no such end.
  absl::Status EndInput() { return session_.Finish(); }

  // Releases the last replies and seals the journal.
  absl::StatusOr<journal::Checkpoint> Finish() { return recording_->Finish(); }

  absl::string_view output() const { return session_.output(); }
  void ClearOutput() { session_.ClearOutput(); }
  const Recording& recording() const { return *recording_; }
  // Of the commands of this conversation; those of a resumed journal's history are not counted.
  const Rejections& rejections() const { return listener_.rejections(); }

  // For the session: its sink and host.
  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    return recording_->recorder().Submit(command, attachment);
  }
  absl::Status JournalStatus() const override { return recording_->recorder().status(); }
  void PrintBook(const engine::MarketDefinition* market, std::string& out) override;
  absl::StatusOr<bool> SetAckPolicy(engine::TextAckPolicy policy) override;

 private:
  TextConversation(engine::AccountId account, engine::Clock& clock, Console& console)
      : console_(console), clock_(clock), account_(account, markets_) {}
  // Gives the session what it would know had it seen all commands: the markets, and the account's
  // resting orders.
  absl::Status OnRestored(const Restored& restored) override;
  void OnHistory(const journal::Record& record, std::span<const engine::Event> events) override;

  Console& console_;
  BatchClock clock_;  // Gives the lines of one chunk of input the same time.
  std::unique_ptr<Recording> recording_;
  engine::MarketDirectory markets_;
  engine::TextAccount account_;
  engine::TextSession session_{*this, *this, markets_, account_, {.auto_define_markets = true}};
  RejectionListener listener_{&session_};
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TEXT_CONVERSATION_H_
