#include "replay/compare/failure_class.h"

#include <algorithm>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace replay {
namespace {

std::string OutputsClass(const Divergence& divergence, const Vocabulary& vocabulary) {
  const size_t i = FirstDifferingOutput(divergence);
  const auto& a = divergence.a.outputs;
  const auto& b = divergence.b.outputs;
  if (i >= a.size()) return absl::StrCat("only B says ", vocabulary.ClassOf(b[i]));
  if (i >= b.size()) return absl::StrCat("only A says ", vocabulary.ClassOf(a[i]));
  if (a[i].kind != b[i].kind) {
    return absl::StrCat(vocabulary.ClassOf(a[i]), " against ", vocabulary.ClassOf(b[i]));
  }
  const std::vector<FieldDifference> fields = DifferingFields(vocabulary, a[i], b[i]);
  return absl::StrCat(vocabulary.OutputKindName(a[i].kind), ".",
                      fields.empty() ? "sequence" : fields.front().field);
}

}  // namespace

size_t FirstDifferingOutput(const Divergence& divergence) {
  const auto& a = divergence.a.outputs;
  const auto& b = divergence.b.outputs;
  const auto [at, ignored] = std::ranges::mismatch(a, b);
  return static_cast<size_t>(at - a.begin());
}

std::string EndSite(absl::string_view last_words) {
  const size_t check = last_words.find(": CHECK failed");
  if (check != absl::string_view::npos) {
    const absl::string_view before = last_words.substr(0, check);
    const size_t begin = before.find_last_of(" \n");
    return std::string(begin == absl::string_view::npos ? before : before.substr(begin + 1));
  }
  const std::vector<absl::string_view> lines = absl::StrSplit(last_words, '\n');
  return std::string(lines.front());
}

std::string FailureClass(const Divergence& divergence, const Vocabulary& vocabulary) {
  const std::string row = vocabulary.RowKindName(vocabulary.KindOf(divergence.row));
  switch (divergence.what) {
    case Divergence::What::kOutputs:
      return absl::StrCat(row, ": ", OutputsClass(divergence, vocabulary));
    case Divergence::What::kState:
      return absl::StrCat(row, ": state");
    case Divergence::What::kEnded:
      break;
  }
  std::string text = row + ":";
  if (divergence.a.ended) absl::StrAppend(&text, " A ends at ", EndSite(*divergence.a.ended));
  if (divergence.b.ended) absl::StrAppend(&text, " B ends at ", EndSite(*divergence.b.ended));
  return text;
}

}  // namespace replay
