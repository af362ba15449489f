// An exchange with one planted fault: what diff, bisect and minimize must find.
//
//   fault     one of engine/core/testing/engine.faults (a line of the exchange itself is wrong), or
//   one
//             of kOwnFaults below (a machine around the exchange misbehaves)
//   armed     always, from a sequence number on, or for the commands of one account: so that a
//             first divergence can lie deep in a log
//
// Links the exchange with faults, so never into a program that has the exchange itself.

#ifndef REPLAY_TESTING_KNOWN_BAD_MACHINE_H_
#define REPLAY_TESTING_KNOWN_BAD_MACHINE_H_

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/core/faulty/engine/core/exchange.h"
#include "engine/core/faulty/faults.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/machine.h"
#include "replay/output.h"

namespace replay {

enum class OwnFault {
  kNone,
  kTakerPriced,         // A trade is at the taker's price.
  kThroughLimit,        // An immediate order trades a tick beyond its limit.
  kSweepStopsShort,     // An immediate order does not reach the level of its limit.
  kImmediateRests,      // What is left of an immediate-or-cancel order rests.
  kPhantomAfterCancel,  // A cancelled order stays in the book.
  kMakerForgotten,      // An order that is filled by a sweep of three does not say so.
  kEndsOnSweep,         // A sweep of three makers ends the process (CHECK).
};
inline constexpr std::array<absl::string_view, 8> kOwnFaultNames = {"none",
                                                                    "taker_priced",
                                                                    "through_limit",
                                                                    "sweep_stops_short",
                                                                    "immediate_rests",
                                                                    "phantom_after_cancel",
                                                                    "maker_forgotten",
                                                                    "ends_on_sweep"};

struct KnownBadOptions {
  engine::Fault fault = engine::Fault::kNone;
  OwnFault own_fault = OwnFault::kNone;
  uint64_t from = 0;               // A sequence number.
  engine::AccountId account = {};  // Zero: of any.
};

// By the name in kFaults or kOwnFaultNames. Errors: INVALID_ARGUMENT with all names.
absl::StatusOr<KnownBadOptions> FindFault(absl::string_view name);

class KnownBadMachine final : public Machine, public ExchangeState {
 public:
  explicit KnownBadMachine(const KnownBadOptions& options) : options_(options) {}

  absl::string_view name() const override { return "known bad"; }
  void WriteTo(ApplyKey, OutputMemory& memory) override { events_.WriteTo(memory); }
  std::span<const Output> Apply(ApplyKey key, const journal::Record& record) override;
  uint64_t state_size() const override { return exchange_.live_order_count(); }
  engine::Digest StateDigest() const override { return exchange_.StateDigest(); }
  absl::Status Save(engine::SnapshotSink sink) const override { return exchange_.Save(sink); }
  LastRecord last_record() const override {
    return {.sequence = exchange_.last_applied(), .time = exchange_.now()};
  }
  absl::Status Load(engine::SnapshotSource source) override { return exchange_.Load(source); }
  void CheckInvariants() const override { exchange_.CheckInvariants(); }

  uint64_t live_order_count() const override { return exchange_.live_order_count(); }
  void VisitOrders(engine::MarketId market, engine::Side side,
                   absl::FunctionRef<void(const engine::RestingOrder&)> visit) const override {
    exchange_.VisitOrders(market, side, visit);
  }
  const engine::MarketDirectory& markets() const override { return exchange_.markets(); }

 private:
  void ApplyTo(const journal::Record& record, engine::EventBuffer& events);
  bool IsArmed(const engine::Command& command) const;
  // `command` as the fault has it, and what it makes of the events.
  engine::Command Spoil(const engine::Command& command) const;
  void Spoil(const engine::Command& command, std::vector<engine::Event>& events) const;
  bool LeavePhantom(const engine::Command& command, engine::EventBuffer& events);
  int64_t TickOf(const engine::Command& command) const;

  const KnownBadOptions options_;
  engine::Exchange exchange_;
  EventOutputs events_;
  engine::EventBuffer own_events_;
};

}  // namespace replay

#endif  // REPLAY_TESTING_KNOWN_BAD_MACHINE_H_
