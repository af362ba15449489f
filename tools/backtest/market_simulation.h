// A recorded market with another participant in it.
//
//   recorded commands ─┬─────────────────────────────► exchange as recorded ─┐
//                      └─┬─► simulated exchange ─► events ── corrections ◄───┘  what differs
//   commands of the strategy ┘
//
// Both exchanges apply the same numbers: where one has a command of the strategy, the other one has
// advance_time, so every order has the same id in both. A recorded command that names an order is
// renumbered for that.
//
// What recorded orders do if the strategy has traded with what they traded with:
//
//   none      They trade as recorded. A resting order that the strategy was before loses what it
//             lost as recorded, without a trade.
//   displace  They take what is left. A resting order that was passed over stays in the book.
//
// In both, an arriving order rests with at most what rested of it as recorded: the rest is dropped.
//
// A mirrored market stays mirrored: its book is what the records say, crossed or not. The orders of
// the strategy rest in its queues, as orders of account zero, and trade by commands of execution:
//
//   recorded execute   Its taker came first to what is before the order that it names, at better
//                      prices or earlier at that price: the strategy's orders there are filled at
//                      their prices, up to its quantity. none: the named order loses the same as
//                      recorded. displace: it loses what is left, and the next taker finds the
//                      rest.
//   a print            The same, with the quantity of recorded orders before it at that price; one
//                      that has no side fills nothing.
//   recorded order     It trades with orders of the strategy that it crosses, when it arrives.
//   own order          It takes recorded orders that it crosses, by price and time, also where the
//                      recorded book is crossed; never the strategy's own. What it took they do not
//                      have: they trade as recorded without (none), or not (displace).
//
// Without an order of the strategy the book is that of the records. No money moves there.

#ifndef TOOLS_BACKTEST_MARKET_SIMULATION_H_
#define TOOLS_BACKTEST_MARKET_SIMULATION_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "journal/record.h"
#include "replay/driver.h"
#include "replay/exchange_machine.h"
#include "tools/backtest/mirrored_books.h"
#include "tools/backtest/renumbering.h"

namespace tools {

enum class Impact { kNone, kDisplace };
inline constexpr std::array<absl::string_view, 2> kImpactNames = {"none", "displace"};

// Not thread-safe.
class MarketSimulation {
 public:
  explicit MarketSimulation(Impact impact) : impact_(impact) {}

  // Receives each command of the simulated exchange and its events, in order. The corrections are
  // commands, too.
  using Listener = absl::FunctionRef<void(const engine::Command&, std::span<const engine::Event>)>;

  // Receives what was traded as recorded and not in the simulation (Impact::kNone).
  struct MissedTrade {
    const engine::Event& trade;  // Of the exchange as recorded.
    engine::Quantity quantity;
  };

  // Applies the next recorded record. REQUIRES: they begin with record 1, without gaps.
  void ApplyRecorded(const journal::Record& record, Listener listener,
                     absl::FunctionRef<void(const MissedTrade&)> missed);
  // Applies a command of the strategy, or one that makes its account. Sets its sequence number,
  // which is that of the order it makes. REQUIRES: its time is not before that of the last.
  engine::SequenceNumber ApplyOwn(engine::Command command, engine::Bytes attachment,
                                  Listener listener);

  const engine::MarketDirectory& markets() const { return simulated_.markets(); }
  bool has_mirrored_markets() const { return !mirrored_.empty(); }
  engine::Timestamp now() const { return now_; }
  // Commands that made recorded orders trade as recorded, or less.
  uint64_t corrections() const { return corrections_; }

 private:
  using Takes = std::vector<MirroredBooks::Take>;

  // Applies it to the simulated exchange; to the other one goes advance_time.
  std::span<const engine::Event> Step(engine::Command& command, engine::Bytes attachment);
  void Insert(engine::Command command, engine::Bytes attachment, Listener listener);
  void See(const engine::Command& command, std::span<const engine::Event> events,
           Listener listener);
  std::span<const engine::Event> ApplySimulated(const engine::Command& command,
                                                engine::Bytes attachment);

  // Orders whose time has come end before it is decided who trades.
  void Expire(engine::Timestamp now, Listener listener);
  void ApplyMirrored(engine::Command command, engine::Bytes attachment, Listener listener,
                     absl::FunctionRef<void(const MissedTrade&)> missed);
  void ApplyExecute(engine::Command command, const engine::Event& trade, Listener listener,
                    absl::FunctionRef<void(const MissedTrade&)> missed);
  engine::SequenceNumber ApplyOwnMirrored(engine::Command command, engine::Bytes attachment,
                                          Listener listener);
  engine::SequenceNumber RefuseOwn(const engine::Command& command, engine::RejectReason reason,
                                   Listener listener);
  engine::Command ExecuteOf(const MirroredBooks::Take& take, engine::MarketId market) const;
  // Adds to the events of an arrival that it took: `simulated_events_` then has them as if the
  // exchange had matched it.
  void Match(const engine::Command& command, engine::OrderId taker, const Takes& takes);
  void AddToEvents(const engine::Command& command, engine::Event event);
  // What ended as recorded ends.
  void EndAsRecorded(Listener listener);
  void Correct(const engine::Command& command, Listener listener,
               absl::FunctionRef<void(const MissedTrade&)> missed);

  const Impact impact_;
  MirroredBooks mirrored_;
  replay::ExchangeMachine recorded_;
  replay::ExchangeMachine simulated_;
  replay::Driver recorded_driver_{recorded_, engine::SequenceNumber()};
  replay::Driver simulated_driver_{simulated_, engine::SequenceNumber()};
  Renumbering numbers_;
  uint64_t next_recorded_ = 1;
  engine::Timestamp now_;
  bool has_own_orders_ = false;  // From the first on: only then the two can differ.
  uint64_t corrections_ = 0;
  // Of the last command, while corrections are applied.
  std::vector<engine::Event> recorded_events_;
  std::vector<engine::Event> simulated_events_;
};

}  // namespace tools

#endif  // TOOLS_BACKTEST_MARKET_SIMULATION_H_
