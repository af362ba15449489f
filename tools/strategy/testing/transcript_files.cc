#include "tools/strategy/testing/transcript_files.h"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"

namespace strategy {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kDivider = "----";

std::vector<fs::path> PathsIn(const fs::path& directory, const TranscriptFolder& folder) {
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(directory)) {
    const fs::path& path = entry.path();
    if (path.extension() != ".txt") continue;
    if (absl::StartsWith(path.filename().string(), folder.prefix)) paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class TranscriptFile : public ::testing::Test {
 public:
  TranscriptFile(fs::path path, const TranscriptFolder& folder)
      : path_(std::move(path)), folder_(folder) {}

  void TestBody() override {
    const std::string expected = ReadFile(path_);
    ASSERT_TRUE(absl::StartsWith(expected, "# ")) << "begin with the rule";
    const auto actual = folder_.run(path_.stem().string(), expected);
    ASSERT_TRUE(actual.ok()) << actual.status();
    EXPECT_EQ(*actual, expected) << "To accept: bazel run " << folder_.test << " -- --update";
  }

 private:
  const fs::path path_;
  const TranscriptFolder& folder_;
};

int Update(const fs::path& directory, const TranscriptFolder& folder) {
  for (const fs::path& path : PathsIn(directory, folder)) {
    const auto actual = folder.run(path.stem().string(), ReadFile(path));
    if (!actual.ok()) {
      std::cerr << actual.status() << "\n";
      return 1;
    }
    std::ofstream(path, std::ios::binary) << *actual;
  }
  return 0;
}

}  // namespace

absl::StatusOr<std::string> AnswerTranscript(
    absl::string_view file, absl::string_view text,
    absl::FunctionRef<absl::Status(absl::string_view line, std::string& answer)> run_line) {
  std::string result;
  std::string block;
  std::string answer;
  // Writes the lines, then, if there are answers, the divider and the answers.
  const auto end_block = [&] {
    if (block.empty()) return;
    if (!result.empty()) result += "\n";
    result += block;
    if (!answer.empty()) absl::StrAppend(&result, kDivider, "\n", answer);
    block.clear();
    answer.clear();
  };
  bool is_answer = false;  // Between a divider and the next blank line.
  size_t line_number = 0;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++line_number;
    line = absl::StripTrailingAsciiWhitespace(line);
    if (line.empty()) {
      end_block();
      is_answer = false;
    } else if (line == kDivider) {
      is_answer = true;
    } else if (!is_answer) {
      absl::StrAppend(&block, line, "\n");
      const absl::Status run = line.front() == '#' ? absl::OkStatus() : run_line(line, answer);
      if (!run.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat(file, ":", line_number, ": '", line, "': ", run.message()));
      }
    }
  }
  end_block();
  return result;
}

int RunTranscriptFiles(int argc, char** argv, const TranscriptFolder& folder) {
  ::testing::InitGoogleTest(&argc, argv);
  if (argc == 2 && absl::string_view(argv[1]) == "--update") {
    const char* const workspace = std::getenv("BUILD_WORKSPACE_DIRECTORY");
    if (workspace == nullptr) return 2;
    return Update(fs::path(workspace) / folder.folder, folder);
  }
  for (const fs::path& path : PathsIn(folder.folder, folder)) {
    ::testing::RegisterTest(
        "Transcript", path.stem().c_str(), nullptr, nullptr, __FILE__, __LINE__,
        [path, &folder]() -> TranscriptFile* { return new TranscriptFile(path, folder); });
  }
  return RUN_ALL_TESTS();
}

}  // namespace strategy
