#include "replay/trace_digest.h"

#include <vector>

#include "engine/base/digest.h"
#include "engine/messages/event.h"
#include "gtest/gtest.h"
#include "replay/event_outputs.h"

namespace replay {
namespace {

std::vector<engine::Event> TwoEvents() {
  std::vector<engine::Event> events(2);
  events[0].sequence = engine::SequenceNumber(1);
  events[0].kind = engine::EventKind::kTimeAdvanced;
  events[1].sequence = engine::SequenceNumber(2);
  events[1].kind = engine::EventKind::kTimeAdvanced;
  return events;
}

// engine/DESIGN.md, Digests, shows these.
TEST(TraceDigest, Vectors) {
  TraceDigest trace;
  EXPECT_EQ(trace.chain(), engine::Digest());
  trace.Add(AsOutputs(TwoEvents()));
  EXPECT_EQ(trace.Value({}).ToString(), "5cf698d1f0741a2e5d15bc2df53680c2");
  EXPECT_EQ(trace.Value({.low = 1, .high = 0}).ToString(), "15a87e71c7e588a280124c4708d79c88");
  trace.EndRun({});
  trace.Add(AsOutputs(TwoEvents()));
  trace.EndRun({});
  EXPECT_EQ(trace.chain().ToString(), "100c7516eecc3aa717c116f937768276");
}

TEST(TraceDigest, IsTheDigestOfChainEventsAndState) {
  const std::vector<engine::Event> events = TwoEvents();
  const engine::Digest state{.low = 7, .high = 8};
  const engine::Digest links[] = {{}, engine::DigestOf(std::as_bytes(std::span(events))), state};
  TraceDigest trace;
  trace.Add(AsOutputs(events));
  EXPECT_EQ(trace.Value(state), engine::DigestOf(std::as_bytes(std::span(links))));
}

TEST(TraceDigest, StaysDifferentOnceItHasDiffered) {
  TraceDigest a;
  TraceDigest b;
  a.Add(AsOutputs(TwoEvents()));
  const std::vector<engine::Event> events = TwoEvents();
  b.Add(AsOutputs(std::span(events).first(1)));
  a.EndRun({});
  b.EndRun({});
  for (int run = 0; run < 3; ++run) {
    a.Add(AsOutputs(TwoEvents()));
    b.Add(AsOutputs(TwoEvents()));
    a.EndRun({});
    b.EndRun({});
    EXPECT_NE(a.chain(), b.chain());
  }
}

TEST(TraceDigest, AnOpenRunMayContinue) {
  const std::vector<engine::Event> events = TwoEvents();
  TraceDigest trace;
  trace.Add(AsOutputs(std::span(events).first(1)));
  (void)trace.Value({});
  trace.Add(AsOutputs(std::span(events).subspan(1)));
  TraceDigest in_one_call;
  in_one_call.Add(AsOutputs(TwoEvents()));
  EXPECT_EQ(trace.Value({}), in_one_call.Value({}));
}

}  // namespace
}  // namespace replay
