#include "tools/cli/maintenance/examination.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace tools {
namespace {

using ::testing::HasSubstr;

StorageFacts On(const std::string& file_system, std::vector<std::string> options = {"rw"}) {
  return {.file_system = file_system,
          .device = "/dev/sda1",
          .mount_point = "/",
          .options = std::move(options),
          .free_bytes = uint64_t{1} << 40};
}

SyncTimes Taking(uint64_t p50, uint64_t p99) {
  return {.count = 500, .min = p50, .p50 = p50, .p90 = p99, .p99 = p99, .max = p99};
}

TEST(Examination, FileSystems) {
  EXPECT_EQ(ExamineFileSystem(On("ext4")).health, Health::kGood);
  EXPECT_EQ(ExamineFileSystem(On("xfs")).health, Health::kGood);
  EXPECT_EQ(ExamineFileSystem(On("btrfs")).health, Health::kFair);
  EXPECT_EQ(ExamineFileSystem(On("overlay")).health, Health::kFair);
  EXPECT_EQ(ExamineFileSystem(On("nfs4")).health, Health::kFair);
  EXPECT_EQ(ExamineFileSystem(On("fuse.sshfs")).health, Health::kFair);
  EXPECT_EQ(ExamineFileSystem(On("tmpfs")).health, Health::kBad);
  EXPECT_EQ(ExamineFileSystem(On("?")).health, Health::kFair);
}

TEST(Examination, MountOptionsThatBreakAPromiseAreBad) {
  EXPECT_EQ(ExamineMountOptions(On("ext4")).health, Health::kGood);
  EXPECT_EQ(ExamineMountOptions(On("xfs", {"rw", "nobarrier"})).health, Health::kBad);
  EXPECT_EQ(ExamineMountOptions(On("ext4", {"barrier=0"})).health, Health::kBad);
  EXPECT_EQ(ExamineMountOptions(On("ext4", {"ro"})).health, Health::kFair);
  EXPECT_EQ(ExamineMountOptions(On("ext4", {"errors=remount-ro", "rw"})).health, Health::kGood);
}

TEST(Examination, SyncsAreSummedUpByRank) {
  std::vector<uint64_t> nanos;
  for (uint64_t i = 1000; i > 0; --i) nanos.push_back(i);
  const SyncTimes times = Summarise(nanos);
  EXPECT_EQ(times.count, 1000u);
  EXPECT_EQ(times.min, 1u);
  EXPECT_EQ(times.p50, 500u);
  EXPECT_EQ(times.p99, 990u);
  EXPECT_EQ(times.max, 1000u);
  EXPECT_EQ(Summarise({7}).p99, 7u);
}

TEST(Examination, ASyncThatIsTooFastIsSuspicious) {
  EXPECT_EQ(ExamineSyncs(Taking(100'000, 300'000)).health, Health::kGood);
  EXPECT_THAT(ExamineSyncs(Taking(2'000, 9'000)).meaning, HasSubstr("a power cut will show it"));
  EXPECT_EQ(ExamineSyncs(Taking(2'000, 9'000)).health, Health::kFair);
  EXPECT_THAT(ExamineSyncs(Taking(100'000, 9'000'000)).meaning, HasSubstr("something else"));
  EXPECT_THAT(ExamineSyncs(Taking(30'000'000, 40'000'000)).meaning, HasSubstr("slow"));
}

TEST(Examination, WhereNothingCanBeWrittenThatIsBadAndWhy) {
  const Diagnosis diagnosis = ExamineFailedSyncs(absl::ResourceExhaustedError("write f: no space"));
  EXPECT_EQ(diagnosis.health, Health::kBad);
  EXPECT_EQ(diagnosis.value, "not measured");
  EXPECT_THAT(diagnosis.meaning, HasSubstr("write f: no space"));
}

TEST(Examination, Clocks) {
  EXPECT_EQ(ExamineClock({.source = "tsc", .resolution_nanos = 10, .read_nanos = 20}).health,
            Health::kGood);
  EXPECT_EQ(ExamineClock({.source = "hpet", .resolution_nanos = 100, .read_nanos = 900}).health,
            Health::kFair);
}

TEST(Examination, SpaceAndProcessors) {
  StorageFacts facts = On("ext4");
  EXPECT_EQ(ExamineSpace(facts).health, Health::kGood);
  facts.free_bytes = 100 << 20;
  EXPECT_EQ(ExamineSpace(facts).health, Health::kBad);
  EXPECT_EQ(ExamineProcessors(1, 0).health, Health::kFair);
  EXPECT_EQ(ExamineProcessors(8, 60).health, Health::kGood);
}

TEST(Examination, DurationsAreCountedByPowersOfTwo) {
  EXPECT_TRUE(CountDurations({}).empty());
  EXPECT_EQ(CountDurations({1, 2'000}), (std::vector<DurationCount>{{2'000, 2}}));
  EXPECT_EQ(CountDurations({5'000, 4'001, 17'000}),
            (std::vector<DurationCount>{{8'000, 2}, {16'000, 0}, {32'000, 1}}));
}

}  // namespace
}  // namespace tools
