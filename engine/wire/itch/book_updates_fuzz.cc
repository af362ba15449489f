// Any bytes are framed messages whose order messages are updates, or an error that says where.

#include <cstddef>
#include <cstdint>

#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/messages/book_update.h"
#include "engine/types/side.h"
#include "engine/wire/itch/book_updates.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  engine::ItchBookUpdates updates(engine::Bytes(reinterpret_cast<const std::byte*>(data), size));
  engine::BookUpdate update;
  uint64_t count = 0;
  while (updates.Next(update)) {
    CHECK(update.kind != engine::BookUpdateKind::kClear);
    CHECK(update.kind != engine::BookUpdateKind::kAdd || engine::IsValid(update.side));
    CHECK(updates.message_count() >= ++count);
  }
  CHECK(!updates.Next(update));
  CHECK(updates.message_count() <= size / 2);
  return 0;
}
