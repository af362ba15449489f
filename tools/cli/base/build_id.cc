#include "tools/cli/base/build_id.h"

#include "absl/strings/str_cat.h"

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

}  // namespace tools
