#include "tools/cli/compare/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace tools {
namespace {

using NamedWord = std::pair<std::string, std::string>;

// Whether the word is the place of a message: "7" or "7.0".
bool IsPlace(absl::string_view word) {
  return !word.empty() && word.find_first_not_of("0123456789.") == word.npos;
}

// Returns no words for a line of another form.
std::vector<NamedWord> WordsOf(absl::string_view line) {
  const std::vector<absl::string_view> words = absl::StrSplit(line, ' ', absl::SkipEmpty());
  std::vector<NamedWord> named;
  if (words.size() < 2 || !IsPlace(words.front())) return named;
  // An event has no time.
  const bool is_event = absl::StrContains(words.front(), '.');
  const std::vector<absl::string_view> names =
      is_event ? std::vector<absl::string_view>{"sequence", "kind"}
               : std::vector<absl::string_view>{"sequence", "time", "kind"};
  for (size_t i = 0; i < words.size(); ++i) {
    const size_t equals = words[i].find('=');
    if (equals != absl::string_view::npos) {
      named.emplace_back(words[i].substr(0, equals), words[i].substr(equals + 1));
    } else {
      named.emplace_back(i < names.size() ? std::string(names[i]) : absl::StrCat("word ", i + 1),
                         words[i]);
    }
  }
  return named;
}

std::string ValueOf(const std::string& name, const std::vector<NamedWord>& words) {
  const auto found = std::ranges::find(words, name, &NamedWord::first);
  return found == words.end() ? "(none)" : found->second;
}

}  // namespace

std::vector<WordDifference> DifferingWords(absl::string_view a, absl::string_view b) {
  const std::vector<NamedWord> words_a = WordsOf(a);
  const std::vector<NamedWord> words_b = WordsOf(b);
  std::vector<WordDifference> differences;
  if (words_a.empty() || words_b.empty()) return differences;
  for (const auto& [name, value] : words_a) {
    const std::string other = ValueOf(name, words_b);
    if (value != other) differences.push_back({.field = name, .a = value, .b = other});
  }
  for (const auto& [name, value] : words_b) {
    if (ValueOf(name, words_a) == "(none)") {
      differences.push_back({.field = name, .a = "(none)", .b = value});
    }
  }
  return differences;
}

}  // namespace tools
