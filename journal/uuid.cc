#include "journal/uuid.h"

#include "engine/base/bytes.h"

namespace journal {

Uuid Uuid::FromWords(uint64_t first, uint64_t second) {
  Uuid uuid;
  engine::StoreLittleEndian(first, uuid.bytes.data());
  engine::StoreLittleEndian(second, uuid.bytes.data() + 8);
  return uuid;
}

std::string Uuid::ToString() const { return engine::ToHex(bytes); }

}  // namespace journal
