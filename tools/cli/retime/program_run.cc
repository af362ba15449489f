#include "tools/cli/retime/program_run.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/status_macros.h"
#include "replay/retime/counted_run.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/base/files.h"
#include "tools/cli/retime/callgrind.h"
#include "tools/os/child_process.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

// The prefix of errors that `ticktape retime` itself reports.
constexpr absl::string_view kOwnPrefix = "ticktape retime: ";

// What the command prints. `program`: its name in errors.
absl::StatusOr<std::string> OutputOf(const std::string& program,
                                     const std::vector<std::string>& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ChildProcess> child, ChildProcess::Start(command));
  std::string output;
  std::array<std::byte, 64 << 10> bytes;
  for (auto got = child->Read(bytes); got.ok() && *got > 0; got = child->Read(bytes)) {
    absl::StrAppend(&output, engine::AsText(engine::Bytes(bytes).first(*got)));
  }
  const int exit_code = child->Wait();
  if (exit_code == 0) return output;
  const std::string message(absl::StripAsciiWhitespace(child->last_words()));
  if (absl::StartsWith(message, kOwnPrefix)) {
    return absl::Status(StatusCodeOf(exit_code), message.substr(kOwnPrefix.size()));
  }
  return absl::Status(StatusCodeOf(exit_code), absl::StrCat(program, ": ", DescribeExit(exit_code),
                                                            message.empty() ? "" : "\n", message));
}

// This program by the path of its file: under another program, /proc/self/exe is that one.
absl::StatusOr<std::string> OwnPath() {
  std::error_code error;
  const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return absl::ErrnoToStatus(error.value(), "/proc/self/exe");
  return path.string();
}

absl::StatusOr<std::vector<std::string>> CommandOf(const std::string& program,
                                                   const std::vector<std::string>& words) {
  std::vector<std::string> command = absl::StrSplit(program, ' ', absl::SkipEmpty());
  if (command.empty()) {
    ASSIGN_OR_RETURN(command.emplace_back(), OwnPath());
  }
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

absl::Status FillCounts(const std::string& profile, CountReport& report) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(profile));
  ASSIGN_OR_RETURN(const CountsByIndex counts, ReadCallgrindProfile(text, replay::CountedClassOf));
  for (size_t i = 0; i < report.classes.size(); ++i) {
    const auto found = counts.find(i);
    if (found == counts.end()) {
      return absl::DataLossError(
          "its profile lacks functions: is the program stripped of symbols?");
    }
    report.classes[i].counts = found->second;
  }
  std::ranges::sort(report.classes, {}, &ClassCounts::name);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<RetimeReport> TimeProgram(const std::string& program,
                                         const std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(const std::vector<std::string> command, CommandOf(program, words));
  ASSIGN_OR_RETURN(const std::string output, OutputOf(command.front(), command));
  absl::StatusOr<RetimeReport> report = ParseRetimeReport(output);
  if (report.ok()) return report;
  return ErrorIn(command.front(), report.status());
}

absl::StatusOr<CountReport> CountProgram(const std::string& program,
                                         const std::vector<std::string>& words) {
  ASSIGN_OR_RETURN(const std::unique_ptr<TemporaryDirectory> folder, TemporaryDirectory::Make());
  const std::string profile = absl::StrCat(folder->path(), "/profile");
  ASSIGN_OR_RETURN(const std::vector<std::string> command, CommandOf(program, words));
  const std::string& name = command.front();
  absl::StatusOr<std::string> output =
      OutputOf(name, CallgrindCommand(profile, replay::kCountedFunctions, command));
  if (absl::IsNotFound(output.status())) {
    return absl::UnimplementedError(
        "--count runs the program under valgrind, which is not "
        "installed: apt-get install valgrind");
  }
  if (!output.ok() && absl::StrContains(output.status().message(), DescribeExit(128 + SIGILL))) {
    return absl::UnimplementedError(absl::StrCat(output.status().message(),
                                                 "\nvalgrind does not know all instructions of ",
                                                 "this build, expected one of --config=counted"));
  }
  RETURN_IF_ERROR(output.status());
  absl::StatusOr<CountReport> report = ParseCountReport(*output, name);
  RETURN_IF_ERROR(report.status());
  const absl::Status filled = FillCounts(profile, *report);
  if (!filled.ok()) return ErrorIn(name, filled);
  return report;
}

}  // namespace tools
