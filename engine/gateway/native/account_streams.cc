#include "engine/gateway/native/account_streams.h"

#include "engine/messages/kinds.h"
#include "engine/types/side.h"
#include "engine/wire/native/frames.h"

namespace engine {
namespace {

using native::EventFrame;
using native::TradeRole;

// Calls `visit` with each account that the event concerns, and with its role if it is a trade.
template <typename Visit>
void VisitParties(const Command& command, const Event& event, Visit visit) {
  visit(event.account, TradeRole::kMaker);
  if (event.kind == EventKind::kTrade) visit(command.account, TradeRole::kTaker);
}

EventFrame FrameOf(const Command& command, const Event& event, AccountId account, TradeRole role,
                   const NativeStamps& stamps) {
  EventFrame frame = {.kind = static_cast<uint8_t>(event.kind),
                      .side = static_cast<uint8_t>(event.side),
                      .detail = event.detail,
                      .market = event.market.value(),
                      .sequence = event.sequence.value(),
                      .order_id = event.order_id.value(),
                      .price = event.price.units(),
                      .quantity = event.quantity.units()};
  switch (event.kind) {
    case EventKind::kTrade:
      frame.detail = static_cast<uint8_t>(role);
      if (role == TradeRole::kMaker) break;
      frame.order_id = event.counter_order_id.value();
      if (IsValid(event.side)) frame.side = static_cast<uint8_t>(Opposite(event.side));
      break;
    case EventKind::kReplaced:
      frame.order_id = event.counter_order_id.value();
      break;
    case EventKind::kBalance:
      frame.price = event.balance().micros();
      frame.quantity = static_cast<uint64_t>(event.reserved().micros());
      break;
    default:
      break;
  }
  if (command.account != account) return frame;
  frame.client_order_id = command.client_order_id.value();
  frame.received_at = stamps.received_at;
  frame.waited_nanos = stamps.waited_nanos;
  frame.engine_nanos = stamps.engine_nanos;
  return frame;
}

}  // namespace

AccountStreams::AccountStreams(const std::vector<NativeLogin>& logins, size_t events_kept) {
  for (const NativeLogin& login : logins) {
    std::unique_ptr<EventStream>& stream = streams_[login.account];
    if (stream == nullptr) stream = std::make_unique<EventStream>(events_kept);
  }
}

void AccountStreams::OnApplied(const Command& command, std::span<const Event> events,
                               const NativeStamps& stamps) {
  for (const Event& event : events) {
    VisitParties(command, event, [&](AccountId account, TradeRole role) {
      EventStream* const stream = Find(account);
      if (stream != nullptr) stream->Append(FrameOf(command, event, account, role, stamps));
    });
  }
}

void AccountStreams::OnReleased(const Command& command, std::span<const Event> events,
                                absl::FunctionRef<void(AccountId account)> wake) {
  for (const Event& event : events) {
    VisitParties(command, event, [&](AccountId account, TradeRole) {
      EventStream* const stream = Find(account);
      if (stream == nullptr) return;
      stream->ReleaseOne();
      wake(account);
    });
  }
}

}  // namespace engine
