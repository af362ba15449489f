#include "tools/cli/read/rejections.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "engine/messages/names.h"
#include "tools/cli/base/format.h"

namespace tools {

std::map<std::string, uint64_t> Rejections::ByName() const {
  std::map<std::string, uint64_t> names;
  for (const auto& [reason, count] : reasons_) names.emplace(engine::NameOf(reason), count);
  return names;
}

void Rejections::AddTo(Report& report) const {
  AddReasons(report, "rejected", "rejected", "rejections", ByName());
}

void AddReasons(Report& report, absl::string_view title, absl::string_view sum_name,
                absl::string_view list_name, const std::map<std::string, uint64_t>& reasons) {
  constexpr size_t kReasonsShown = 5;
  std::vector<std::pair<std::string, uint64_t>> sorted(reasons.begin(), reasons.end());
  std::ranges::stable_sort(sorted, std::ranges::greater(),
                           &std::pair<std::string, uint64_t>::second);
  uint64_t sum = 0;
  std::string shown;
  for (size_t i = 0; i < sorted.size(); ++i) {
    const auto& [reason, count] = sorted[i];
    sum += count;
    if (i < kReasonsShown) {
      absl::StrAppend(&shown, i == 0 ? ": " : ", ", reason, " ", WithCommas(count));
    }
  }
  if (sorted.size() > kReasonsShown) {
    absl::StrAppend(&shown, " and ", Counted(sorted.size() - kReasonsShown, "other reason"));
  }
  report.Row(title, WithCommas(sum), shown);
  report.Field(sum_name, sum);
  report.Objects(list_name, sorted, [&](const auto& row) {
    report.Field("reason", row.first);
    report.Field("count", row.second);
  });
}

}  // namespace tools
