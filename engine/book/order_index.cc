#include "engine/book/order_index.h"

#include <algorithm>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr uint64_t kFirstRing = 1024;  // A million ids.
constexpr size_t kPagesOfBlock = 16;

}  // namespace

OrderIndex::Page OrderIndex::empty_ = {};

OrderIndex::OrderIndex() : ring_(std::make_unique<Entry[]>(kFirstRing)), mask_(kFirstRing - 1) {
  for (uint64_t i = 0; i <= mask_; ++i) ring_[i].page = &empty_;
}

void OrderIndex::BeginPage(uint64_t number) {
  CHECK(newest_ == UINT64_MAX || number > newest_) << "page " << number << " after " << newest_;
  const uint64_t previous = std::exchange(newest_, number);
  if (previous != UINT64_MAX && EntryOf(previous).live == 0) Retire(previous);
  if (size_ == 0) oldest_ = number;
  while (number - oldest_ > mask_) GrowRing();
  EntryOf(number).page = TakePage();
}

// Its orders have ended, so all its slots are nowhere already.
void OrderIndex::Retire(uint64_t number) {
  if (number == newest_) return;
  Entry& entry = EntryOf(number);
  unused_.push_back(std::exchange(entry.page, &empty_));
  while (oldest_ < newest_ && EntryOf(oldest_).page == &empty_) ++oldest_;
}

void OrderIndex::GrowRing() {
  const uint64_t size = mask_ + 1;
  auto larger = std::make_unique<Entry[]>(2 * size);
  for (uint64_t i = 0; i < 2 * size; ++i) larger[i].page = &empty_;
  for (uint64_t number = oldest_; number < oldest_ + size; ++number) {
    larger[number & (2 * size - 1)] = EntryOf(number);
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

}  // namespace engine
