// FORMAT.md is right: its dump is the writer's output, its recovery table the code's.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "journal/finding.h"
#include "journal/recovery/recovery.h"
#include "journal/storage/testing/temporary_folder.h"
#include "journal/testing/fixtures.h"

namespace journal {
namespace {

std::string FormatDocument() { return ReadData("journal/FORMAT.md"); }

// Lines "00002000  54 42 4c 4b … |text|" between ```hex and ```; bytes without a line are zero.
std::vector<std::byte> DumpIn(const std::string& document) {
  std::vector<std::byte> bytes;
  bool inside = false;
  for (const absl::string_view line : absl::StrSplit(document, '\n')) {
    if (absl::StartsWith(line, "```")) {
      if (inside) break;
      inside = line == "```hex";
      continue;
    }
    if (!inside || line.empty() || line[0] == '*') continue;
    uint64_t offset = 0;
    if (!absl::SimpleHexAtoi(line.substr(0, 8), &offset)) return {};
    const absl::string_view digits = line.substr(8, line.find('|') - 8);
    bytes.resize(offset);
    for (const absl::string_view digit : absl::StrSplit(digits, ' ', absl::SkipEmpty())) {
      uint32_t value = 0;
      if (!absl::SimpleHexAtoi(digit, &value)) return {};
      bytes.push_back(static_cast<std::byte>(value));
    }
  }
  return bytes;
}

TEST(Format, TheDumpIsTheSmallestJournalByteForByte) {
  const JournalFiles files = MakeMinimal();
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(DumpIn(FormatDocument()), files.at("segment-000000.tape"));
}

TEST(Format, TheRecoveryTableIsTheOneInTheCode) {
  const std::string document = FormatDocument();
  for (const RecoveryCase& recovery_case : RecoveryCases()) {
    std::string columns;
    for (const char column : recovery_case.pattern) {
      absl::StrAppend(&columns, " ", std::string(1, column), " |");
    }
    const std::string row = absl::StrCat("| ", std::string(1, recovery_case.name), " |", columns,
                                         " ", ToString(recovery_case.verdict), " | ");
    EXPECT_TRUE(absl::StrContains(document, row)) << row;
  }
}

}  // namespace
}  // namespace journal
