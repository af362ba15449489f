#include "tools/cli/record/testing/applied_directly.h"

#include "engine/messages/event.h"
#include "engine/state/resting_order.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/engines.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"

namespace tools {

AppliedDirectly::AppliedDirectly(engine::Clock& clock, engine::EventListener* listener)
    : clock_(clock),
      listener_(listener),
      machine_(replay::MakeEngine(replay::EngineKind::kFast)),
      driver_(*machine_) {}

absl::StatusOr<engine::SequenceNumber> AppliedDirectly::Submit(const engine::Command& command,
                                                               engine::Bytes attachment) {
  engine::Command sequenced = command;
  sequenced.sequence = driver_.last_applied().Next();
  sequenced.timestamp = clock_.Now();
  const journal::Row row = replay::ToRow(sequenced);
  const auto events = replay::AsEvents(driver_.Apply({.row = &row, .attachment = attachment}));
  for (const engine::Event& event : events) {
    rejected_ += event.kind == engine::EventKind::kRejected ? 1 : 0;
  }
  if (listener_ != nullptr) listener_->OnEvents(sequenced, events);
  return sequenced.sequence;
}

BookOfTest AppliedDirectly::BookOf(engine::MarketId market) const {
  BookOfTest book;
  replay::ExchangeOf(*machine_).VisitOrdersOf(market, [&](const engine::RestingOrder& order) {
    book[{order.side, order.price.units()}].push_back(order.quantity_remaining.units());
  });
  return book;
}

}  // namespace tools
