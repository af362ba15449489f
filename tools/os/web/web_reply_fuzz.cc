// Any bytes of a server are read without harm, and what is read of a whole reply does not depend on
// how they were cut. The first byte is the size of the pieces.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "tools/os/web/web_reply.h"

namespace tools {
namespace {

constexpr size_t kBodyBytesMax = 10'000;

// Nothing, if it is refused.
std::optional<std::string> Read(absl::string_view bytes, size_t step) {
  ReplyParser parser(/*is_to_head=*/false, kBodyBytesMax);
  while (!parser.is_done() && !bytes.empty()) {
    const absl::string_view piece = bytes.substr(0, step);
    const auto taken = parser.Take(piece);
    if (!taken.ok()) return std::nullopt;
    CHECK(*taken == piece.size() || parser.is_done());
    bytes.remove_prefix(*taken);
  }
  if (!parser.is_done() && !parser.TakeEnd().ok()) return std::nullopt;
  const WebReply reply = parser.reply();
  CHECK(reply.body.size() <= kBodyBytesMax);
  return absl::StrCat(reply.status, "|", reply.date, "|", reply.body, "|", parser.keeps_alive(),
                      "|", bytes.size());
}

}  // namespace
}  // namespace tools

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const absl::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  CHECK(tools::Read(bytes, bytes.size() + 1) == tools::Read(bytes, size_t{1} + data[0]));
  return 0;
}
