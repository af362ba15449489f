#include "engine/wire/itch/encoder.h"

#include <variant>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"

namespace engine {

void AppendItchFrame(const ItchMessage& message, std::string& out) {
  std::visit(
      [&out]<typename T>(const T& typed) {
        static_assert(alignof(ItchFramed<T>) == 1, "the layout of the wire");
        const ItchFramed<T> framed = {.message = typed};
        const absl::string_view bytes = AsText(AsBytes(framed));
        out.append(bytes.data(), bytes.size());
      },
      message);
}

}  // namespace engine
