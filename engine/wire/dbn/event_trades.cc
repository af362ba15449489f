#include "engine/wire/dbn/event_trades.h"

#include <algorithm>

namespace engine {

void EventTrades::AddTrade(uint64_t time, const Trade& trade) {
  time_ = time;
  trades_.push_back(trade);
}

bool EventTrades::AddFill(uint64_t order, Side side, std::optional<Price> price,
                          Quantity quantity) {
  if (trades_.empty()) return false;
  const Trade& trade = trades_.back();
  if (IsValid(trade.resting) && side != trade.resting) return true;
  fills_[order].all.push_back(
      {.trade = trades_.size() - 1, .price = price.value_or(trade.price), .left = quantity});
  ++fill_count_;
  return true;
}

std::optional<EventTrades::Execution> EventTrades::TakeExecution(uint64_t order,
                                                                 Quantity quantity) {
  const auto found = fills_.find(order);
  if (found == fills_.end()) return std::nullopt;
  for (auto& [all, first] = found->second; first < all.size(); ++first) {
    Fill& fill = all[first];
    Trade& trade = trades_[fill.trade];
    const Quantity taken = std::min({quantity, fill.left, trade.left});
    if (taken.is_zero()) continue;
    fill.left -= taken;
    trade.left -= taken;
    return Execution{.price = fill.price, .quantity = taken, .sequence = trade.sequence};
  }
  return std::nullopt;
}

void EventTrades::Clear() {
  trades_.clear();
  fills_.clear();
  fill_count_ = 0;
}

}  // namespace engine
