// Runs every transcript of testdata/strategies, each as a test of its name.
//
//   bazel run //tools/strategy:transcript_test -- --update
//
// rewrites the answers in the source tree. Commit them only when you understand what changed.

#include "tools/strategy/testing/transcript.h"

#include <memory>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy.h"
#include "tools/strategy/testing/transcript_files.h"

namespace strategy {
namespace {

// The example with whose name the file's name begins; else the one that does what lines say.
std::unique_ptr<Strategy> StrategyFor(const std::string& name) {
  for (const StrategyInfo& info : AllStrategies()) {
    if (absl::StartsWith(name, info.name)) return info.make();
  }
  return nullptr;
}

}  // namespace
}  // namespace strategy

int main(int argc, char** argv) {
  return strategy::RunTranscriptFiles(argc, argv,
                                      {.folder = "testdata/strategies",
                                       .prefix = "",
                                       .test = "//tools/strategy:transcript_test",
                                       .run = [](const std::string& stem, absl::string_view text) {
                                         return strategy::RunTranscript(
                                             absl::StrCat(stem, ".txt"), text,
                                             strategy::StrategyFor(stem));
                                       }});
}
