// Compresses a text, for tests of what reads it.

#ifndef ENGINE_WIRE_TESTING_COMPRESSED_H_
#define ENGINE_WIRE_TESTING_COMPRESSED_H_

#include <string>

#include "absl/strings/string_view.h"

namespace engine {

std::string Gzipped(absl::string_view plain);
std::string Zstandard(absl::string_view plain);

}  // namespace engine

#endif  // ENGINE_WIRE_TESTING_COMPRESSED_H_
