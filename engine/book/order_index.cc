#include "engine/book/order_index.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr uint64_t kFirstRing = 1024;  // A million ids.
constexpr size_t kPagesOfBlock = 64;

}  // namespace

OrderIndex::Page OrderIndex::empty_ = {};

OrderIndex::OrderIndex() : ring_(std::make_unique<Page*[]>(kFirstRing)), mask_(kFirstRing - 1) {
  std::fill_n(ring_.get(), kFirstRing, &empty_);
}

void OrderIndex::MakeRoom(OrderId id) {
  if (id.value() >= end_of_newest_) BeginPage(NumberOf(id));
  end_of_room_ = (id.value() / room_ + 1) * room_;
}

void OrderIndex::BeginPage(uint64_t number) {
  CHECK_GE(number << kPlaceBits, end_of_newest_) << "ids must ascend";
  end_of_newest_ = number << kPlaceBits;  // The previous newest page may be swept, too.
  for (int i = 0; i < 2; ++i) Sweep();
  while (oldest_ << kPlaceBits < end_of_newest_ && PageOf(oldest_) == &empty_) ++oldest_;
  while (number - oldest_ > mask_) GrowRing();
  newest_page_ = PageOf(number) = TakePage();
  end_of_newest_ = (number + 1) << kPlaceBits;
}

void OrderIndex::BeginAt(OrderId first) {
  CHECK_EQ(end_of_newest_, 0u) << "there are orders already";
  oldest_ = hand_ = NumberOf(first);
  end_of_newest_ = oldest_ << kPlaceBits;
}

// Reclaims the next page in use, if any, if all its orders have ended.
void OrderIndex::Sweep() {
  const uint64_t end = end_of_newest_ >> kPlaceBits;
  if (hand_ < oldest_ || hand_ >= end) hand_ = oldest_;
  while (hand_ < end && PageOf(hand_) == &empty_) ++hand_;
  if (hand_ >= end) return;
  Page*& page = PageOf(hand_++);
  uint32_t any = 0;
  for (const Slot slot : *page) any |= slot.value();
  if (any != 0) return;
  unused_.push_back(std::exchange(page, &empty_));
}

void OrderIndex::GrowRing() {
  const uint64_t size = mask_ + 1;
  auto larger = std::make_unique<Page*[]>(2 * size);
  std::fill_n(larger.get(), 2 * size, &empty_);
  for (uint64_t number = oldest_; number < oldest_ + size; ++number) {
    larger[number & (2 * size - 1)] = PageOf(number);
  }
  ring_ = std::move(larger);
  mask_ = 2 * size - 1;
}

OrderIndex::Page* OrderIndex::TakePage() {
  if (unused_.empty()) {
    blocks_.push_back(std::make_unique<Page[]>(kPagesOfBlock));
    unused_.reserve(blocks_.size() * kPagesOfBlock);
    for (size_t i = kPagesOfBlock; i > 0; --i) unused_.push_back(&blocks_.back()[i - 1]);
  }
  Page* const page = unused_.back();
  unused_.pop_back();
  return page;
}

uint64_t OrderIndex::Count() const {
  uint64_t count = 0;
  VisitFrom(OrderId(), [&](Slot) { ++count; });
  return count;
}

}  // namespace engine
