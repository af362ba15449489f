#include "tools/cli/base/executable_id.h"

#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "tools/cli/base/build_id.h"

namespace tools {

std::string ExecutableId() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return absl::StrCat(BuildId(), ", executable ",
                      engine::DigestOf(engine::AsBytes(bytes)).ToString());
}

}  // namespace tools
