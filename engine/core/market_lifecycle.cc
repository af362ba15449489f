#include "engine/core/market_lifecycle.h"

#include <array>
#include <cstdint>

#include "engine/base/check.h"
#include "engine/messages/kinds.h"

namespace engine {
namespace {

constexpr uint8_t Bit(MarketState state) {
  return static_cast<uint8_t>(1u << static_cast<unsigned>(state));
}

struct Transition {
  CommandKind kind;
  MarketState to;
  uint8_t from_equity;  // The states it starts from, as bits; none: not for this kind of market.
  uint8_t from_binary;
};

constexpr std::array<Transition, 5> kTransitions = {{
    {CommandKind::kOpenMarket, MarketState::kOpen,
     Bit(MarketState::kUnopened) | Bit(MarketState::kPaused) | Bit(MarketState::kClosed),
     Bit(MarketState::kUnopened) | Bit(MarketState::kPaused)},
    {CommandKind::kPauseMarket, MarketState::kPaused, Bit(MarketState::kOpen),
     Bit(MarketState::kOpen)},
    {CommandKind::kCloseMarket, MarketState::kClosed,
     Bit(MarketState::kUnopened) | Bit(MarketState::kOpen) | Bit(MarketState::kPaused),
     Bit(MarketState::kUnopened) | Bit(MarketState::kOpen) | Bit(MarketState::kPaused)},
    {CommandKind::kDetermineMarket, MarketState::kDetermined, 0, Bit(MarketState::kClosed)},
    {CommandKind::kSettleMarket, MarketState::kSettled, 0, Bit(MarketState::kDetermined)},
}};

const Transition& TransitionOf(CommandKind kind) {
  for (const Transition& transition : kTransitions) {
    if (transition.kind == kind) return transition;
  }
  CHECK(false) << "command kind " << static_cast<int>(kind) << " moves no market";
  return kTransitions.front();
}

bool MovesExchange(CommandKind kind) { return InfoOf(kind).scope == Scope::kExchange; }

bool PassesPausedExchange(CommandKind kind) {
  return kind == CommandKind::kCancel || kind == CommandKind::kMassCancel ||
         kind == CommandKind::kAdvanceTime;
}

}  // namespace

RejectReason CheckExchangeState(CommandKind kind, ExchangeState state) {
  if (MovesExchange(kind)) {
    return StateAfter(kind) == state ? RejectReason::kExchangeStateForbids : RejectReason::kNone;
  }
  if (state == ExchangeState::kActive) return RejectReason::kNone;
  if (kind == CommandKind::kNote) return RejectReason::kNone;  // A venue records in every state.
  if (state == ExchangeState::kHalted) return RejectReason::kExchangeHalted;
  return PassesPausedExchange(kind) ? RejectReason::kNone : RejectReason::kExchangePaused;
}

ExchangeState StateAfter(CommandKind kind) {
  CHECK(MovesExchange(kind));
  if (kind == CommandKind::kResumeExchange) return ExchangeState::kActive;
  return kind == CommandKind::kPauseExchange ? ExchangeState::kPaused : ExchangeState::kHalted;
}

RejectReason CheckOrderAgainstState(CommandKind kind, MarketState state) {
  if (!InfoOf(kind).may_enlarge || state == MarketState::kOpen) return RejectReason::kNone;
  return state == MarketState::kPaused ? RejectReason::kMarketPaused : RejectReason::kMarketNotOpen;
}

RejectReason CheckTransition(CommandKind kind, MarketKind market, MarketState state) {
  const Transition& transition = TransitionOf(kind);
  const uint8_t from =
      market == MarketKind::kBinary ? transition.from_binary : transition.from_equity;
  if (from == 0) return RejectReason::kMarketNotBinary;
  return (from & Bit(state)) != 0 ? RejectReason::kNone : RejectReason::kMarketStateForbids;
}

MarketState MarketStateAfter(CommandKind kind) { return TransitionOf(kind).to; }

}  // namespace engine
