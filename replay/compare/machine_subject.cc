#include "replay/compare/machine_subject.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "replay/exchange_state.h"

namespace replay {

absl::Status MachineSubject::CheckFollows(std::span<const journal::Row> rows) const {
  Machine::LastRecord last = last_;
  for (const journal::Row& row : rows) {
    if (row.sequence != last.sequence.Next()) {
      return absl::DataLossError(absl::StrCat("record ", row.sequence.value(), " came; expected ",
                                              last.sequence.Next().value()));
    }
    const bool is_first = last.sequence == engine::SequenceNumber();
    if (!is_first && row.timestamp < last.time) {
      return absl::DataLossError(
          absl::StrCat("the time of record ", row.sequence.value(), ", ", row.timestamp.ToString(),
                       ", is before that of the last one, ", last.time.ToString()));
    }
    last = {.sequence = row.sequence, .time = row.timestamp};
  }
  return absl::OkStatus();
}

absl::Status MachineSubject::Send(const journal::Batch& batch, const Ask& ask) {
  CHECK(!batch.empty());
  RETURN_IF_ERROR(CheckFollows(batch.rows));
  batch_ = batch;
  ask_ = ask;
  return absl::OkStatus();
}

absl::StatusOr<Answer> MachineSubject::Receive() {
  outputs_.clear();
  driver_->ApplyBatch(batch_, batch_.rows.back().sequence,
                      [&](const journal::Record&, std::span<const Output> outputs) {
                        outputs_.insert(outputs_.end(), outputs.begin(), outputs.end());
                        return true;
                      });
  last_ = {.sequence = batch_.rows.back().sequence, .time = batch_.rows.back().timestamp};
  if (ask_.invariants) machine_->CheckInvariants();
  return Answer{.last = last_.sequence,
                .output_count = outputs_.size(),
                .outputs = engine::DigestOf(std::as_bytes(std::span(outputs_))),
                .state = ask_.state ? machine_->StateDigest() : engine::Digest(),
                .state_size = ask_.state ? machine_->state_size() : 0};
}

absl::StatusOr<std::vector<engine::RestingOrder>> MachineSubject::Orders(engine::MarketId market,
                                                                         engine::Side side) {
  const ExchangeState* const exchange = FindExchange(*machine_);
  if (exchange == nullptr) {
    return absl::UnimplementedError(absl::StrCat("'", identity_.name, "' has no orders"));
  }
  std::vector<engine::RestingOrder> orders;
  exchange->VisitOrders(market, side,
                        [&](const engine::RestingOrder& order) { orders.push_back(order); });
  return orders;
}

absl::Status MachineSubject::Reset() {
  machine_ = make_();
  last_ = {};
  driver_.emplace(*machine_, last_.sequence);
  outputs_.clear();
  return absl::OkStatus();
}

absl::StatusOr<SavedState> MachineSubject::Save() {
  SavedState state{.sequence = last_.sequence, .digest = machine_->StateDigest(), .parts = {}};
  RETURN_IF_ERROR(machine_->Save([&state](engine::Bytes part) {
    state.parts.emplace_back(part.begin(), part.end());
    return absl::OkStatus();
  }));
  return state;
}

absl::Status MachineSubject::Load(const SavedState& state) {
  RETURN_IF_ERROR(Reset());
  size_t next = 0;
  absl::Status loaded = machine_->Load([&]() -> absl::StatusOr<std::optional<engine::Bytes>> {
    if (next == state.parts.size()) return std::nullopt;
    return std::optional<engine::Bytes>(state.parts[next++]);
  });
  if (loaded.ok() && machine_->last_record().sequence != state.sequence) {
    loaded = absl::DataLossError(absl::StrCat("the state is that after record ",
                                              machine_->last_record().sequence.value(),
                                              "; expected ", state.sequence.value()));
  }
  if (loaded.ok() && machine_->StateDigest() != state.digest) {
    loaded = absl::DataLossError(absl::StrCat(
        "the state after record ", state.sequence.value(), " has the digest ",
        machine_->StateDigest().ToString(), " here; saved was ", state.digest.ToString()));
  }
  if (!loaded.ok()) {
    RETURN_IF_ERROR(Reset());
    return loaded;
  }
  last_ = machine_->last_record();
  driver_.emplace(*machine_, last_.sequence);
  return absl::OkStatus();
}

}  // namespace replay
