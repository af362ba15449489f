// Any bytes are read without harm, and what is read and sent does not depend on how they were cut.

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/http/testing/conversations.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const absl::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  CHECK(engine::ReadWebSocket(bytes, bytes.size() + 1, 1000) ==
        engine::ReadWebSocket(bytes, size_t{1} + data[0], 1000));
  return 0;
}
