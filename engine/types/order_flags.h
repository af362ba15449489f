// The restrictions on an order, in one byte.
//
//   bit 0  post only           it must not trade on arrival
//   bit 1  reduce only         it must not enlarge the account's position
//   bit 2  cancel on pause     it is cancelled when its market pauses
//   bits 3-4                   self-trade prevention
//   bits 5-7                   undefined: must be zero

#ifndef ENGINE_TYPES_ORDER_FLAGS_H_
#define ENGINE_TYPES_ORDER_FLAGS_H_

#include <array>
#include <compare>
#include <cstdint>

namespace engine {

// What happens when an order would trade with an order of the same account. The taker's setting
// decides.
// Do not renumber: in the journal.
enum class SelfTradePrevention : uint8_t {
  kNone = 0,         // They trade.
  kCancelTaker = 1,  // The rest of the arriving order is cancelled.
  kCancelMaker = 2,  // The resting order is cancelled; the arriving one continues.
  kCancelBoth = 3,   // Both are cancelled.
};

// A regular value type. A journal may contain any byte; is_defined() tells whether all its bits
// have a meaning.
class OrderFlags {
 public:
  constexpr OrderFlags() = default;
  static constexpr OrderFlags FromBits(uint8_t bits) { return OrderFlags(bits); }

  constexpr uint8_t bits() const { return bits_; }
  constexpr bool is_defined() const { return (bits_ & ~kDefinedBits) == 0; }

  constexpr bool post_only() const { return (bits_ & kPostOnly) != 0; }
  constexpr bool reduce_only() const { return (bits_ & kReduceOnly) != 0; }
  constexpr bool cancel_on_pause() const { return (bits_ & kCancelOnPause) != 0; }
  constexpr SelfTradePrevention self_trade_prevention() const {
    return static_cast<SelfTradePrevention>((bits_ & kSelfTrade) >> kSelfTradeShift);
  }

  constexpr OrderFlags WithPostOnly() const { return With(kPostOnly); }
  constexpr OrderFlags WithReduceOnly() const { return With(kReduceOnly); }
  constexpr OrderFlags WithCancelOnPause() const { return With(kCancelOnPause); }
  constexpr OrderFlags WithSelfTradePrevention(SelfTradePrevention prevention) const {
    const auto bits = static_cast<unsigned>(prevention) << kSelfTradeShift;
    return FromBits(static_cast<uint8_t>((bits_ & ~kSelfTrade) | (bits & kSelfTrade)));
  }

  friend constexpr auto operator<=>(OrderFlags, OrderFlags) = default;

  // The flags of one bit, with the names that every text form uses.
  struct NamedBit {
    const char* name;
    uint8_t bit;
  };
  static const std::array<NamedBit, 3> kNamedBits;

 private:
  static constexpr uint8_t kPostOnly = 1;
  static constexpr uint8_t kReduceOnly = 2;
  static constexpr uint8_t kCancelOnPause = 4;
  static constexpr int kSelfTradeShift = 3;
  static constexpr uint8_t kSelfTrade = 3 << kSelfTradeShift;
  static constexpr uint8_t kDefinedBits = kPostOnly | kReduceOnly | kCancelOnPause | kSelfTrade;

  explicit constexpr OrderFlags(uint8_t bits) : bits_(bits) {}
  constexpr OrderFlags With(uint8_t bit) const {
    return FromBits(static_cast<uint8_t>(bits_ | bit));
  }

  uint8_t bits_ = 0;
};

inline constexpr std::array<OrderFlags::NamedBit, 3> OrderFlags::kNamedBits = {
    {{"post_only", kPostOnly}, {"reduce_only", kReduceOnly}, {"cancel_on_pause", kCancelOnPause}}};

}  // namespace engine

#endif  // ENGINE_TYPES_ORDER_FLAGS_H_
