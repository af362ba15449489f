#include "replay/market_follower.h"

#include "engine/base/status_macros.h"
#include "replay/exchange_state.h"

namespace replay {

void MarketFollower::Know(const Machine& machine) {
  const ExchangeState* const exchange = FindExchange(machine);
  if (exchange == nullptr) return;
  for (const auto& [id, definition] : exchange->markets().all()) markets_.Add(definition);
}

absl::Status MarketFollower::FollowUntil(journal::Reader& reader, engine::SequenceNumber first) {
  RETURN_IF_ERROR(reader.SeekToSequence(reader.info().first_sequence));
  while (true) {
    ASSIGN_OR_RETURN(const journal::Batch batch, reader.NextBatchWithAttachments(first));
    if (batch.empty()) break;
    FollowMarkets(batch.Part(0, first - batch.rows.front().sequence), markets_);
  }
  return reader.SeekToSequence(first);
}

}  // namespace replay
