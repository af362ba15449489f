// The last rows of something, numbered from 1, in chains: rows of one market, or of one account.
//
//   number    7     8     9     10     11            first() 7, last() 11; 1 to 6 are forgotten
//   chain     A     B     A     A      B
//             ▲           │▲    │                    OlderOf(10) is 9, OlderOf(9) is 7
//             └───────────┘└────┘
//
// The caller keeps the number of each chain's newest row. All rows together are bounded: the oldest
// is forgotten for a new one.

#ifndef ENGINE_VIEWS_CHAINED_HISTORY_H_
#define ENGINE_VIEWS_CHAINED_HISTORY_H_

#include <cstddef>
#include <cstdint>
#include <deque>

#include "engine/views/page.h"

namespace engine {

// Not thread-safe: a member of the view that owns the rows.
template <typename Row>
class ChainedHistory {
 public:
  // `rows_max` of zero keeps none.
  explicit ChainedHistory(size_t rows_max) : rows_max_(rows_max) {}

  // Adds a row whose chain's newest was `newest`, zero for none, and makes it the newest.
  void Add(const Row& row, uint64_t& newest) {
    entries_.push_back({row, newest});
    newest = last();
    if (entries_.size() > rows_max_) ForgetFirst();
  }

  // Nothing is kept if first() > last().
  uint64_t first() const { return first_; }
  uint64_t last() const { return first_ + entries_.size() - 1; }
  bool empty() const { return entries_.empty(); }

  // Null if it is not kept. Any number is safe.
  const Row* Find(uint64_t number) const {
    return Has(number) ? &entries_[number - first_].row : nullptr;
  }
  Row* Find(uint64_t number) { return Has(number) ? &entries_[number - first_].row : nullptr; }

  // The number before it in its chain; zero if there is none. REQUIRES: it is kept.
  uint64_t OlderOf(uint64_t number) const { return entries_[number - first_].older; }

  // REQUIRES: !empty().
  void ForgetFirst() {
    entries_.pop_front();
    ++first_;
  }

  // The page of rows that `matches` accepts, from `begin` on, where `older` leads from a number to
  // the one before it, until `is_past` is true for a row.
  template <typename Older, typename Matches, typename IsPast>
  Page<Row> PageFrom(uint64_t begin, size_t limit, Older older, Matches matches,
                     IsPast is_past) const {
    Page<Row> page;
    size_t visited = 0;
    for (uint64_t at = begin; Has(at); at = older(at)) {
      const Row& row = *Find(at);
      if (is_past(row)) return page;
      if (page.rows.size() == limit || visited == kVisitedRowsMax) {
        page.next = at;
        return page;
      }
      ++visited;
      if (matches(row)) page.rows.push_back(&row);
    }
    return page;
  }

 private:
  struct Entry {
    Row row;
    uint64_t older = 0;
  };

  bool Has(uint64_t number) const { return number >= first_ && number - first_ < entries_.size(); }

  size_t rows_max_;
  uint64_t first_ = 1;
  std::deque<Entry> entries_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_CHAINED_HISTORY_H_
