#include "replay/machine_subject.h"

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "journal/record.h"

namespace replay {

absl::Status MachineSubject::Send(const journal::Batch& batch, const Ask& ask) {
  CHECK(!batch.empty());
  batch_ = batch;
  ask_ = ask;
  return absl::OkStatus();
}

absl::StatusOr<Answer> MachineSubject::Receive() {
  events_.clear();
  auto attachment = batch_.attachments.begin();
  for (const journal::Row& row : batch_.rows) {
    journal::Record record{.row = &row};
    if (attachment != batch_.attachments.end() && attachment->sequence == row.sequence) {
      record.attachment = (attachment++)->bytes;
    }
    machine_->Apply(record, buffer_);
    const std::span<const engine::Event> events = buffer_.events();
    events_.insert(events_.end(), events.begin(), events.end());
  }
  if (ask_.invariants) machine_->CheckInvariants();
  return Answer{.last = batch_.rows.back().sequence,
                .event_count = events_.size(),
                .events = engine::DigestOf(std::as_bytes(std::span(events_))),
                .state = ask_.state ? machine_->StateDigest() : engine::Digest(),
                .live_order_count = machine_->live_order_count()};
}

absl::StatusOr<std::vector<engine::RestingOrder>> MachineSubject::Orders(engine::MarketId market,
                                                                         engine::Side side) {
  std::vector<engine::RestingOrder> orders;
  machine_->VisitOrders(market, side,
                        [&](const engine::RestingOrder& order) { orders.push_back(order); });
  return orders;
}

absl::Status MachineSubject::Reset() {
  machine_ = make_();
  events_.clear();
  return absl::OkStatus();
}

}  // namespace replay
