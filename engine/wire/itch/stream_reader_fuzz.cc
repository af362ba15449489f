// Any bytes are messages or an error, plain or compressed, and the result does not depend on the
// chunks.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/itch/stream_reader.h"

namespace {

struct Outcome {
  uint64_t messages = 0;
  bool ok = false;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// A compressed stream may be a decompression bomb: read no more than this many messages.
constexpr uint64_t kMessagesMax = 100'000;

Outcome Read(engine::Bytes bytes, size_t chunk_bytes) {
  engine::ItchStreamReader reader;
  engine::ItchMessage message;
  Outcome outcome;
  while (true) {
    const engine::Bytes chunk = bytes.first(std::min(chunk_bytes, bytes.size()));
    bytes = bytes.subspan(chunk.size());
    reader.Feed(chunk);
    while (true) {
      const auto more = reader.Next(message);
      if (!more.ok()) return outcome;
      if (!*more) break;
      if (++outcome.messages == kMessagesMax) return outcome;
    }
    if (chunk.empty()) break;
  }
  outcome.ok = true;
  return outcome;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  CHECK(Read(bytes, bytes.size() + 1) == Read(bytes, size_t{1} + data[0]));
  return 0;
}
