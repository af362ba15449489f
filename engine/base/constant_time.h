// Comparison of secrets.

#ifndef ENGINE_BASE_CONSTANT_TIME_H_
#define ENGINE_BASE_CONSTANT_TIME_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace engine {

// Whether they are equal. The time depends on their lengths alone, and not on where they differ.
inline bool EqualInConstantTime(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace engine

#endif  // ENGINE_BASE_CONSTANT_TIME_H_
