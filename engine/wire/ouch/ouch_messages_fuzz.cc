// Any bytes are a message or an error; a message that is read is written as the same bytes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <variant>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/wire/ouch/codec.h"

namespace {

void CheckWritten(const auto& message, engine::Bytes bytes) {
  std::visit(
      [&](const auto& typed) { CHECK(std::ranges::equal(engine::ouch::BytesOf(typed), bytes)); },
      message);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const engine::Bytes bytes(reinterpret_cast<const std::byte*>(data), size);
  if (const auto inbound = engine::ouch::ParseInbound(bytes); inbound.ok()) {
    CheckWritten(*inbound, bytes);
  }
  if (const auto outbound = engine::ouch::ParseOutbound(bytes); outbound.ok()) {
    CheckWritten(*outbound, bytes);
  }
  return 0;
}
