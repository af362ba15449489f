// An integer type that does not mix with other integer types. It has no arithmetic: identifiers are
// compared, hashed and printed.
//
//   using OrderId = StrongInt<struct OrderIdTag, uint64_t>;

#ifndef ENGINE_BASE_STRONG_INT_H_
#define ENGINE_BASE_STRONG_INT_H_

#include <compare>
#include <ostream>
#include <utility>

namespace engine {

template <typename Tag, typename Rep>
class StrongInt {
 public:
  constexpr StrongInt() = default;
  explicit constexpr StrongInt(Rep value) : value_(value) {}
  constexpr Rep value() const { return value_; }

  friend constexpr auto operator<=>(StrongInt, StrongInt) = default;

  // For lookups only: Abseil salts its hashes, so neither a hash nor a hash map's order may reach
  // events, snapshots or digests.
  template <typename H>
  friend H AbslHashValue(H state, StrongInt id) {
    return H::combine(std::move(state), id.value_);
  }

  friend std::ostream& operator<<(std::ostream& out, StrongInt id) { return out << +id.value_; }

 private:
  Rep value_ = {};
};

}  // namespace engine

#endif  // ENGINE_BASE_STRONG_INT_H_
