// Runs every transcript of testdata/strategies, each as a test of its name.
//
//   bazel run //tools/strategy:transcript_test -- --update
//
// rewrites the answers in the source tree. Commit them only when you understand what changed.

#include "tools/strategy/testing/transcript.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "tools/strategy/registry.h"
#include "tools/strategy/strategy.h"

namespace strategy {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kFolder = "testdata/strategies";

std::vector<fs::path> TranscriptsIn(const fs::path& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The example with whose name the file's name begins; else the one that does what lines say.
std::unique_ptr<Strategy> StrategyFor(const std::string& name) {
  for (const StrategyInfo& info : AllStrategies()) {
    if (absl::StartsWith(name, info.name)) return info.make();
  }
  return nullptr;
}

class TranscriptFile : public ::testing::Test {
 public:
  explicit TranscriptFile(fs::path path) : path_(std::move(path)) {}

  void TestBody() override {
    const std::string expected = ReadFile(path_);
    ASSERT_TRUE(absl::StartsWith(expected, "# ")) << "begin with the rule";
    const auto actual =
        RunTranscript(path_.filename().string(), expected, StrategyFor(path_.stem().string()));
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_EQ(*actual, expected)
        << "To accept: bazel run //tools/strategy:transcript_test -- --update";
  }

 private:
  fs::path path_;
};

int Update(const fs::path& folder) {
  for (const fs::path& path : TranscriptsIn(folder)) {
    const auto actual =
        RunTranscript(path.filename().string(), ReadFile(path), StrategyFor(path.stem().string()));
    if (!actual.ok()) {
      std::cerr << actual.status() << "\n";
      return 1;
    }
    std::ofstream(path, std::ios::binary) << *actual;
  }
  return 0;
}

}  // namespace
}  // namespace strategy

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && absl::string_view(argv[1]) == "--update") {
    const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
    if (workspace == nullptr) return 2;
    return strategy::Update(std::filesystem::path(workspace) / std::string(strategy::kFolder));
  }
  for (const auto& path : strategy::TranscriptsIn(std::string(strategy::kFolder))) {
    ::testing::RegisterTest(
        "Transcript", path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [path]() -> strategy::TranscriptFile* { return new strategy::TranscriptFile(path); });
  }
  return RUN_ALL_TESTS();
}
