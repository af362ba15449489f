// The orders of all accounts by id: those that are live, and those that ended last.
//
//   id ─► place ─► entry: the order, the client's text, the places of its account and position
//
//   ended   first ─► ... ─► last      a list of all, and one for each account: an order that ends
//   is
//           ▲ forgotten first         appended to both
//
// An order costs one entry and nothing else is allocated for it.

#ifndef ENGINE_VIEWS_ORDER_STORE_H_
#define ENGINE_VIEWS_ORDER_STORE_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/base/dense_id_table.h"
#include "engine/messages/order_note.h"
#include "engine/types/ids.h"
#include "engine/views/chunked_pool.h"
#include "engine/views/portfolio_rows.h"

namespace engine {

// Not thread-safe: a member of the view.
class OrderStore {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  struct Links {
    uint32_t before = kNone;
    uint32_t next = kNone;
  };
  struct Entry {
    PortfolioOrder row;    // First: ClientTextOf() finds the entry of a row.
    uint32_t account = 0;  // Places in the view's tables.
    uint32_t position = 0;
    Links among_all;  // Once it has ended.
    Links among_account;
    uint8_t text_size = 0;
    std::array<char, kClientOrderTextBytesMax> text;  // Up to `text_size`.

    void SetText(absl::string_view to) {
      std::ranges::copy(to, text.begin());
      text_size = static_cast<uint8_t>(to.size());
    }
    absl::string_view client_text() const { return {text.data(), text_size}; }
  };
  // Orders in the order in which they ended.
  struct EndedList {
    uint32_t first = kNone;
    uint32_t last = kNone;
    size_t count = 0;
  };

  // Null if the order is not kept.
  Entry* FindEntry(OrderId order) {
    const uint32_t place = places_.Find(order.value());
    return place == DenseIdTable::kNone ? nullptr : &entries_[place];
  }
  const Entry* FindEntry(OrderId order) const {
    const uint32_t place = places_.Find(order.value());
    return place == DenseIdTable::kNone ? nullptr : &entries_[place];
  }
  const PortfolioOrder* Find(OrderId order) const {
    const Entry* const entry = FindEntry(order);
    return entry == nullptr ? nullptr : &entry->row;
  }
  absl::string_view ClientTextOf(const PortfolioOrder& order) const {
    return FindEntry(order.id)->client_text();
  }

  // Adds a live order without a text. REQUIRES: its id is not kept. References stay valid until the
  // order is forgotten.
  Entry& Add(const PortfolioOrder& order);

  // A live order has ended: it becomes the last of both lists. `of_account` is its account's.
  void End(const Entry& entry, EndedList& of_account);

  // The order that is to be forgotten first; null if none has ended.
  Entry* FirstEnded() { return ended_.count == 0 ? nullptr : &entries_[ended_.first]; }
  Entry* FirstEnded(const EndedList& of_account) {
    return of_account.count == 0 ? nullptr : &entries_[of_account.first];
  }
  // REQUIRES: the order has ended.
  void Forget(const Entry& entry, EndedList& of_account);

  uint64_t live_count() const { return places_.size() - ended_.count; }
  size_t ended_count() const { return ended_.count; }

 private:
  using LinksOf = Links Entry::*;

  void Append(uint32_t place, LinksOf links, EndedList& list);
  void Take(uint32_t place, LinksOf links, EndedList& list);

  ChunkedPool<Entry> entries_;
  DenseIdTable places_;
  EndedList ended_;
};

}  // namespace engine

#endif  // ENGINE_VIEWS_ORDER_STORE_H_
