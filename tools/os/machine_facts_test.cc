#include "tools/os/machine_facts.h"

#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

using ::testing::Contains;

constexpr char kMountInfo[] =
    "22 28 0:20 / /sys rw,nosuid - sysfs sysfs rw\n"
    "28 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro\n"
    "malformed\n"
    "90 28 259:3 / /data rw,noatime shared:9 master:1 - xfs /dev/nvme0n1p3 rw,attr2,nobarrier\n";

TEST(StorageFacts, AMountIsFoundByItsDevice) {
  StorageFacts facts;
  ASSERT_TRUE(ParseMountInfo(kMountInfo, "259:3", facts));
  EXPECT_EQ(facts.file_system, "xfs");
  EXPECT_EQ(facts.device, "/dev/nvme0n1p3");
  EXPECT_EQ(facts.mount_point, "/data");
  EXPECT_THAT(facts.options, Contains("nobarrier"));
  EXPECT_THAT(facts.options, Contains("noatime"));
  EXPECT_FALSE(ParseMountInfo(kMountInfo, "1:1", facts));
  EXPECT_FALSE(ParseMountInfo("", "1:1", facts));
}

TEST(StorageFacts, AFolderHasAFileSystem) {
  const auto folder = TemporaryDirectory::Make().value();
  EXPECT_FALSE(ReadStorageFacts(folder->path())->file_system.empty());
  EXPECT_FALSE(ReadStorageFacts(folder->path() + "/nothing").ok());
}

TEST(StorageFacts, SyncsAreMeasuredOneByOneAndLeaveNoFile) {
  const auto folder = TemporaryDirectory::Make().value();
  EXPECT_EQ(MeasureSyncs(folder->path(), 5)->size(), 5u);
  EXPECT_FALSE(MeasureSyncs(folder->path() + "/nothing", 5).ok());
}

}  // namespace
}  // namespace tools
