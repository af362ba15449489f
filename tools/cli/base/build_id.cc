#include "tools/cli/base/build_id.h"

#include <fstream>
#include <iterator>

#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"

namespace tools {
namespace {

constexpr char kVersion[] = "0.1.0";

#if defined(__clang__)
constexpr char kCompiler[] = "clang " __clang_version__;
#else
constexpr char kCompiler[] = "g++ " __VERSION__;
#endif

#if defined(__OPTIMIZE__)
constexpr char kMode[] = "optimised";
#else
constexpr char kMode[] = "not optimised";
#endif

}  // namespace

std::string BuildId() { return absl::StrCat("ticktape ", kVersion, ", ", kCompiler, ", ", kMode); }

std::string ExecutableId() {
  std::ifstream file("/proc/self/exe", std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return absl::StrCat(BuildId(), ", executable ",
                      engine::DigestOf(engine::AsBytes(bytes)).ToString());
}

}  // namespace tools
