// Checks that engine/DESIGN.md lists exactly what the reference shares with the exchange: the
// differential test cannot see a fault in that.

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

const fs::path kFolder = "engine/reference";
constexpr absl::string_view kHeading = "### What the reference shares";

// Rules of which the reference has its own, although it includes the header that declares them.
constexpr absl::string_view kNotShared[] = {
    "DecodeMarketDefinition",
    "DecodeRiskLimits",
    "DecodeFeeSchedule",
    "DecodeNote",
    "EncodeNote",
    "IsInNoteNamespace",
    "kNoteBytesMax",
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

std::vector<fs::path> ReferenceSources() {
  std::vector<fs::path> sources;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    const std::string extension = entry.path().extension();
    if (extension != ".cc" && extension != ".h") continue;
    if (!absl::EndsWith(entry.path().string(), "_test.cc")) sources.push_back(entry.path());
  }
  return sources;
}

// The headers of the engine that `text` names between `quote`s.
std::set<std::string> HeadersIn(absl::string_view text, char quote) {
  std::set<std::string> headers;
  for (const absl::string_view word : absl::StrSplit(text, quote)) {
    if (absl::StartsWith(word, "engine/") && absl::EndsWith(word, ".h")) {
      headers.insert(std::string(word));
    }
  }
  return headers;
}

TEST(ReferenceShares, DesignListsTheHeadersThatTheReferenceIncludes) {
  std::set<std::string> shared;
  for (const fs::path& source : ReferenceSources()) {
    for (const std::string& header : HeadersIn(ReadFile(source), '"')) {
      if (!absl::StartsWith(header, "engine/reference/")) shared.insert(header);
    }
  }
  EXPECT_GE(shared.size(), 20u);
  const std::string design = ReadFile("engine/DESIGN.md");
  const size_t begin = design.find(std::string(kHeading));
  ASSERT_NE(begin, std::string::npos);
  const std::string section = design.substr(begin, design.find("\n#", begin) - begin);
  EXPECT_EQ(HeadersIn(section, '`'), shared);
}

TEST(ReferenceShares, TheReferenceHasRulesOfItsOwn) {
  int sources = 0;
  for (const fs::path& source : ReferenceSources()) {
    ++sources;
    const std::string text = ReadFile(source);
    for (const absl::string_view rule : kNotShared) {
      EXPECT_FALSE(absl::StrContains(text, rule)) << source << " uses " << rule;
    }
  }
  EXPECT_GE(sources, 10);
}

}  // namespace
}  // namespace engine
