// An amount of dollars: a signed count of 10^-6 dollar.

#ifndef ENGINE_TYPES_MONEY_H_
#define ENGINE_TYPES_MONEY_H_

#include <compare>
#include <cstdint>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace engine {

// A regular value type. Sums cannot overflow: no amount that is accepted exceeds kMoneyMax, and all
// balances together stay below it (RULES.md, Accounts).
class Money {
 public:
  constexpr Money() = default;
  static constexpr Money FromMicros(int64_t micros) { return Money(micros); }
  static constexpr Money FromDollars(int64_t dollars) { return Money(dollars * 1'000'000); }
  constexpr int64_t micros() const { return micros_; }

  friend constexpr auto operator<=>(Money, Money) = default;
  friend constexpr Money operator+(Money a, Money b) { return Money(a.micros_ + b.micros_); }
  friend constexpr Money operator-(Money a, Money b) { return Money(a.micros_ - b.micros_); }
  constexpr Money operator-() const { return Money(-micros_); }
  constexpr Money& operator+=(Money other) { return *this = *this + other; }
  constexpr Money& operator-=(Money other) { return *this = *this - other; }

  // Always six decimals: "-0.017500".
  std::string ToString() const;
  // Accepts fewer decimals. Errors: INVALID_ARGUMENT if `text` is not such a number or does not
  // fit.
  static absl::StatusOr<Money> Parse(absl::string_view text);

  friend std::ostream& operator<<(std::ostream& out, Money money) {
    return out << money.ToString();
  }

 private:
  explicit constexpr Money(int64_t micros) : micros_(micros) {}
  int64_t micros_ = 0;
};

// 10^11 dollars: the maximum of all accounts together.
inline constexpr Money kMoneyMax = Money::FromMicros(100'000'000'000'000'000);

// Balances are whole multiples of 10^-4 dollar.
inline constexpr int64_t kBalanceStepMicros = 100;

}  // namespace engine

#endif  // ENGINE_TYPES_MONEY_H_
