#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "bench/kept_events.h"
#include "engine/base/bytes.h"
#include "engine/core/exchange.h"
#include "engine/messages/event_buffer.h"
#include "engine/workload/catalogue.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"
#include "tools/os/allocation_count.h"

namespace bench {
namespace {

// By a fresh exchange in the timed part of a workload.
uint64_t AllocationsAfterWarmUp(const std::string& name) {
  const absl::StatusOr<Workload> workload = MakeWorkload(name, 1, WorkloadSize::kSmoke);
  EXPECT_TRUE(workload.ok()) << workload.status();
  const auto exchange = std::make_unique<engine::Exchange>();
  KeptEvents kept;
  engine::EventBuffer events(kept);
  auto attachment = workload->attachments.begin();
  uint64_t before = 0;
  for (size_t i = 0; i < workload->commands.size(); ++i) {
    if (i == workload->warm_up_count) before = tools::AllocationCount();
    engine::Bytes bytes;
    if (attachment != workload->attachments.end() && attachment->first == i) {
      bytes = (attachment++)->second;
    }
    exchange->Apply(workload->commands[i], bytes, events);
  }
  return tools::AllocationCount() - before;
}

TEST(Allocation, IsCounted) {
  const uint64_t before = tools::AllocationCount();
  auto memory = std::make_unique<std::vector<char>>(100'000);
  EXPECT_EQ(tools::AllocationCount(), before + 2);
}

TEST(Allocation, NoneAfterWarmUp) {
  for (const char* const name : {"hft", "static", "normal", "queue_10", "sweep_100", "markets_256",
                                 "hft_limits", "hft_binary", "cents_on_fine_grid", "sparse_100",
                                 "sparse_1000", "sparse_10000", "flash_crash"}) {
    EXPECT_EQ(AllocationsAfterWarmUp(name), 0u) << name;
  }
}

}  // namespace
}  // namespace bench
