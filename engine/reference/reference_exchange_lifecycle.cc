#include <cstdint>

#include "engine/base/check.h"
#include "engine/reference/reference_attachments.h"
#include "engine/reference/reference_exchange.h"
#include "engine/reference/reference_exchange_arrival.h"
#include "engine/state/state_digest.h"

namespace engine {

const ReferenceExchange::Market* ReferenceExchange::FindMarket(MarketId id) const {
  const auto found = markets_.find(id);
  return found == markets_.end() ? nullptr : &found->second;
}

RejectReason ReferenceExchange::DefineMarket(const Command& command, Bytes attachment) {
  const auto definition = ReadReferenceDefinition(attachment);
  if (!definition.has_value() || definition->id != command.market) {
    return RejectReason::kMalformedDefinition;
  }
  if (FindMarket(command.market) != nullptr) return RejectReason::kMarketAlreadyDefined;
  if (directory_.FindSymbol(definition->symbol) != nullptr) {
    return RejectReason::kSymbolAlreadyDefined;
  }
  CHECK(directory_.Add(*definition));
  Market market;
  market.definition = directory_.Find(command.market);
  market.digest = DigestOfMarket(*definition);
  if (definition->starts_unopened) market.state = MarketState::kUnopened;
  if (market.is_binary()) market.fees = default_fees_;
  markets_.emplace(command.market, market);
  events_->Append(EventKind::kMarketDefined).market = command.market;
  return RejectReason::kNone;
}

void ReferenceExchange::SetMarketState(MarketId id, MarketState state) {
  markets_.at(id).state = state;
  Event& event = events_->Append(EventKind::kMarketState);
  event.market = id;
  event.detail = static_cast<uint8_t>(state);
}

RejectReason ReferenceExchange::OpenMarket(const Command& command) {
  const Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  const bool opens = market->state == MarketState::kUnopened ||
                     market->state == MarketState::kPaused ||
                     (market->state == MarketState::kClosed && !market->is_binary());
  if (!opens) return RejectReason::kMarketStateForbids;
  SetMarketState(command.market, MarketState::kOpen);
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::PauseMarket(const Command& command) {
  const Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  if (market->state != MarketState::kOpen) return RejectReason::kMarketStateForbids;
  SetMarketState(command.market, MarketState::kPaused);
  CancelInMarket(*market, CancelReason::kMarketPaused,
                 [](const RestingOrder& order) { return order.flags.cancel_on_pause(); });
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::CloseMarket(const Command& command) {
  const Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  const bool closes = market->state == MarketState::kUnopened ||
                      market->state == MarketState::kOpen || market->state == MarketState::kPaused;
  if (!closes) return RejectReason::kMarketStateForbids;
  SetMarketState(command.market, MarketState::kClosed);
  CancelInMarket(*market, CancelReason::kMarketClosed, [&](const RestingOrder& order) {
    return market->is_binary() || order.tif == TimeInForce::kDay;
  });
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::DetermineMarket(const Command& command) {
  const Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  if (!market->is_binary()) return RejectReason::kMarketNotBinary;
  if (market->state != MarketState::kClosed) return RejectReason::kMarketStateForbids;
  int64_t dollar = 1;
  for (int i = 0; i < market->definition->price_decimals; ++i) dollar *= 10;
  if (command.price.units() < 0 || command.price.units() > dollar) {
    return RejectReason::kInvalidSettlement;
  }
  markets_.at(command.market).settlement_value = command.price;
  SetMarketState(command.market, MarketState::kDetermined);
  Event& event = events_->Append(EventKind::kDetermined);
  event.market = command.market;
  event.price = command.price;
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::SettleMarket(const Command& command) {
  const Market* const market = FindMarket(command.market);
  if (market == nullptr) return RejectReason::kUnknownMarket;
  if (!market->is_binary()) return RejectReason::kMarketNotBinary;
  if (market->state != MarketState::kDetermined) return RejectReason::kMarketStateForbids;
  SetMarketState(command.market, MarketState::kSettled);
  for (const auto& [id, account] : accounts_) {
    if (Position(id, command.market) != 0) PayOut(id, command.market);
  }
  return RejectReason::kNone;
}

RejectReason ReferenceExchange::SetExchangeState(ExchangeState state) {
  if (state_ == state) return RejectReason::kExchangeStateForbids;
  state_ = state;
  events_->Append(EventKind::kExchangeState).detail = static_cast<uint8_t>(state);
  return RejectReason::kNone;
}

}  // namespace engine
