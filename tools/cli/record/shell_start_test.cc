// How a shell checks the journal that it continues, before it writes the first byte.

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/verbs.h"
#include "tools/cli/record/testing/trading_day.h"
#include "tools/cli/testing/run_verb.h"

namespace tools {
namespace {

constexpr size_t kPage = 4096;

std::string PathOf(const std::string& name) { return testing::TempDir() + "/" + name; }

// Every file of a folder, by its path.
using Folder = std::map<std::string, std::string>;

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Folder ReadFolder(const std::string& path) {
  Folder folder;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
    if (!entry.is_regular_file()) continue;
    folder[std::filesystem::relative(entry.path(), path).string()] = ReadFile(entry.path());
  }
  return folder;
}

// In place of what is there.
void WriteFolder(const Folder& folder, const std::string& path) {
  std::filesystem::remove_all(path);
  for (const auto& [name, bytes] : folder) {
    const std::filesystem::path file = std::filesystem::path(path) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
  }
}

ExitCode StartShell(const std::string& path) {
  return RunVerb(MakeShellVerb(), {"-o", path}).code;  // Its input is empty.
}

// Of the blocks of a segment, in order: where the header stands, and of which kind it is.
struct Block {
  size_t begin = 0;
  bool is_data = false;
  bool is_seal = false;
};

std::vector<Block> BlocksOf(const std::string& segment) {
  std::vector<Block> blocks;
  for (size_t at = 0; at + kPage <= segment.size(); at += kPage) {
    if (segment.compare(at, 4, "TBLK") == 0) {
      blocks.push_back({at, segment[at + 6] == 1, segment[at + 6] == 3});
    }
  }
  return blocks;
}

std::vector<std::string> SealedSegments(const Folder& folder) {
  std::vector<std::string> sealed;
  for (const auto& [name, bytes] : folder) {
    if (!name.ends_with(".tape")) continue;
    const std::vector<Block> blocks = BlocksOf(bytes);
    if (!blocks.empty() && blocks.back().is_seal) sealed.push_back(name);
  }
  return sealed;
}

// Several sealed segments and one that was left by a kill.
Folder SomeSegments(const std::string& name) {
  TradingDay day({.path = PathOf(name), .segment_bytes = 64 << 10, .block_records = 64});
  day.Open();
  day.Trade(6'000);
  day.Kill();
  return ReadFolder(PathOf(name));
}

class ShellStart : public ::testing::Test {
 protected:
  // The shell is refused because of the damage, and not a byte of the folder is another.
  void ExpectRefused(Folder folder, const std::string& segment, size_t at) {
    SCOPED_TRACE(absl::StrCat(segment, " at ", at));
    folder[segment][at] = static_cast<char>(folder[segment][at] ^ 4);
    WriteFolder(folder, path_);
    ASSERT_EQ(RunVerb(MakeVerifyVerb(), {path_}).code, ExitCode::kDamaged);
    for (int attempt = 0; attempt < 2; ++attempt) {
      EXPECT_EQ(StartShell(path_), ExitCode::kDamaged);
      EXPECT_TRUE(ReadFolder(path_) == folder) << "attempt " << attempt << " has changed it";
    }
  }

  const std::string path_ = PathOf("start");
};

TEST_F(ShellStart, ChangesNothingOfAJournalWithADamagedBlockOrSeal) {
  const Folder folder = SomeSegments("damaged_blocks");
  const std::vector<std::string> sealed = SealedSegments(folder);
  ASSERT_GE(sealed.size(), 2u);
  for (const std::string& name : {sealed.front(), sealed.back()}) {
    const std::vector<Block> blocks = BlocksOf(folder.at(name));
    std::vector<Block> data;
    std::ranges::copy_if(blocks, std::back_inserter(data), &Block::is_data);
    const size_t middle = data[data.size() / 2].begin;
    ExpectRefused(folder, name, middle + 40);               // Of a header …
    ExpectRefused(folder, name, middle + 130);              // … of a payload …
    ExpectRefused(folder, name, blocks.back().begin + 40);  // … of the SEAL block.
  }
}

TEST_F(ShellStart, WithASnapshotProvesAllHeadersAndThePayloadsAfterIt) {
  const std::string name = "damaged_after_snapshot";
  TradingDay day({.path = PathOf(name), .segment_bytes = 64 << 10, .block_records = 64});
  day.Open();
  day.Trade(40'000);
  day.Kill();
  ASSERT_EQ(RunVerb(MakeSnapshotVerb(), {"make", PathOf(name), "@8192"}).code, ExitCode::kOk);
  const Folder folder = ReadFolder(PathOf(name));
  const std::vector<std::string> sealed = SealedSegments(folder);
  ASSERT_GE(sealed.size(), 2u);
  const std::vector<Block> first = BlocksOf(folder.at(sealed.front()));
  const std::vector<Block> last = BlocksOf(folder.at(sealed.back()));
  ExpectRefused(folder, sealed.front(), first[1].begin + 40);
  ExpectRefused(folder, sealed.front(), first.back().begin + 40);
  ExpectRefused(folder, sealed.back(), last[1].begin + 130);
}

// A writer that stops while it begins the first segment leaves a file without a preamble.
TEST_F(ShellStart, StartsAgainWhereItsWriterStoppedBeforeItsFirstBlockAlsoAfterARepair) {
  for (const size_t bytes : {size_t{0}, size_t{100}, size_t{5000}}) {
    for (const bool is_repaired : {false, true}) {
      SCOPED_TRACE(absl::StrCat(bytes, is_repaired ? ", repaired" : ""));
      WriteFolder({{"segment-000000.tape", std::string(bytes, '\0')}}, path_);
      if (is_repaired) {
        EXPECT_EQ(RunVerb(MakeRepairVerb(), {path_, "--apply"}).code, ExitCode::kOk);
      }
      EXPECT_EQ(StartShell(path_), ExitCode::kOk);
      EXPECT_EQ(RunVerb(MakeVerifyVerb(), {path_}).code, ExitCode::kOk);
      EXPECT_EQ(std::filesystem::exists(path_ + "/segment-000000.torn.1"), bytes != 0);
    }
  }
}

}  // namespace
}  // namespace tools
