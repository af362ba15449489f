// The place of an account in an array: 0, 1, 2, … in the order in which accounts are added.
//
//   account id ─► page of 1,024 ids ─► place        ids below 4 Mi
//              └► hash map ──────────► place        the others
//
// Venues number accounts by counting, so ids are dense and small, and almost every look-up is two
// loads. Any id is allowed: large ones, which would need many pages, go through a hash map. A page
// costs 4 KiB, so ids that are 1,024 apart cost that much each.

#ifndef ENGINE_CORE_ACCOUNT_INDEX_H_
#define ENGINE_CORE_ACCOUNT_INDEX_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "engine/base/inline.h"
#include "engine/types/ids.h"

namespace engine {

// Not thread-safe: owned by the array's owner.
class AccountIndex {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  // kNone if the account has no place.
  uint32_t Find(AccountId account) const {
    const uint32_t place = FindFast(account);
    return place == kUnknown ? FindFar(account) : place;
  }

  // The same, but kUnknown if the answer takes a call.
  static constexpr uint32_t kUnknown = kNone - 1;
  ENGINE_ALWAYS_INLINE uint32_t FindFast(AccountId account) const {
    const uint32_t page = account.value() >> kPageBits;
    if (page < pages_.size()) [[likely]] {
      return pages_[page]->places[account.value() & (kPageIds - 1)];
    }
    return far_.empty() ? kNone : kUnknown;
  }

  // The account's place. If it has none, adds it at the next place, size().
  uint32_t FindOrAdd(AccountId account);

  uint32_t size() const { return size_; }

 private:
  static constexpr int kPageBits = 10;
  static constexpr uint32_t kPageIds = 1 << kPageBits;
  static constexpr uint32_t kPagesMax = 4096;

  struct Page {
    std::array<uint32_t, kPageIds> places;
  };
  struct Deleter {
    void operator()(const Page* page) const;  // Deletes any page but the empty one.
  };
  using PagePointer = std::unique_ptr<Page, Deleter>;

  static Page* EmptyPage();
  uint32_t FindFar(AccountId account) const;

  // A page without places is the shared empty page, so that a look-up needs no check.
  std::vector<PagePointer> pages_;
  absl::flat_hash_map<AccountId, uint32_t> far_;  // Never iterated.
  uint32_t size_ = 0;
};

}  // namespace engine

#endif  // ENGINE_CORE_ACCOUNT_INDEX_H_
