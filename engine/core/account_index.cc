#include "engine/core/account_index.h"

#include <memory>

namespace engine {

AccountIndex::Page* AccountIndex::EmptyPage() {
  static Page empty = [] {
    Page page;
    page.places.fill(kNone);
    return page;
  }();
  return &empty;
}

void AccountIndex::Deleter::operator()(const Page* page) const {
  if (page != EmptyPage()) delete page;
}

uint32_t AccountIndex::FindFar(AccountId account) const {
  const auto found = far_.find(account);
  return found == far_.end() ? kNone : found->second;
}

uint32_t AccountIndex::FindOrAdd(AccountId account) {
  if (const uint32_t place = Find(account); place != kNone) return place;
  const uint32_t page = account.value() >> kPageBits;
  if (page >= kPagesMax) {
    far_.emplace(account, size_);
    return size_++;
  }
  while (pages_.size() <= page) pages_.emplace_back(EmptyPage());
  if (pages_[page].get() == EmptyPage()) {
    pages_[page] = PagePointer(std::make_unique<Page>(*EmptyPage()).release());
  }
  pages_[page]->places[account.value() & (kPageIds - 1)] = size_;
  return size_++;
}

}  // namespace engine
