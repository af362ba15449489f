#include "replay/log_source.h"

#include <functional>

#include "absl/status/status.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"

namespace replay {
namespace {

using engine::SequenceNumber;

TEST(TimedSourceTest, EndsAtTheFirstRunAfterTimeIsUp) {
  const Log log(3 * 4096);
  MemorySource memory(log);
  for (int patience = 0; patience < 4; ++patience) {
    int asked = 0;
    const std::function<bool()> out_of_time = [&] { return ++asked > patience; };
    TimedSource source(memory, out_of_time);
    const auto loaded = LoadLog(source, source.last());
    if (patience == 3) {
      ASSERT_TRUE(loaded.ok()) << loaded.status().message();
      EXPECT_EQ(loaded->size(), log.size());
      continue;
    }
    EXPECT_TRUE(absl::IsDeadlineExceeded(loaded.status()));
    EXPECT_EQ(asked, patience + 1);
  }
  const std::function<bool()> no_limit;
  TimedSource source(memory, no_limit);
  EXPECT_TRUE(LoadLog(source, SequenceNumber(5000)).ok());
}

}  // namespace
}  // namespace replay
