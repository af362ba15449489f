// The holdings of accounts in markets, in one hash table with account and market as the key.
//
//   slots   [ – ][ 7·3 ][ – ][ 7·1 ][ 9·1 ][ – ] ...     market·account, one cache line each
//                                   ▲ its slot by the hash was taken: the next free slot
//
// An account trades in few markets at a time and a market has many traders, so neither is an array
// for the other: one open-addressed table has all holdings, at most half full. Most look-ups are
// one multiplication and one cache line. The table grows by doubling, which moves everything, and
// never shrinks. Worst case: ids chosen to collide make each look-up a walk over many slots.

#ifndef ENGINE_CORE_HOLDING_TABLE_H_
#define ENGINE_CORE_HOLDING_TABLE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/inline.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"

namespace engine {

// A regular value type.
struct alignas(64) Holding {
  AccountId account;
  MarketId market;  // Zero: the slot is free.
  int64_t position = 0;
  // What its resting bids and its resting asks require; then the same less what pairs would pay
  // (negative where pairs would pay more). The ledger keeps both up to date.
  std::array<Money, 4> sums;
  uint64_t account_offset = 0;      // In the ledger's array, in bytes: needs no scaling.
  mutable bool is_changed = false;  // Ledger::TakeChanges will name its position.

  // Both sums of one side. A pointer, so that the address is computed once.
  class OfSide {
   public:
    explicit OfSide(Money* at) : at_(at) {}
    Money& required() const { return at_[0]; }
    Money& beyond() const { return at_[2]; }

   private:
    Money* at_;
  };
  OfSide of(Side side) { return OfSide(sums.data() + IndexOf(side)); }
  Money required(Side side) const { return sums[IndexOf(side)]; }
  Money beyond(Side side) const { return sums[2 + IndexOf(side)]; }

  // How much of the position a fill of `side` would close: NO for bids, YES for asks.
  Quantity Closable(Side side) const {
    const int64_t opposite = side == Side::kBid ? -position : position;
    return Quantity::FromUnits(opposite > 0 ? static_cast<uint64_t>(opposite) : 0);
  }

 private:
  static size_t IndexOf(Side side) { return static_cast<size_t>(side) - 1; }
  static_assert(static_cast<int>(Side::kBid) == 1 && static_cast<int>(Side::kAsk) == 2);
};

// Not thread-safe: owned by the ledger. References are valid until the next Add or Remove.
class HoldingTable {
 public:
  HoldingTable() : slots_(kSlotsMin) {}

  // Null when there is none.
  ENGINE_ALWAYS_INLINE const Holding* Find(AccountId account, MarketId market) const {
    const uint64_t key = KeyOf(account, market);
    for (size_t slot = SlotOf(key);; slot = Next(slot)) {
      const Holding& holding = slots_[slot];
      if (KeyOf(holding.account, holding.market) == key) {
        return market == MarketId() ? nullptr : &holding;
      }
      if (holding.market == MarketId()) return nullptr;
    }
  }
  ENGINE_ALWAYS_INLINE Holding* Find(AccountId account, MarketId market) {
    return const_cast<Holding*>(static_cast<const HoldingTable*>(this)->Find(account, market));
  }

  // The same without a loop or a call, but null also when another holding has its slot by the hash.
  // REQUIRES: the market is not zero.
  ENGINE_ALWAYS_INLINE Holding* FindAtHome(AccountId account, MarketId market) {
    const uint64_t key = KeyOf(account, market);
    Holding& holding = slots_[SlotOf(key)];
    return KeyOf(holding.account, holding.market) == key ? &holding : nullptr;
  }

  // REQUIRES: there is no such holding; the market is not zero.
  Holding& Add(AccountId account, MarketId market);
  // REQUIRES: there is such a holding.
  void Remove(AccountId account, MarketId market);

  size_t size() const { return size_; }
  // All slots, free ones included, in an arbitrary order that is the same on every machine.
  const std::vector<Holding>& slots() const { return slots_; }

 private:
  static constexpr size_t kSlotsMin = 64;

  // Market and account as one word, as a holding stores them.
  static uint64_t KeyOf(AccountId account, MarketId market) {
    return uint64_t{market.value()} << 32 | account.value();
  }
  size_t SlotOf(uint64_t key) const {
    return static_cast<size_t>(key * 0x9e3779b97f4a7c15 >> shift_);
  }
  size_t Next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }
  void Grow();

  std::vector<Holding> slots_;  // Its size is a power of two.
  int shift_ = 64 - 6;          // The upper bits of the hash are the slot.
  size_t size_ = 0;
  static_assert(kSlotsMin == 1 << 6);
};

}  // namespace engine

#endif  // ENGINE_CORE_HOLDING_TABLE_H_
