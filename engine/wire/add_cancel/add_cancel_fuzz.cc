// Any bytes are a message that is written again as it was read, or an error.

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/messages/book_update.h"
#include "engine/wire/add_cancel/messages.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const engine::Bytes datagram(reinterpret_cast<const std::byte*>(data), size);
  engine::BookUpdate update;
  if (!engine::DecodeAddCancel(datagram, 1, update)) {
    CHECK(!engine::AddCancelError(datagram).message().empty());
    return 0;
  }
  const auto message = engine::AddCancelMessage::From(update);
  CHECK(message.has_value());
  CHECK(std::ranges::equal(message->bytes(), datagram));
  return 0;
}
