// Which words of two lines differ: commands and events as the verbs print them.

#ifndef TOOLS_CLI_COMPARE_LINE_DIFF_H_
#define TOOLS_CLI_COMPARE_LINE_DIFF_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

// A regular value type.
struct WordDifference {
  std::string field;  // "price"; of a word without a name "sequence", "time" or "kind".
  std::string a;      // "(none)": that line has no such word.
  std::string b;

  friend bool operator==(const WordDifference&, const WordDifference&) = default;
};

// Compares "7 2020-01-30T09:30:06Z bid market=AAPL price=320.15" or "7.0 accepted order=7 ..." word
// by word; the order of the named words does not matter. Empty if the lines are equal, or have no
// such form in common, as JSON has not.
std::vector<WordDifference> DifferingWords(absl::string_view a, absl::string_view b);

}  // namespace tools

#endif  // TOOLS_CLI_COMPARE_LINE_DIFF_H_
