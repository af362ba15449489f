// That engine/DESIGN.md lists exactly what the reference shares with the exchange: the differential
// test cannot see a fault in that.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = "engine/core/testing";
constexpr absl::string_view kTargets[] = {"reference_attachments", "reference_exchange"};
constexpr absl::string_view kHeading = "### What the reference shares";

// Rules of which the reference has its own, although it depends on the target that has them.
constexpr absl::string_view kNotShared[] = {
    "DecodeMarketDefinition",
    "DecodeRiskLimits",
    "DecodeFeeSchedule",
    "IsSound(",
    "IsValid(",
    "IsSettlementValue",
    "kFeeRateMax",
    "kPriceUnitsMax",
    "Rests(",
    "TickAt(",
    "Validate(",
    "core/exchange.h",
};

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in.is_open()) << path;
  return {std::istreambuf_iterator<char>(in), {}};
}

// What stands between each `quote` and the next, if it is a target of the engine.
std::set<std::string> LabelsIn(absl::string_view text, char quote) {
  std::set<std::string> labels;
  for (const absl::string_view word : absl::StrSplit(text, quote)) {
    if (absl::StartsWith(word, "//engine/") && !absl::StrContains(word, ' ')) {
      labels.insert(std::string(word));
    }
  }
  return labels;
}

std::string RuleOf(const std::string& build_file, absl::string_view target) {
  const size_t begin = build_file.find(absl::StrCat("    name = \"", std::string(target), "\""));
  EXPECT_NE(begin, std::string::npos) << target;
  return build_file.substr(begin, build_file.find("\n)", begin) - begin);
}

TEST(ReferenceShares, DesignListsTheTargetsThatTheReferenceDependsOn) {
  const std::string build_file = ReadFile(kFolder / "BUILD.bazel");
  std::set<std::string> shared;
  for (const absl::string_view target : kTargets) {
    shared.merge(LabelsIn(RuleOf(build_file, target), '"'));
  }
  EXPECT_GE(shared.size(), 20u);
  const std::string design = ReadFile("engine/DESIGN.md");
  const size_t begin = design.find(std::string(kHeading));
  ASSERT_NE(begin, std::string::npos);
  const std::string section = design.substr(begin, design.find("\n#", begin) - begin);
  EXPECT_EQ(LabelsIn(section, '`'), shared);
}

TEST(ReferenceShares, TheReferenceHasRulesOfItsOwn) {
  int sources = 0;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    if (!absl::StartsWith(name, "reference_") || absl::EndsWith(name, "_test.cc")) continue;
    ++sources;
    const std::string text = ReadFile(entry.path());
    for (const absl::string_view rule : kNotShared) {
      EXPECT_FALSE(absl::StrContains(text, rule)) << name << " uses " << rule;
    }
  }
  EXPECT_GE(sources, 10);
}

}  // namespace
}  // namespace engine
