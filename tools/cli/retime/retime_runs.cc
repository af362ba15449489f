#include "tools/cli/retime/retime_runs.h"

#include <array>
#include <cstddef>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

// The prefix of errors that `ticktape retime` itself reports.
constexpr absl::string_view kOwnPrefix = "ticktape retime: ";

// Inverts ExitCodeOf() (exit_code.h), so that this process exits with the same code.
absl::StatusCode CodeOf(int exit_code) {
  switch (exit_code) {
    case 2:
      return absl::StatusCode::kInvalidArgument;
    case 3:
      return absl::StatusCode::kDataLoss;
    case 5:
      return absl::StatusCode::kUnimplemented;
    default:
      return absl::StatusCode::kAborted;
  }
}

absl::StatusOr<RetimeReport> RunOnce(const std::string& program,
                                     const std::vector<std::string>& words) {
  std::vector<std::string> command = absl::StrSplit(program, ' ', absl::SkipEmpty());
  command.insert(command.end(), words.begin(), words.end());
  ASSIGN_OR_RETURN(const std::unique_ptr<ChildProcess> child, ChildProcess::Start(command));
  std::string output;
  std::array<std::byte, 64 << 10> buffer;
  absl::Status failure;
  while (true) {
    const absl::StatusOr<size_t> count = child->Read(buffer);
    if (!count.ok()) failure = count.status();
    if (!count.ok() || *count == 0) break;
    output.append(reinterpret_cast<const char*>(buffer.data()), *count);
  }
  const int exit_code = child->Wait();
  if (exit_code != 0) {
    const std::string said(absl::StripAsciiWhitespace(child->last_words()));
    if (absl::StartsWith(said, kOwnPrefix)) {
      return absl::Status(CodeOf(exit_code), said.substr(kOwnPrefix.size()));
    }
    return absl::Status(CodeOf(exit_code), absl::StrCat(program, ": ", DescribeExit(exit_code),
                                                        said.empty() ? "" : "\n", said));
  }
  RETURN_IF_ERROR(failure);
  absl::StatusOr<RetimeReport> report = ParseRetimeReport(output);
  if (report.ok()) return report;
  return absl::Status(report.status().code(),
                      absl::StrCat(program, ": ", report.status().message()));
}

}  // namespace

absl::StatusOr<RetimeRuns> RunInTurns(
    const std::string& ours, const std::string& other, const std::vector<std::string>& words,
    size_t count, const std::function<absl::Status(const RetimeRuns&)>& after_each) {
  RetimeRuns runs;
  for (size_t i = 0; i < count; ++i) {
    for (const bool is_second : {false, true}) {
      const bool is_ours = is_second == (i % 2 == 1);
      const std::string& program = is_ours ? ours : other;
      if (program.empty()) continue;
      ASSIGN_OR_RETURN(RetimeReport report, RunOnce(program, words));
      (is_ours ? runs.ours : runs.others).push_back(std::move(report));
      RETURN_IF_ERROR(after_each(runs));
    }
  }
  return runs;
}

}  // namespace tools
