#include "tools/backtest/public_feed.h"

#include <cstddef>
#include <cstdint>

#include "engine/messages/kinds.h"

namespace tools {

using engine::Event;
using engine::EventKind;
using strategy::Input;
using strategy::InputKind;

std::span<const Input> PublicFeed::Fold(const engine::Command& command,
                                        std::span<const Event> events) {
  inputs_.clear();
  const int64_t time = command.timestamp.nanos();
  for (const Event& event : events) {
    if (event.kind == EventKind::kTrade) {
      inputs_.push_back({.venue_time = time,
                         .price = event.price,
                         .quantity = event.quantity,
                         .market = event.market,
                         .kind = InputKind::kTrade,
                         .side = IsValid(event.side) ? Opposite(event.side) : event.side});
    } else if (event.kind == EventKind::kDetermined) {
      inputs_.push_back({.venue_time = time,
                         .price = event.price,
                         .market = event.market,
                         .kind = InputKind::kSettled});
    }
  }
  const size_t first = inputs_.size();
  depth_.OnEvents(command, events);
  for (const engine::DepthChange& change : depth_.changes()) {
    // Where it stays: a copy would wait for these writes.
    Input& input = inputs_.emplace_back();
    input.venue_time = time;
    input.price = change.price;
    input.quantity = change.after;
    input.market = change.market;
    input.kind = InputKind::kBookLevel;
    input.side = change.side;
  }
  for (size_t i = first; i < inputs_.size(); ++i) {
    const bool is_last = i + 1 == inputs_.size() || inputs_[i + 1].market != inputs_[i].market;
    if (is_last) inputs_[i].flags = Input::kLast;
  }
  return inputs_;
}

}  // namespace tools
