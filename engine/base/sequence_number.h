// A position in a journal. The first record has sequence number 1; numbers are dense (J1).

#ifndef ENGINE_BASE_SEQUENCE_NUMBER_H_
#define ENGINE_BASE_SEQUENCE_NUMBER_H_

#include <compare>
#include <cstdint>
#include <ostream>

namespace engine {

// A regular value type. A position plus a count is a position; a position minus a position is a
// count.
class SequenceNumber {
 public:
  // Zero, the position before the first record. No record has it.
  constexpr SequenceNumber() = default;
  explicit constexpr SequenceNumber(uint64_t value) : value_(value) {}

  static constexpr SequenceNumber First() { return SequenceNumber(1); }

  constexpr uint64_t value() const { return value_; }
  constexpr SequenceNumber Next() const { return SequenceNumber(value_ + 1); }

  friend constexpr auto operator<=>(SequenceNumber, SequenceNumber) = default;
  friend constexpr SequenceNumber operator+(SequenceNumber position, uint64_t count) {
    return SequenceNumber(position.value_ + count);
  }
  friend constexpr SequenceNumber operator-(SequenceNumber position, uint64_t count) {
    return SequenceNumber(position.value_ - count);
  }
  // REQUIRES: a >= b.
  friend constexpr uint64_t operator-(SequenceNumber a, SequenceNumber b) {
    return a.value_ - b.value_;
  }
  friend std::ostream& operator<<(std::ostream& out, SequenceNumber position) {
    return out << position.value_;
  }

 private:
  uint64_t value_ = 0;
};

}  // namespace engine

#endif  // ENGINE_BASE_SEQUENCE_NUMBER_H_
