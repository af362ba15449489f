#include "tools/os/isolation_settings.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/os/output_folder.h"
#include "tools/os/thread.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

TEST(SmallPages, AreTakenBack) {
  const int before = prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0);
  {
    const auto made = UseSmallPages();
    ASSERT_TRUE(made.ok()) << made.status();
    EXPECT_EQ(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), 1);
  }
  EXPECT_EQ(prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0), before);
}

// A machine in a folder.
class Partition : public ::testing::Test {
 protected:
  void SetUp() override {
    usable_ = UsableCores();
    if (usable_.size() < 2) usable_.clear();
    Write("/sys/fs/cgroup/cgroup.controllers", "cpu cpuset io");
    Write("/proc/self/cgroup", "4:cpu:/old\n0::/user.slice");
    Write("/sys/fs/cgroup/cgroup.subtree_control", "");
    Write("/sys/fs/cgroup/user.slice/cgroup.procs", "");
  }
  // What the kernel makes with a group.
  void WriteFilesOfGroup() {
    for (const char* const name : {"cpuset.cpus", "cpuset.cpus.partition", "cgroup.procs"}) {
      Write(group() + "/" + name, "");
    }
  }
  void Write(const std::string& path, const std::string& text) {
    const std::filesystem::path file(root() + path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << '\n';
  }
  std::string Read(const std::string& path) const {
    std::ifstream file(root() + path);
    std::string line;
    std::getline(file, line);
    return line;
  }
  std::string root() const { return folder_->path(); }
  std::string group() const { return "/sys/fs/cgroup/ticktape-" + std::to_string(getpid()); }

  std::vector<int> usable_;

 private:
  const std::unique_ptr<TemporaryDirectory> folder_ = TemporaryDirectory::Make().value();
};

TEST_F(Partition, IsMadeAndLeft) {
  if (usable_.empty()) return;  // Refused, see below.
  const std::string pid = std::to_string(getpid());
  WriteFilesOfGroup();
  {
    const auto made = UsePartition({usable_.front()}, root());
    ASSERT_TRUE(made.ok()) << made.status();
    EXPECT_EQ(Read("/sys/fs/cgroup/cgroup.subtree_control"), "+cpuset");
    EXPECT_EQ(Read(group() + "/cpuset.cpus"), std::to_string(usable_.front()));
    EXPECT_EQ(Read(group() + "/cpuset.cpus.partition"), "isolated");
    EXPECT_EQ(Read(group() + "/cgroup.procs"), pid);
    EXPECT_EQ(Read("/sys/fs/cgroup/user.slice/cgroup.procs"), "");
  }
  EXPECT_EQ(Read("/sys/fs/cgroup/user.slice/cgroup.procs"), pid);
}

TEST_F(Partition, IsRefusedWithAReason) {
  EXPECT_THAT(std::string(UsePartition(UsableCores(), root()).status().message()),
              HasSubstr("leaves at least one core"));
  if (usable_.empty()) return;
  Write("/sys/fs/cgroup/cgroup.controllers", "cpu cpusets");
  EXPECT_THAT(std::string(UsePartition({usable_.front()}, root()).status().message()),
              HasSubstr("no cpuset in"));
  Write("/sys/fs/cgroup/cgroup.controllers", "cpuset");
  EXPECT_THAT(std::string(UsePartition({usable_.front()}, root()).status().message()),
              HasSubstr("cpuset.cpus: No such file"));
  WriteFilesOfGroup();
  Write(group() + "/cpuset.cpus.partition", "         invalid (Parent is not a partition)");
  EXPECT_THAT(std::string(UsePartition({usable_.front()}, root()).status().message()),
              HasSubstr("the kernel has made it: isolated invalid (Parent"));
}

}  // namespace
}  // namespace tools
