#include "engine/gateway/text_account.h"

#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/quantity.h"

namespace engine {

KnownOrder* TextAccount::FindLiveOrder(OrderId order) {
  KnownOrder* const known = orders_.Find(order);
  return known == nullptr || known->has_ended ? nullptr : known;
}

TextAccount::IdProblem TextAccount::ProblemOf(uint64_t client_id) const {
  if (FindLive(client_id) != nullptr) return IdProblem::kDuplicate;
  if (memory_ == nullptr) return IdProblem::kNone;
  const UsedIds& used = memory_->IdsOf(id_);
  if (used.Contains(client_id)) return IdProblem::kDuplicate;
  return used.HasRoomFor(client_id) ? IdProblem::kNone : IdProblem::kTooMany;
}

void TextAccount::OnEvent(const Command& command, const Event& event, Audience audience) {
  audience_ = audience;
  switch (event.kind) {
    case EventKind::kMarketDefined: {
      const MarketDefinition* const market = markets_.Find(event.market);
      if (IsOurs(command) && market != nullptr) {
        Answer([&](std::string& out) { AppendDefined(*market, out); });
      }
      return;
    }
    case EventKind::kAccepted: {
      if (IsOurs(command)) OnAccepted(command, event);
      return;
    }
    case EventKind::kTrade:
      Fill(event.order_id, event, FillParty::kMaker);
      return Fill(event.counter_order_id, event, FillParty::kTaker);
    case EventKind::kCancelled:
    case EventKind::kReduced:
    case EventKind::kAmended:
      return OnChanged(event);
    case EventKind::kReplaced:
      return OnReplaced(command, event);
    case EventKind::kRejected:
      return OnRejected(command, event);
    case EventKind::kBalance:
      if (IsOurs(event)) Tell([&](std::string& out) { AppendBalance(event, out); });
      return;
    case EventKind::kPosition: {
      const MarketDefinition* const market = markets_.Find(event.market);
      if (IsOurs(event) && market != nullptr) {
        Tell([&](std::string& out) { AppendPosition(event, *market, out); });
      }
      return;
    }
    default:
      return;
  }
}

void TextAccount::OnAccepted(const Command& command, const Event& event) {
  const uint64_t id = command.client_order_id.value();
  const MarketDefinition* const market = markets_.Find(event.market);
  if (market == nullptr) return;
  Remember(event, id, market);
  Answer([&](std::string& out) { AppendAck(id, event.order_id, out); });
}

void TextAccount::OnChanged(const Event& event) {
  KnownOrder* const order = FindLiveOrder(event.order_id);
  if (order == nullptr) return;
  const uint64_t id = order->client_id;
  const MarketDefinition& market = *order->market;
  if (event.kind == EventKind::kCancelled) {
    Tell([&](std::string& out) { AppendCancelled(id, event, market, out); });
    orders_.End(*order, event.sequence);
  } else if (event.kind == EventKind::kReduced) {
    order->total = order->filled + event.quantity_remaining;
    Tell([&](std::string& out) { AppendReduced(id, event, market, out); });
  } else {
    order->total = event.quantity;
    Tell([&](std::string& out) { AppendModified(id, event, order->remaining(), market, out); });
  }
}

// No request of the text protocol replaces an order; another client of the account may.
void TextAccount::OnReplaced(const Command& command, const Event& event) {
  KnownOrder* const ended = FindLiveOrder(event.counter_order_id);
  if (ended == nullptr) return;
  const MarketDefinition* const market = ended->market;
  const uint64_t id = command.client_order_id.value();
  Tell([&](std::string& out) { AppendReplaced(ended->client_id, id, event, *market, out); });
  orders_.End(*ended, event.sequence);
  Remember(event, id, market);
}

void TextAccount::OnRejected(const Command& command, const Event& event) {
  if (!IsOurs(command)) return;
  if (command.kind == CommandKind::kDefineMarket) {
    const MarketDefinition* const market = markets_.Find(command.market);
    if (market == nullptr) return;
    return Answer([&](std::string& out) {
      AppendMarketError(market->symbol, NameOf(event.reject_reason()), out);
    });
  }
  if (command.kind == CommandKind::kNewOrder) {
    // The client id is then known as that of an ended order.
    const MarketDefinition* const market = markets_.Find(command.market);
    if (market != nullptr) {
      orders_.End(orders_.Remember(OrderIdOf(command.sequence), command.client_order_id.value(),
                                   market, command.quantity),
                  command.sequence);
    }
  }
  Answer([&](std::string& out) {
    AppendReject(command.client_order_id.value(), event.reject_reason(), out);
  });
}

void TextAccount::Fill(OrderId order_id, const Event& trade, FillParty party) {
  KnownOrder* const order = FindLiveOrder(order_id);
  if (order == nullptr) return;
  order->filled += trade.quantity;
  Tell([&](std::string& out) {
    AppendFill(order->client_id, trade, party, order->remaining(), *order->market, out);
  });
  if (order->remaining().is_zero()) orders_.End(*order, trade.sequence);
}

}  // namespace engine
