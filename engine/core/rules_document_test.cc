// Checks that engine/RULES.md is complete: it links every transcript, and explains every reason
// with one that shows it.

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/messages/names.h"
#include "engine/messages/reject_reason.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

constexpr absl::string_view kDocument = "engine/RULES.md";
constexpr absl::string_view kFolder = "testdata/transcripts/";

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A row of the tables of reasons: | 7 | `unknown_order` | what it means | [a transcript] |
struct ReasonRow {
  int number = 0;
  std::string name;
  std::string meaning;
  std::string label;
};

class RulesDocument : public testing::Test {
 protected:
  RulesDocument() {
    const std::string text = ReadFile(fs::path(std::string(kDocument)));
    std::string section;
    bool is_code = false;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      if (absl::StartsWith(line, "```")) is_code = !is_code;
      if (absl::StartsWith(line, "#")) section = std::string(line);
      if (is_code || TakeDefinition(line)) continue;
      TakeLabels(line);
      TakeReason(section, line);
    }
  }

  // "[a rule]: ../testdata/transcripts/a_rule.txt"
  bool TakeDefinition(absl::string_view line) {
    const std::vector<absl::string_view> parts = absl::StrSplit(line, absl::MaxSplits("]: ", 1));
    if (parts.size() != 2 || !absl::StartsWith(line, "[")) return false;
    const std::string label(parts[0].substr(1));
    EXPECT_TRUE(links_.emplace(label, parts[1]).second) << label << " is defined twice";
    return true;
  }

  // "[a rule]", but not "[a section](#a-section)".
  void TakeLabels(absl::string_view line) {
    for (size_t begin = line.find('['); begin != absl::string_view::npos;
         begin = line.find('[', begin + 1)) {
      const size_t end = line.find(']', begin);
      ASSERT_NE(end, absl::string_view::npos) << line;
      if (absl::StartsWith(line.substr(end), "](")) continue;
      labels_.insert(std::string(line.substr(begin + 1, end - begin - 1)));
    }
  }

  void TakeReason(absl::string_view section, absl::string_view line) {
    if (!absl::StartsWith(section, "### Of a ")) return;
    const std::vector<std::string> cells = absl::StrSplit(line, " | ");
    ReasonRow row;
    if (cells.size() != 4 || !absl::SimpleAtoi(absl::StripPrefix(cells[0], "| "), &row.number)) {
      return;
    }
    row.name = std::string(absl::StripSuffix(absl::StripPrefix(cells[1], "`"), "`"));
    row.meaning = cells[2];
    row.label = std::string(absl::StripSuffix(absl::StripPrefix(cells[3], "["), "] |"));
    reasons_[std::string(section)].push_back(row);
  }

  std::string TranscriptOf(const std::string& label) const {
    const auto link = links_.find(label);
    if (link == links_.end()) return "";
    return ReadFile(fs::path(std::string(kDocument)).parent_path() / link->second);
  }

  // All values but zero, which is no reason, in the order of their numbers.
  template <typename Reason>
  void ExpectComplete(const std::string& section, absl::string_view verb) {
    const std::vector<ReasonRow>& rows = reasons_[section];
    int number = 1;
    for (const ReasonRow& row : rows) {
      EXPECT_EQ(row.number, number);
      EXPECT_EQ(row.name, NameOf(static_cast<Reason>(number)));
      EXPECT_FALSE(row.meaning.empty()) << row.name;
      EXPECT_TRUE(Shows(TranscriptOf(row.label), verb, row.name))
          << "'" << row.label << "' does not show " << row.name;
      ++number;
    }
    EXPECT_EQ(NameOf(static_cast<Reason>(number)), absl::StrCat(number)) << "is missing";
  }

  static bool Shows(absl::string_view transcript, absl::string_view verb,
                    absl::string_view reason) {
    for (const absl::string_view line : absl::StrSplit(transcript, '\n')) {
      if (absl::StrContains(line, verb) && absl::EndsWith(line, absl::StrCat(" reason=", reason))) {
        return true;
      }
    }
    return false;
  }

  std::map<std::string, std::string> links_;  // The target of each label.
  std::set<std::string> labels_;              // That the text uses.
  std::map<std::string, std::vector<ReasonRow>> reasons_;
};

TEST_F(RulesDocument, EveryLinkLeadsToATranscript) {
  EXPECT_GE(links_.size(), 100u);
  for (const std::string& label : labels_) {
    EXPECT_TRUE(links_.contains(label)) << "[" << label << "] leads nowhere";
  }
  for (const auto& [label, link] : links_) {
    EXPECT_TRUE(labels_.contains(label)) << "[" << label << "] is not used";
    EXPECT_FALSE(TranscriptOf(label).empty()) << link << " does not exist";
  }
}

TEST_F(RulesDocument, EveryTranscriptIsLinked) {
  std::set<std::string> linked;
  for (const auto& [label, link] : links_) {
    linked.insert(fs::path(link).filename().string());
  }
  for (const auto& entry : fs::directory_iterator(fs::path(std::string(kFolder)))) {
    if (entry.path().extension() != ".txt") continue;
    EXPECT_TRUE(linked.contains(entry.path().filename().string())) << entry.path();
  }
}

TEST_F(RulesDocument, EveryRejectReasonIsExplainedAndShown) {
  ExpectComplete<RejectReason>("### Of a refusal", " rejected ");
}

TEST_F(RulesDocument, EveryCancelReasonIsExplainedAndShown) {
  ExpectComplete<CancelReason>("### Of a cancellation", " cancelled ");
}

}  // namespace
}  // namespace engine
