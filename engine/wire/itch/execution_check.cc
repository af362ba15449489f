#include "engine/wire/itch/execution_check.h"

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

std::string Describe(std::span<const Event> events) {
  std::string text;
  for (const Event& event : events) {
    if (!text.empty()) text += "; ";
    switch (event.kind) {
      case EventKind::kTrade:
        absl::StrAppend(&text, "traded ", event.quantity.units(), " with order ",
                        event.order_id.value());
        break;
      case EventKind::kCancelled:
        absl::StrAppend(&text, event.quantity.units(), " found no order");
        break;
      case EventKind::kRejected:
        absl::StrAppend(&text, "rejected, ", NameOf(event.reject_reason()));
        break;
      default:
        absl::StrAppend(&text, NameOf(event.kind));
    }
  }
  return text;
}

}  // namespace

void ItchExecutionCheck::OnEvents(const Command& command, std::span<const Event> events) {
  const bool is_execution =
      command.kind == CommandKind::kNewOrder && command.tif == TimeInForce::kImmediateOrCancel;
  if (!is_execution) {
    const bool traded =
        absl::c_any_of(events, [](const Event& e) { return e.kind == EventKind::kTrade; });
    if (traded) ++orders_unexpectedly_traded_;
    return;
  }
  if (expected_.empty() || expected_.front().match_number != command.client_order_id.value())
    return;
  const ItchExecution expected = expected_.front();
  expected_.pop_front();
  const auto is_the_trade = [&](const Event& event) {
    return event.kind == EventKind::kTrade && event.order_id == expected.maker &&
           event.quantity == expected.quantity;
  };
  // Any second event besides the acceptance is a mismatch.
  const auto others =
      absl::c_count_if(events, [](const Event& e) { return e.kind != EventKind::kAccepted; });
  if (others == 1 && absl::c_any_of(events, is_the_trade)) {
    ++matched_;
    return;
  }
  ++mismatched_;
  if (mismatches_.size() < kMismatchesKept) {
    mismatches_.push_back(
        {.sequence = command.sequence, .expected = expected, .what_happened = Describe(events)});
  }
}

}  // namespace engine
