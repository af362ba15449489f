// What others hold makes no command slow: the instructions are counted.

#include "engine/workload/crowd.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "engine/base/bytes.h"
#include "engine/base/testing/count_instructions.h"
#include "engine/core/exchange.h"
#include "engine/messages/event_buffer.h"
#include "engine/workload/workload.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

using bench::Crowd;
using bench::CrowdCase;
using bench::CrowdCaseInfo;
using bench::Workload;

// Applies `workload` and takes state digests as a replay would. Returns the instructions of the
// timed commands, for each.
uint64_t InstructionsOf(const Workload& workload, bool takes_digests) {
  Exchange exchange;
  EventBuffer events;
  auto attachment = workload.attachments.begin();
  const auto apply = [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      Bytes bytes;
      if (attachment != workload.attachments.end() && attachment->first == i) {
        bytes = attachment++->second;
      }
      exchange.Apply(workload.commands[i], bytes, events);
      if (takes_digests && (i >= workload.warm_up_count || i % 1024 == 0)) exchange.StateDigest();
    }
  };
  const size_t count = workload.commands.size() - workload.warm_up_count;
  apply(0, workload.warm_up_count);
  const uint64_t instructions =
      CountInstructions([&] { apply(workload.warm_up_count, workload.commands.size()); });
  EXPECT_LT(instructions, kInstructionsMax) << "not all are counted";
  return instructions / count;
}

class CrowdTest : public testing::TestWithParam<CrowdCaseInfo> {};

TEST_P(CrowdTest, OthersDoNotMakeACommandSlow) {
  const CrowdCase what = GetParam().value;
  // A fill-or-kill order looks at a thousand levels or orders: one is enough.
  const bool kills = what == CrowdCase::kKillOnLevels || what == CrowdCase::kKillInQueue;
  const auto instructions = [=](size_t size) {
    return InstructionsOf(
        bench::MakeCrowd(
            {.name = "crowd", .what = what, .size = size, .timed_count = kills ? size_t{1} : 8}),
        what == CrowdCase::kGroupFills);
  };
  const size_t few = what == CrowdCase::kEndAll ? 20 : 2'000;
  const uint64_t among_few = instructions(few);
  const uint64_t among_many = instructions(10 * few);
  EXPECT_GT(among_few, 0u);
  EXPECT_LE(among_many, among_few + among_few / 2) << "instructions a command";
  RecordProperty("instructions", std::to_string(among_many));
}

INSTANTIATE_TEST_SUITE_P(Cases, CrowdTest, testing::ValuesIn(bench::CrowdCases()),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace engine
