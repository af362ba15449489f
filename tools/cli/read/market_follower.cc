#include "tools/cli/read/market_follower.h"

#include <utility>

#include "engine/base/status_macros.h"
#include "engine/messages/command.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "replay/command_row.h"

namespace tools {

void MarketFollower::Follow(const journal::Record& record) {
  if (record.attachment.empty()) return;
  const engine::Command command = replay::ToCommand(*record.row);
  if (command.kind != engine::CommandKind::kDefineMarket) return;
  absl::StatusOr<engine::MarketDefinition> definition =
      engine::DecodeMarketDefinition(record.attachment);
  if (definition.ok() && definition->id == command.market) markets_.Add(*std::move(definition));
}

void MarketFollower::Know(const replay::Machine& machine) {
  if (machine.markets() == nullptr) return;
  for (const auto& [id, definition] : machine.markets()->all()) markets_.Add(definition);
}

absl::Status MarketFollower::FollowUntil(journal::Reader& reader, engine::SequenceNumber first) {
  RETURN_IF_ERROR(reader.SeekToSequence(reader.info().first_sequence));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatch());
    if (batch.empty()) break;
    const engine::SequenceNumber batch_first = batch.rows.front().sequence;
    for (const journal::AttachmentView& attachment : batch.attachments) {
      if (attachment.sequence >= first) break;
      Follow(
          {.row = &batch.rows[attachment.sequence - batch_first], .attachment = attachment.bytes});
    }
    if (batch.rows.back().sequence >= first) break;
  }
  return reader.SeekToSequence(first);
}

}  // namespace tools
