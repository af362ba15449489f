#include "tools/os/isolation_settings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

namespace fs = std::filesystem;

constexpr char kIsolated[] = "isolated";

absl::Status Write(const std::string& path, absl::string_view text) {
  const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  const bool is_written =
      file >= 0 && write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  const int error = errno;
  if (file >= 0) close(file);
  if (is_written) return absl::OkStatus();
  return absl::FailedPreconditionError(absl::StrCat("cannot write ", text, " to ", path, ": ",
                                                    std::generic_category().message(error)));
}

std::string ReadLine(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

bool HasWord(const std::string& line, absl::string_view word) {
  for (const absl::string_view each : absl::StrSplit(line, ' ')) {
    if (each == word) return true;
  }
  return false;
}

// The process's cgroup of version 2: "/", "/user.slice".
std::string OwnGroup(const std::string& root) {
  std::ifstream file(root + "/proc/self/cgroup");
  std::string line;
  while (std::getline(file, line)) {
    absl::string_view group = line;
    if (absl::ConsumePrefix(&group, "0::")) return std::string(group);
  }
  return "/";
}

}  // namespace

absl::StatusOr<MadeSetting> LockMemory() {
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0) return absl::ErrnoToStatus(errno, "mlockall");
  return MadeSetting([] { munlockall(); });
}

absl::StatusOr<MadeSetting> UseSmallPages() {
  if (prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) return absl::ErrnoToStatus(errno, "prctl");
  return MadeSetting([] { prctl(PR_SET_THP_DISABLE, 0, 0, 0, 0); });
}

absl::StatusOr<MadeSetting> UsePartition(const std::vector<int>& cores, const std::string& root) {
  if (cores.size() >= UsableCores().size()) {
    return absl::FailedPreconditionError("a partition leaves at least one core to everything else");
  }
  const std::string groups = root + "/sys/fs/cgroup";
  if (!HasWord(ReadLine(groups + "/cgroup.controllers"), "cpuset")) {
    return absl::FailedPreconditionError(
        absl::StrCat("no cpuset in ", groups, "/cgroup.controllers"));
  }
  RETURN_IF_ERROR(Write(groups + "/cgroup.subtree_control", "+cpuset"));
  const std::string group = absl::StrCat(groups, "/ticktape-", getpid());
  std::error_code error;
  fs::create_directory(group, error);
  if (error) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot make ", group, ": ", error.message()));
  }
  const std::string before = absl::StrCat(groups, OwnGroup(root), "/cgroup.procs");
  MadeSetting partition([group, before] {
    Write(before, absl::StrCat(getpid())).IgnoreError();
    std::error_code ignored;
    fs::remove(group, ignored);
  });
  RETURN_IF_ERROR(Write(group + "/cpuset.cpus", absl::StrJoin(cores, ",")));
  RETURN_IF_ERROR(Write(group + "/cpuset.cpus.partition", kIsolated));
  // The kernel takes the word, and says here if it could not do so.
  if (const std::string made = ReadLine(group + "/cpuset.cpus.partition"); made != kIsolated) {
    return absl::FailedPreconditionError(absl::StrCat("the kernel has made it: ", made));
  }
  RETURN_IF_ERROR(Write(group + "/cgroup.procs", absl::StrCat(getpid())));
  return partition;
}

}  // namespace tools
