#include "tools/cli/text_conversation.h"

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "replay/command_row.h"
#include "tools/cli/book_printer.h"

namespace tools {

absl::StatusOr<std::unique_ptr<TextConversation>> TextConversation::Start(const Options& options,
                                                                          engine::Clock& clock,
                                                                          Console& console) {
  std::unique_ptr<TextConversation> conversation(new TextConversation(options.account, console));
  TextConversation& self = *conversation;
  if (options.resume) {
    ASSIGN_OR_RETURN(self.recording_,
                     Recording::Resume(options.recording, clock, self, console,
                                       [&self](const journal::Record& record,
                                               std::span<const engine::Event> events) {
                                         self.OnHistory(record, events);
                                       }));
  } else {
    ASSIGN_OR_RETURN(self.recording_, Recording::Create(options.recording, clock, self));
  }
  return conversation;
}

TextConversation::TextConversation(engine::AccountId account, Console& console)
    : console_(console),
      session_(*this, *this, engine::MarketDirectory(),
               {.account = account, .auto_define_markets = true}) {}

absl::StatusOr<journal::Checkpoint> TextConversation::Finish() {
  RETURN_IF_ERROR(session_.Finish());
  return recording_->recorder().Finish();
}

absl::StatusOr<engine::SequenceNumber> TextConversation::Submit(const engine::Command& command,
                                                                engine::Bytes attachment) {
  return recording_->recorder().Submit(command, attachment);
}

void TextConversation::OnEvents(const engine::Command& command,
                                std::span<const engine::Event> events) {
  depth_.OnEvents(command, events);
  session_.OnEvents(command, events);
}

void TextConversation::OnHistory(const journal::Record& record,
                                 std::span<const engine::Event> events) {
  const engine::Command command = replay::ToCommand(*record.row);
  if (events.back().kind == engine::EventKind::kMarketDefined) {  // Others may expire first.
    const auto definition = engine::DecodeMarketDefinition(record.attachment);
    if (definition.ok()) session_.OnMarket(*definition);
  }
  depth_.OnEvents(command, events);
  session_.OnHistory(command, events);
}

void TextConversation::PrintBook(const engine::MarketDefinition* market, std::string& out) {
  if (market != nullptr) {
    absl::StrAppend(&out, FormatBook(console_, depth_, *market));
    return;
  }
  for (const auto& [id, definition] : session_.markets().all()) {
    absl::StrAppend(&out, FormatBook(console_, depth_, definition));
  }
}

}  // namespace tools
