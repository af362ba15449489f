// Integers of messages whose structs have the layout of the wire.

#ifndef ENGINE_WIRE_BIG_ENDIAN_H_
#define ENGINE_WIRE_BIG_ENDIAN_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/base/bytes.h"

namespace engine {

// An unsigned integer in kSize bytes, most significant first, without alignment. Converts from and
// to T; the bytes of a T that do not fit are dropped.
template <std::unsigned_integral T, size_t kSize = sizeof(T)>
class BigEndianInteger {
 public:
  BigEndianInteger(T value = 0) {
    const T reversed = LoadBigEndian<T>(reinterpret_cast<const std::byte*>(&value));
    std::memcpy(bytes_.data(), reinterpret_cast<const std::byte*>(&reversed) + kUnused, kSize);
  }

  operator T() const {
    std::array<std::byte, sizeof(T)> all = {};
    std::memcpy(all.data() + kUnused, bytes_.data(), kSize);
    return LoadBigEndian<T>(all.data());
  }

 private:
  static constexpr size_t kUnused = sizeof(T) - kSize;
  std::array<std::byte, kSize> bytes_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_BIG_ENDIAN_H_
