#include "journal/zeros.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"

namespace journal {
namespace {

// Never modified, but not const: a const array would add 1 MiB to the executable.
constinit std::array<std::byte, 1 << 20> zeros = {};

}  // namespace

absl::Status WriteZeros(File& file, uint64_t begin, uint64_t end) {
  while (begin < end) {
    const uint64_t bytes = std::min<uint64_t>(end - begin, zeros.size());
    RETURN_IF_ERROR(file.Write(begin, engine::Bytes(zeros).first(bytes)));
    begin += bytes;
  }
  return absl::OkStatus();
}

}  // namespace journal
