#include "tools/os/storage_facts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

absl::Status ErrnoStatus(absl::string_view what, absl::string_view path) {
  return absl::ErrnoToStatus(errno, absl::StrCat(what, " ", path));
}

}  // namespace

bool ParseMountInfo(const std::string& mount_info, const std::string& device_number,
                    StorageFacts& facts) {
  bool found = false;
  for (const absl::string_view line : absl::StrSplit(mount_info, '\n', absl::SkipEmpty())) {
    // 36 35 98:0 /root /mount/point rw,noatime master:1 - ext4 /dev/sda1 rw,errors=continue
    const std::vector<std::string> halves = absl::StrSplit(line, absl::MaxSplits(" - ", 1));
    if (halves.size() != 2) continue;
    const std::vector<std::string> mount = absl::StrSplit(halves[0], ' ');
    const std::vector<std::string> system = absl::StrSplit(halves[1], ' ');
    if (mount.size() < 6 || system.size() < 3 || mount[2] != device_number) continue;
    facts.file_system = system[0];
    facts.device = system[1];
    facts.mount_point = mount[4];
    facts.options = absl::StrSplit(absl::StrCat(mount[5], ",", system[2]), ',');
    std::sort(facts.options.begin(), facts.options.end());
    facts.options.erase(std::unique(facts.options.begin(), facts.options.end()),
                        facts.options.end());
    found = true;
  }
  return found;
}

absl::StatusOr<StorageFacts> ReadStorageFacts(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) return ErrnoStatus("stat", path);
  struct statvfs space = {};
  if (::statvfs(path.c_str(), &space) != 0) return ErrnoStatus("statvfs", path);
  StorageFacts facts;
  facts.free_bytes = uint64_t{space.f_bavail} * space.f_frsize;
  std::ifstream mount_info("/proc/self/mountinfo");
  ParseMountInfo({std::istreambuf_iterator<char>(mount_info), {}},
                 absl::StrCat(major(info.st_dev), ":", minor(info.st_dev)), facts);
  return facts;
}

absl::StatusOr<std::vector<uint64_t>> MeasureSyncs(const std::string& path, uint64_t count) {
  const std::string name = absl::StrCat(path, "/ticktape-doctor.", ::getpid());
  const int file = ::open(name.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  if (file < 0) return ErrnoStatus("create", name);
  ::unlink(name.c_str());
  const std::string page(4096, 'x');
  std::vector<uint64_t> nanos;
  absl::Status status;
  for (uint64_t i = 0; i < count && status.ok(); ++i) {
    const Stopwatch stopwatch;
    const ssize_t written =
        ::pwrite(file, page.data(), page.size(), static_cast<off_t>(i * page.size()));
    if (written != static_cast<ssize_t>(page.size())) {
      if (written >= 0) errno = ENOSPC;  // A short write sets no errno.
      status = ErrnoStatus("write", name);
    } else if (::fdatasync(file) != 0) {
      status = ErrnoStatus("fdatasync", name);
    }
    nanos.push_back(static_cast<uint64_t>(stopwatch.Seconds() * 1e9));
  }
  ::close(file);
  if (!status.ok()) return status;
  return nanos;
}

}  // namespace tools
