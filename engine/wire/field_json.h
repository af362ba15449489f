// Fields of fixed layouts as members of a JSON object.
//
//   ,"shares":100,"stock":"ACME","side":"B"

#ifndef ENGINE_WIRE_FIELD_JSON_H_
#define ENGINE_WIRE_FIELD_JSON_H_

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"
#include "engine/wire/big_endian.h"

namespace engine {

// Appends members, each after a comma. A view: `out` outlives it.
class FieldJson {
 public:
  explicit FieldJson(std::string& out) : out_(out) {}

  template <std::unsigned_integral T, size_t kSize>
  void Put(absl::string_view name, const BigEndianInteger<T, kSize>& value) {
    PutNumber(name, T{value});
  }
  // Without the blanks that pad it. Any bytes.
  template <size_t kSize>
  void Put(absl::string_view name, const std::array<char, kSize>& text) {
    PutText(name, {text.data(), kSize});
  }
  void Put(absl::string_view name, char code) { PutText(name, {&code, 1}); }

 private:
  void PutNumber(absl::string_view name, uint64_t value);
  void PutText(absl::string_view name, absl::string_view text);

  std::string& out_;
};

}  // namespace engine

#endif  // ENGINE_WIRE_FIELD_JSON_H_
