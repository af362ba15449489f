// Settings of the process against interruptions, which need no restart of the machine and are taken
// back.

#ifndef TOOLS_OS_ISOLATION_SETTINGS_H_
#define TOOLS_OS_ISOLATION_SETTINGS_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

namespace tools {

// A setting that was made. Its destructor takes it back.
class MadeSetting {
 public:
  explicit MadeSetting(std::function<void()> take_back) : take_back_(std::move(take_back)) {}
  MadeSetting(MadeSetting&& other) noexcept
      : take_back_(std::exchange(other.take_back_, nullptr)) {}
  MadeSetting& operator=(MadeSetting&&) = delete;
  ~MadeSetting() {
    if (take_back_ != nullptr) take_back_();
  }

 private:
  std::function<void()> take_back_;
};

// All pages of the process stay in memory, those to come included. Errors: those of mlockall(2).
absl::StatusOr<MadeSetting> LockMemory();

// Memory that is allocated from here on is in small pages. Errors: those of prctl(2).
absl::StatusOr<MadeSetting> UseSmallPages();

// The process runs on `cores`, and the scheduler puts nothing else there: a cgroup with an isolated
// partition. `root`: where /sys and /proc are, without a '/' at its end. Errors:
// FAILED_PRECONDITION with what is missing, such as the rights or a core for everything else.
absl::StatusOr<MadeSetting> UsePartition(const std::vector<int>& cores,
                                         const std::string& root = "");

}  // namespace tools

#endif  // TOOLS_OS_ISOLATION_SETTINGS_H_
