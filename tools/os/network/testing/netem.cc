#include "tools/os/network/testing/netem.h"

#include <sched.h>

#include <cerrno>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "engine/base/status_macros.h"
#include "tools/os/child_process.h"

namespace tools {
namespace {

constexpr char kLoopbackUp[] = "ip link set lo up";

std::string LinkCommand(const LinkTerms& terms) {
  std::string command =
      absl::StrCat("tc qdisc replace dev lo root netem limit 100000 delay ",
                   terms.delay_nanos / 1'000, "us ", terms.jitter_nanos / 1'000, "us");
  if (terms.loss_per_million != 0) {
    absl::StrAppend(&command, " loss ", static_cast<double>(terms.loss_per_million) / 1e4, "%");
  }
  return command;
}

absl::Status RunTool(const std::vector<std::string>& command) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ChildProcess> tool, ChildProcess::Start(command));
  if (tool->Wait() == 0) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StripAsciiWhitespace(tool->last_words()));
}

}  // namespace

absl::Status CheckNetem() {
  return RunTool({"unshare", "--net", "sh", "-c",
                  absl::StrCat(kLoopbackUp, " && ", LinkCommand({.delay_nanos = 1'000'000}))});
}

absl::Status SetNetemLink(const LinkTerms& terms) {
  static bool has_namespace = false;
  if (!has_namespace) {
    if (::unshare(CLONE_NEWNET) != 0) return absl::ErrnoToStatus(errno, "no network namespace");
    has_namespace = true;
    RETURN_IF_ERROR(RunTool({"sh", "-c", kLoopbackUp}));
  }
  return RunTool({"sh", "-c", LinkCommand(terms)});
}

}  // namespace tools
