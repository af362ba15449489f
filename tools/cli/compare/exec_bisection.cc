#include "tools/cli/compare/exec_bisection.h"

#include <algorithm>
#include <fstream>
#include <memory>

#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/os/output.h"

namespace tools {
namespace {

// To check that bisecting was valid, this many prefixes are tried far from the result and this many
// near it, on each side.
constexpr uint64_t kSamples = 4;

}  // namespace

void ExecBisection::Recall() {
  if (memory_.empty()) return;
  std::ifstream file(memory_);
  uint64_t count = 0;
  std::string word;
  while (file >> count >> word) {
    if (word == "good" || word == "bad") known_[count] = word == "bad";
  }
}

absl::Status ExecBisection::Remember() const {
  if (memory_.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const std::unique_ptr<Output> file, Output::Create(memory_, /*replace=*/true));
  for (const auto& [count, is_bad] : known_) {
    file->Write(absl::StrCat(count, is_bad ? " bad" : " good", "\n"));
  }
  return file->Finish();
}

absl::StatusOr<bool> ExecBisection::IsBad(uint64_t count) {
  if (const auto found = known_.find(count); found != known_.end()) {
    steps_.push_back({.count = count, .is_bad = found->second, .remembered = true});
    return found->second;
  }
  ASSIGN_OR_RETURN(const bool is_bad, try_(count));
  steps_.push_back({.count = count, .is_bad = is_bad, .remembered = false});
  known_[count] = is_bad;
  RETURN_IF_ERROR(Remember());
  return is_bad;
}

absl::Status ExecBisection::CheckMonotone(uint64_t first_bad, uint64_t last) {
  std::vector<uint64_t> samples;
  for (uint64_t i = 1; i <= kSamples; ++i) {
    samples.push_back(first_bad * i / (kSamples + 1));
    samples.push_back(first_bad + (last - first_bad) * i / (kSamples + 1));
    const uint64_t near = uint64_t{1} << i;
    if (near < first_bad) samples.push_back(first_bad - near);
    samples.push_back(std::min(first_bad + near, last));
  }
  for (const uint64_t count : samples) {
    if (count == 0) continue;
    ASSIGN_OR_RETURN(const bool bad, IsBad(count));
    if (bad == (count >= first_bad)) continue;
    return absl::FailedPreconditionError(absl::StrCat(
        "not to be halved: the first ", first_bad, " commands are bad, and the first ", count,
        " are ", bad ? "bad already" : "good again", "; --exhaustive tries every prefix"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<uint64_t>> ExecBisection::FirstBad(uint64_t last, bool exhaustive) {
  Recall();
  if (exhaustive) {
    for (uint64_t count = 1; count <= last; ++count) {
      ASSIGN_OR_RETURN(const bool bad, IsBad(count));
      if (bad) return count;
    }
    return std::nullopt;
  }
  if (last == 0) return std::nullopt;
  ASSIGN_OR_RETURN(const bool any, IsBad(last));
  if (!any) return std::nullopt;
  uint64_t good = 0;
  uint64_t bad = last;
  while (bad - good > 1) {
    const uint64_t middle = good + (bad - good) / 2;
    ASSIGN_OR_RETURN(const bool is_bad, IsBad(middle));
    (is_bad ? bad : good) = middle;
  }
  RETURN_IF_ERROR(CheckMonotone(bad, last));
  return bad;
}

}  // namespace tools
