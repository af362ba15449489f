// Builds a log that leads to a given state. Applies each command to an exchange immediately, so
// that its outcome is known.

#ifndef REPLAY_SLICE_APPLIED_LOG_H_
#define REPLAY_SLICE_APPLIED_LOG_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/messages/command.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "replay/log_source.h"

namespace replay {

engine::Command CommandOf(engine::CommandKind kind, engine::MarketId market = {},
                          engine::AccountId account = {});

// Not thread-safe: owned by its caller.
class AppliedLog {
 public:
  explicit AppliedLog(engine::Timestamp now) : now_(now) {}

  // Sets the time of the commands from here on. REQUIRES: `now` is not before the last time.
  void SetTime(engine::Timestamp now) { now_ = now; }

  // Appends and applies the command; returns its sequence number. A rejection is recorded as lost.
  uint64_t Do(engine::Command command, std::vector<std::byte> attachment = {});

  void Deposit(engine::AccountId account, engine::Money amount);

  // Trades at the market's lowest price; the buyer's order belongs to `group`.
  // REQUIRES: no order rests in the market; none does afterwards.
  void Trade(const engine::MarketDefinition& market, engine::AccountId buyer,
             engine::AccountId seller, engine::GroupId group, engine::Quantity quantity);

  // Records a description of something that the log cannot reproduce.
  void Lose(std::string what) { lost_.push_back(std::move(what)); }

  const engine::Exchange& exchange() const { return machine_.exchange(); }
  Log TakeLog() { return std::move(log_); }
  std::vector<std::string> TakeLost() { return std::move(lost_); }

 private:
  engine::Timestamp now_;
  ExchangeMachine machine_;
  Driver driver_{machine_, engine::SequenceNumber()};
  Log log_;
  std::vector<std::string> lost_;
};

}  // namespace replay

#endif  // REPLAY_SLICE_APPLIED_LOG_H_
