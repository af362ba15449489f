#include "tools/cli/record/text_conversation.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "replay/command_row.h"
#include "replay/exchange_state.h"
#include "replay/recorder.h"
#include "tools/cli/record/book_text.h"
#include "tools/cli/record/resting_orders.h"

namespace tools {
absl::StatusOr<std::unique_ptr<TextConversation>> TextConversation::Start(const Options& options,
                                                                          engine::Clock& clock,
                                                                          Console& console) {
  std::unique_ptr<TextConversation> conversation(
      new TextConversation(options.account, clock, console));
  TextConversation& self = *conversation;
  Recording::Options recording = options.recording;
  recording.is_live = true;
  if (options.resume) {
    ASSIGN_OR_RETURN(self.recording_,
                     Recording::Resume(recording, self.clock_, self.listener_, self, console));
  } else {
    ASSIGN_OR_RETURN(self.recording_, Recording::Create(recording, self.clock_, self.listener_));
  }
  return conversation;
}

absl::Status TextConversation::Feed(engine::Bytes chunk, absl::FunctionRef<void()> take) {
  clock_.Restart();
  RETURN_IF_ERROR(session_.OnBytes(chunk));
  while (session_.is_full()) {
    RETURN_IF_ERROR(recording_->recorder().Poll());
    take();
    if (session_.is_full()) {
      recording_->AwaitRelease();
    } else {
      RETURN_IF_ERROR(session_.Continue());
    }
  }
  RETURN_IF_ERROR(recording_->recorder().ReleaseAcknowledged());
  take();
  return absl::OkStatus();
}

absl::Status TextConversation::OnRestored(const Restored& restored) {
  for (const auto& [id, market] : replay::ExchangeOf(restored.machine).markets().all()) {
    markets_.Add(market);
  }
  ASSIGN_OR_RETURN(
      const uint64_t nameless,
      RepeatRestingOrders(
          restored, console_, [&](engine::AccountId account) { return account == account_.id(); },
          [&](const engine::Command& command, std::span<const engine::Event> events) {
            session_.OnHistory(command, events);
          }));
  if (nameless != 0) {
    console_.Note("warning: the journal begins at @", restored.reader.info().first_sequence.value(),
                  ", after the commands that made ", nameless, " of the orders of account ",
                  account_.id().value(), " that still rest: this session does not know their ids");
  }
  return absl::OkStatus();
}

void TextConversation::OnHistory(const journal::Record& record,
                                 std::span<const engine::Event> events) {
  if (events.back().kind == engine::EventKind::kMarketDefined) {  // Expiries may precede it.
    const auto definition = engine::DecodeMarketDefinition(record.attachment);
    if (definition.ok()) markets_.Add(*definition);
  }
  session_.OnHistory(replay::ToCommand(*record.row), events);
}

absl::StatusOr<bool> TextConversation::SetAckPolicy(engine::TextAckPolicy policy) {
  constexpr replay::AckPolicy kPolicies[] = {replay::AckPolicy::kNone, replay::AckPolicy::kWritten,
                                             replay::AckPolicy::kDisk};
  RETURN_IF_ERROR(recording_->recorder().SetAckPolicy(kPolicies[static_cast<size_t>(policy)]));
  return true;
}

// All submitted commands are applied already, so the engine's book agrees with the replies before
// this one.
void TextConversation::PrintBook(const engine::MarketDefinition* market, std::string& out) {
  AppendBooks(recording_->machine(), markets_, market, out);
}

}  // namespace tools
