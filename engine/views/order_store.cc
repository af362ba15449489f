#include "engine/views/order_store.h"

#include "engine/base/check.h"

namespace engine {

OrderStore::Entry& OrderStore::Add(const PortfolioOrder& order) {
  const uint32_t place = entries_.Take();
  places_.Insert(order.id.value(), place);
  Entry& entry = entries_[place];
  entry.row = order;
  entry.text_size = 0;
  return entry;
}

void OrderStore::End(const Entry& entry, EndedList& of_account) {
  const uint32_t place = places_.Find(entry.row.id.value());
  Append(place, &Entry::among_all, ended_);
  Append(place, &Entry::among_account, of_account);
}

void OrderStore::Forget(const Entry& entry, EndedList& of_account) {
  const uint32_t place = places_.Find(entry.row.id.value());
  Take(place, &Entry::among_all, ended_);
  Take(place, &Entry::among_account, of_account);
  places_.Erase(entry.row.id.value());
  entries_.Give(place);
}

void OrderStore::Append(uint32_t place, LinksOf links, EndedList& list) {
  entries_[place].*links = {.before = list.last, .next = kNone};
  (list.last == kNone ? list.first : (entries_[list.last].*links).next) = place;
  list.last = place;
  ++list.count;
}

void OrderStore::Take(uint32_t place, LinksOf links, EndedList& list) {
  CHECK_GT(list.count, 0u);
  const auto [before, next] = entries_[place].*links;
  (before == kNone ? list.first : (entries_[before].*links).next) = next;
  (next == kNone ? list.last : (entries_[next].*links).before) = before;
  --list.count;
}

}  // namespace engine
