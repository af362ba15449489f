#include "engine/base/bytes.h"

#include "absl/strings/escaping.h"

namespace engine {

std::string ToHex(Bytes bytes) { return absl::BytesToHexString(AsText(bytes)); }

}  // namespace engine
