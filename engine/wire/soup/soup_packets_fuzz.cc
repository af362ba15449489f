// Any bytes are packets or an error, which do not depend on the chunks; what is read and written
// again is the same bytes. Any payload is a login or an error.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/soup/login.h"
#include "engine/wire/soup/packets.h"

namespace {

constexpr size_t kPayloadBytesMax = 300;

// The packets, written again, and the error.
std::string Read(engine::Bytes bytes, size_t chunk_bytes) {
  engine::SoupReader reader(kPayloadBytesMax);
  std::string written;
  while (!bytes.empty()) {
    const engine::Bytes chunk = bytes.first(std::min(chunk_bytes, bytes.size()));
    bytes = bytes.subspan(chunk.size());
    reader.Feed(chunk);
    while (true) {
      engine::SoupPacket packet;
      const auto more = reader.Next(packet);
      if (!more.ok()) return absl::StrCat(written, more.status().message());
      if (!*more) break;
      CHECK(packet.payload.size() <= kPayloadBytesMax);
      engine::AppendSoupPacket(packet.type, packet.payload, written);
    }
  }
  return written;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data) + 1, size - 1);
  CHECK(Read(bytes, bytes.size() + 1) == Read(bytes, size_t{1} + data[0]));
  if (const auto request = engine::ParseSoupLoginRequest(bytes); request.ok()) {
    std::string written;
    engine::AppendSoupLoginRequest(*request, written);
    CHECK(engine::ParseSoupLoginRequest(engine::AsBytes(written).subspan(3)).value() == *request);
  }
  if (const auto accepted = engine::ParseSoupLoginAccepted(bytes); accepted.ok()) {
    std::string written;
    engine::AppendSoupLoginAccepted(*accepted, written);
    CHECK(engine::ParseSoupLoginAccepted(engine::AsBytes(written).subspan(3)).value() == *accepted);
  }
  (void)engine::ParseSoupLoginRejected(bytes).ok();
  return 0;
}
