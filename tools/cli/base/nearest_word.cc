#include "tools/cli/base/nearest_word.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tools {
namespace {

constexpr size_t kLettersMax = 32;
constexpr size_t kLettersPerEdit = 3;

// The optimal string alignment distance. REQUIRES: both have at most kLettersMax letters.
size_t Edits(absl::string_view a, absl::string_view b) {
  std::array<std::array<size_t, kLettersMax + 1>, kLettersMax + 1> edits = {};
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        edits[i][j] = i + j;
        continue;
      }
      const size_t other = a[i - 1] == b[j - 1] ? 0 : 1;
      edits[i][j] =
          std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + other});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        edits[i][j] = std::min(edits[i][j], edits[i - 2][j - 2] + 1);
      }
    }
  }
  return edits[a.size()][b.size()];
}

}  // namespace

std::string NearestWord(absl::string_view typed, const std::vector<std::string>& words) {
  if (typed.size() > kLettersMax) return "";
  std::string nearest;
  size_t fewest = std::max<size_t>(1, typed.size() / kLettersPerEdit) + 1;
  for (const std::string& word : words) {
    if (word.size() > kLettersMax) continue;
    const size_t edits = Edits(typed, word);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = word;
  }
  return nearest;
}

std::string NoSuchWord(absl::string_view what, absl::string_view typed,
                       const std::vector<std::string>& words) {
  const std::string nearest = NearestWord(typed, words);
  const std::string hint = nearest.empty()
                               ? absl::StrCat("expected one of ", absl::StrJoin(words, ", "))
                               : absl::StrCat("did you mean '", nearest, "'?");
  return absl::StrCat("there is no ", what, " '", typed, "'; ", hint);
}

}  // namespace tools
