// The exchange as a Machine: the production exchange, and the reference.

#ifndef REPLAY_EXCHANGE_MACHINE_H_
#define REPLAY_EXCHANGE_MACHINE_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/digest.h"
#include "engine/base/timestamp.h"
#include "engine/core/exchange.h"
#include "engine/messages/market_directory.h"
#include "engine/reference/reference_exchange.h"
#include "engine/state/resting_order.h"
#include "engine/state/snapshot_io.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/event_outputs.h"
#include "replay/exchange_state.h"
#include "replay/machine.h"
#include "replay/output.h"
#include "replay/semantics_version.h"
#include "replay/traced_output_memory.h"

namespace replay {

// An exchange, of either implementation, as a Machine.
template <typename Exchange>
class MachineOfExchange : public Machine, public ExchangeState {
 public:
  uint32_t semantics_version() const override { return kSemanticsVersion; }
  void WriteTo(ApplyKey, OutputMemory& memory) override { events_.WriteTo(memory); }
  std::span<const Output> Apply(ApplyKey, const journal::Record& record) override {
    exchange_.Apply(AsCommand(*record.row), record.attachment, events_.buffer());
    return events_.outputs();
  }
  engine::Timestamp NextTimer() const override { return exchange_.next_expiry(); }
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

  const Exchange& exchange() const { return exchange_; }

 protected:
  Exchange exchange_;
  EventOutputs events_;
};

// The production exchange.
class ExchangeMachine final : public MachineOfExchange<engine::Exchange> {
 public:
  absl::string_view name() const override { return "fast"; }
  void ApplyRun(ApplyKey key, std::span<const journal::Row> rows, size_t count,
                TracedOutputMemory& memory) override;
  void Prefetch(std::span<const journal::Row> coming) const override;
};

class ReferenceMachine final : public MachineOfExchange<engine::ReferenceExchange> {
 public:
  absl::string_view name() const override { return "reference"; }
};

}  // namespace replay

#endif  // REPLAY_EXCHANGE_MACHINE_H_
