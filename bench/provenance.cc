#include "bench/provenance.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "tools/cli/base/build_id.h"
#include "tools/os/thread.h"

namespace bench {
namespace {

// Empty if the file cannot be read.
std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// HEAD names a branch, whose file names the commit. "unknown" if the branch is in packed-refs.
std::string FindCommit() {
  const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");  // Set by `bazel run`.
  if (workspace == nullptr) return "unknown";
  const std::string git = absl::StrCat(workspace, "/.git/");
  std::string head(absl::StripAsciiWhitespace(ReadFile(git + "HEAD")));
  if (absl::StartsWith(head, "ref: ")) {
    head = std::string(absl::StripAsciiWhitespace(ReadFile(git + head.substr(5))));
  }
  return head.size() < 12 ? "unknown" : head.substr(0, 12);
}

std::string FindMachine() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (!absl::StartsWith(line, "model name")) continue;
    const size_t colon = line.find(':');
    if (colon != std::string::npos) {
      model = std::string(absl::StripAsciiWhitespace(absl::string_view(line).substr(colon + 1)));
    }
    break;
  }
  const size_t cores = tools::UsableCores().size();
  return absl::StrCat(model, ", ", cores, cores == 1 ? " core" : " cores");
}

}  // namespace

Provenance FindProvenance(const std::vector<std::string>& arguments) {
  return {.command = absl::StrCat("apply_bench", arguments.empty() ? "" : " ",
                                  absl::StrJoin(arguments, " ")),
          .build = tools::BuildId(),
          .commit = FindCommit(),
          .machine = FindMachine(),
          .program = engine::DigestOf(engine::AsBytes(ReadFile("/proc/self/exe")))};
}

}  // namespace bench
