// Every test that GUARANTEES.md names exists.

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/check.h"
#include "gtest/gtest.h"
#include "journal/storage/testing/temporary_folder.h"

namespace journal {
namespace {

struct NamedTest {
  std::string source;  // "journal/crash_test", without its ending.
  std::string name;    // "Crash.AWriterCanBeInterruptedAnywhere"
};

// Rows that end with "| `//journal:crash_test` `Crash.Name` |".
std::vector<NamedTest> TestsNamedIn(const std::string& document) {
  std::vector<NamedTest> tests;
  for (const absl::string_view line : absl::StrSplit(document, '\n')) {
    if (!absl::StartsWith(line, "|")) continue;
    const std::vector<std::string> parts = absl::StrSplit(line, '`');
    for (size_t i = 1; i + 2 < parts.size(); i += 2) {
      absl::string_view label = parts[i];
      if (!absl::ConsumePrefix(&label, "//")) continue;
      const std::vector<std::string> package_and_target = absl::StrSplit(label, ':');
      CHECK_EQ(package_and_target.size(), 2u);
      tests.push_back(
          {absl::StrCat(package_and_target[0], "/", package_and_target[1]), parts[i + 2]});
    }
  }
  return tests;
}

bool Exists(const NamedTest& test) {
  const std::vector<std::string> suite_and_test = absl::StrSplit(test.name, '.');
  if (suite_and_test.size() == 1) {
    return absl::StrContains(ReadData(test.source + ".py"), absl::StrCat("def ", test.name, "("));
  }
  const std::string source = ReadData(test.source + ".cc");
  const std::string arguments = absl::StrCat("(", suite_and_test[0], ", ", suite_and_test[1], ")");
  return absl::StrContains(source, "TEST" + arguments) ||
         absl::StrContains(source, "TEST_F" + arguments) ||
         absl::StrContains(source, "TEST_P" + arguments);
}

TEST(Guarantees, EveryTestNamedExists) {
  const std::vector<NamedTest> tests = TestsNamedIn(ReadData("journal/GUARANTEES.md"));
  EXPECT_GE(tests.size(), 30u);
  for (const NamedTest& test : tests) EXPECT_TRUE(Exists(test)) << test.source << " " << test.name;
}

TEST(Guarantees, EveryRowNamesATest) {
  for (const absl::string_view line : absl::StrSplit(ReadData("journal/GUARANTEES.md"), '\n')) {
    if (!absl::StartsWith(line, "|") || absl::StartsWith(line, "|--") ||
        absl::EndsWith(line, "| proven by |")) {
      continue;
    }
    EXPECT_TRUE(absl::EndsWith(line, "` |") && absl::StrContains(line, "`//")) << line;
  }
}

TEST(Guarantees, EveryOracleIsThere) {
  const std::string document = ReadData("journal/GUARANTEES.md");
  for (const char oracle : {'a', 'b', 'c', 'd', 'e', 'f', 'g'}) {
    EXPECT_TRUE(absl::StrContains(document, absl::StrCat("\n| (", std::string(1, oracle), ") ")))
        << oracle;
  }
}

}  // namespace
}  // namespace journal
