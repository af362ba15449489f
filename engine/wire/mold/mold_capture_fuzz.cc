// Any bytes are a capture or an error, and the messages do not depend on the chunks. The same bytes
// as one packet are MoldUDP64 or an error.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/mold/capture.h"
#include "engine/wire/mold/packet.h"

namespace {

std::string Read(engine::Bytes bytes, size_t chunk_bytes, bool allow_gaps) {
  engine::MoldCapture capture(allow_gaps);
  std::string messages;
  while (true) {
    const engine::Bytes chunk = bytes.first(std::min(chunk_bytes, bytes.size()));
    bytes = bytes.subspan(chunk.size());
    capture.Feed(chunk);
    while (true) {
      const auto more = capture.Next();
      if (!more.ok()) return absl::StrCat(messages, more.status().message());
      if (more->empty()) break;
      absl::StrAppend(&messages, engine::AsText(*more));
    }
    if (chunk.empty()) return messages;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  const bool allow_gaps = data[0] % 2 != 0;
  CHECK(Read(bytes, bytes.size() + 1, allow_gaps) ==
        Read(bytes, size_t{1} + data[0] / 2, allow_gaps));
  const auto packet = engine::ParseMoldPacket(bytes);
  if (packet.ok()) CHECK(engine::WithoutFirst(packet->messages, packet->count).empty());
  return 0;
}
