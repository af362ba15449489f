#include "tools/cli/record/lobster_check.h"

#include <cstddef>
#include <vector>

#include "engine/types/price.h"
#include "engine/types/side.h"
#include "engine/wire/lobster/translator.h"

namespace tools {

using engine::LobsterBook;
using engine::LobsterLevel;
using engine::Side;

void LobsterCheck::Expect(engine::SequenceNumber sequence, uint64_t line, const LobsterBook& book) {
  if (last_ == sequence) return Compare(line, book);
  expected_.push_back({.sequence = sequence, .line = line, .book = book});
}

void LobsterCheck::OnEvents(const engine::Command& command, std::span<const engine::Event> events) {
  depth_.OnEvents(command, events);
  last_ = command.sequence;
  for (; !expected_.empty() && expected_.front().sequence == last_; expected_.pop_front()) {
    Compare(expected_.front().line, expected_.front().book);
  }
}

void LobsterCheck::Compare(uint64_t line, const LobsterBook& book) {
  if (IsEqual(Side::kBid, book) && IsEqual(Side::kAsk, book)) {
    ++equal_;
    return;
  }
  if (different_++ == 0) first_different_line_ = line;
}

bool LobsterCheck::IsEqual(Side side, const LobsterBook& book) const {
  const std::vector<LobsterLevel>& expected = book.levels(side);
  size_t count = 0;
  bool is_equal = true;
  depth_.VisitLevels(engine::LobsterTranslator::kMarket, side,
                     [&](engine::Price price, const engine::DepthView::Level& level) {
                       if (count == book.depth) return false;
                       const LobsterLevel shown = {.price = price, .quantity = level.quantity};
                       is_equal = count < expected.size() && shown == expected[count];
                       ++count;
                       return is_equal;
                     });
  return is_equal && count == expected.size();
}

}  // namespace tools
