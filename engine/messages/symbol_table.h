// Finds markets by symbol.
//
//   slots   [ word, market | · | word, market | · | · | ... ]   open addressing; 2^n slots, at most
//             ▲                                                 half of them used
//             └ the symbol's bytes and their number, or of a long symbol a mixture of its bytes
//
// The lookup of a short symbol reads one slot, mostly, and not the definition that it returns.
// Nothing is allocated unless the table grows.
//
// Where a symbol is differs from process to process, so that no file of symbols can be made to
// collide. The table cannot be iterated, so nothing depends on its order.

#ifndef ENGINE_MESSAGES_SYMBOL_TABLE_H_
#define ENGINE_MESSAGES_SYMBOL_TABLE_H_

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/types/market_definition.h"

namespace engine {

// Not thread-safe: a member of the class that owns the definitions, which do not move.
class SymbolTable {
 public:
  SymbolTable() : slots_(kSlotsMin), shift_(64 - std::countr_zero(kSlotsMin)) {}

  // Null if there is none. Any bytes.
  const MarketDefinition* Find(absl::string_view symbol) const {
    const uint64_t word = WordOf(symbol);
    for (size_t i = HomeOf(word); slots_[i].market != nullptr; i = Next(i)) {
      if (Has(slots_[i], word, symbol)) return slots_[i].market;
    }
    return nullptr;
  }

  // REQUIRES: no market in the table has its symbol.
  void Insert(const MarketDefinition& market);

  // How many slots a lookup reads, the last one included.
  size_t StepsTo(absl::string_view symbol) const;

 private:
  struct Slot {
    uint64_t word = 0;
    const MarketDefinition* market = nullptr;
  };
  static constexpr size_t kSlotsMin = 16;
  static constexpr uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
  static constexpr char kAnchor = 0;

  // No two short symbols have the same word; a long symbol has that of no short one.
  static constexpr size_t kShortBytes = 7;
  static constexpr uint64_t kIsLong = uint64_t{1} << 63;

  static uint64_t WordOf(absl::string_view symbol) {
    Bytes bytes = AsBytes(symbol);
    if (bytes.size() <= kShortBytes) [[likely]]
      return LoadAtMostEight(bytes) | uint64_t{bytes.size()} << 56;
    uint64_t mixed = 0;
    for (; bytes.size() > sizeof(mixed); bytes = bytes.subspan(sizeof(mixed))) {
      mixed = Mix(mixed ^ LoadLittleEndian<uint64_t>(bytes.data()));
    }
    return (mixed ^ LoadAtMostEight(bytes)) | kIsLong;
  }

  // Whether the market in the slot has the symbol, whose word is `word`.
  static bool Has(const Slot& slot, uint64_t word, absl::string_view symbol) {
    return slot.word == word && ((word & kIsLong) == 0 || slot.market->symbol == symbol);
  }

  // Zeros follow the bytes. REQUIRES: at most eight.
  static uint64_t LoadAtMostEight(Bytes bytes) {
    const std::byte* const at = bytes.data();
    const size_t size = bytes.size();
    if (size >= sizeof(uint32_t)) {  // The two halves overlap.
      const uint64_t low = LoadLittleEndian<uint32_t>(at);
      const uint64_t high = LoadLittleEndian<uint32_t>(at + size - sizeof(uint32_t));
      return low | high << (8 * (size - sizeof(uint32_t)));
    }
    uint64_t word = 0;
    for (size_t i = 0; i < size; ++i) word |= std::to_integer<uint64_t>(at[i]) << (8 * i);
    return word;
  }

  // Every bit of the result depends on all bits of the word, and on the address of the program.
  static uint64_t Mix(uint64_t word) {
    const uint64_t salt = reinterpret_cast<uintptr_t>(&kAnchor);
    const auto product = static_cast<unsigned __int128>(word ^ salt) * kFactor;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }
  size_t HomeOf(uint64_t word) const { return Mix(word) >> shift_; }
  size_t Next(size_t i) const { return (i + 1) & (slots_.size() - 1); }

  void Place(Slot slot);
  void Grow();

  std::vector<Slot> slots_;
  int shift_;
  size_t size_ = 0;
};

}  // namespace engine

#endif  // ENGINE_MESSAGES_SYMBOL_TABLE_H_
