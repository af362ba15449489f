// Byte spans, and integers in bytes. Function names state the byte order. No function reads beyond
// its input.

#ifndef ENGINE_BASE_BYTES_H_
#define ENGINE_BASE_BYTES_H_

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>

#include "absl/strings/string_view.h"

namespace engine {

static_assert(std::endian::native == std::endian::little,
              "memory, ring, rows and disk share one layout, which is little-endian");

using Bytes = std::span<const std::byte>;
using MutableBytes = std::span<std::byte>;

// The object's bytes. Only class types without padding: padding bytes have no defined value. Not
// text: a string literal would include its terminating zero.
template <typename T>
  requires(std::has_unique_object_representations_v<T> && std::is_class_v<T>)
Bytes AsBytes(const T& value) {
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

inline Bytes AsBytes(absl::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline absl::string_view AsText(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// `at` points to sizeof(T) readable bytes, of any alignment.
template <std::unsigned_integral T>
T LoadLittleEndian(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

template <std::unsigned_integral T>
void StoreLittleEndian(T value, std::byte* at) {
  std::memcpy(at, &value, sizeof(value));
}

template <std::unsigned_integral T>
T LoadBigEndian(const std::byte* at) {
  const T value = LoadLittleEndian<T>(at);
  if constexpr (sizeof(T) == 8) {
    return __builtin_bswap64(value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bswap32(value);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bswap16(value);
  } else {
    return value;
  }
}

// Lower-case hexadecimal, two digits per byte, no separators.
std::string ToHex(Bytes bytes);

}  // namespace engine

#endif  // ENGINE_BASE_BYTES_H_
