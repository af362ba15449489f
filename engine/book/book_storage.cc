#include "engine/book/book_storage.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "engine/base/check.h"

namespace engine {
namespace {

constexpr uint32_t kFirstLines = 256;
constexpr uint64_t kLinesMax = (uint64_t{1} << 32) / SlotMemory::kOrderUnits;

}  // namespace

BookStorage::BookStorage() {
  Grow();
  order(Slot()) = OrderSlot();
  order(Slot()).marks.Set(OrderMarks::kNowhere);
}

void BookStorage::Grow() {
  CHECK_LE(capacity_, kLinesMax / 2) << "2^29 orders and pairs of levels";
  const uint32_t capacity = std::max(kFirstLines, 2 * capacity_);
  LargeBlock larger = NewLargeBlock(size_t{capacity} * sizeof(OrderSlot));
  if (block_ != nullptr) {
    std::memcpy(larger.get(), block_.get(), size_t{capacity_} * sizeof(OrderSlot));
  }
  block_ = std::move(larger);
  capacity_ = capacity;
  if (is_far()) LookAhead();
  if (!required_.empty()) KeepRequired();
}

// One line holds two levels.
void BookStorage::NewLevels() {
  const Slot first = NewLine();
  FreeLevel(Slot(first.value() + SlotMemory::kLevelUnits));
  FreeLevel(first);
}

void BookStorage::KeepRequired() { required_.resize(capacity_); }

void BookStorage::SetExtras(Slot slot, const OrderExtras& extras) {
  if (extras_.size() <= LineOf(slot)) extras_.resize(capacity_);
  extras_[LineOf(slot)] = extras;
  order(slot).marks.Set(OrderMarks::kExtras);
}

RestingOrder BookStorage::ValueOf(Slot slot) const {
  const OrderSlot& from = order(slot);
  RestingOrder value;
  value.id = from.id;
  value.priority = from.priority;
  value.price = from.price;
  value.quantity_remaining = from.quantity_remaining;
  value.quantity_filled = from.quantity_filled;
  value.account = from.account;
  value.market = from.market;
  value.side = from.side;
  value.tif = from.tif;
  value.flags = from.flags;
  if (from.marks.has(OrderMarks::kExtras)) {
    const OrderExtras& more = extras(slot);
    value.group = more.group;
    value.expires_at = more.expires_at;
    value.credit = more.credit;
  }
  return value;
}

}  // namespace engine
