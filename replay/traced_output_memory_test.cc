#include "replay/traced_output_memory.h"

#include <cstdint>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "replay/testing/output_buffer.h"
#include "replay/trace_digest.h"

namespace replay {
namespace {

class TracedOutputMemoryTest : public ::testing::Test {
 protected:
  TracedOutputMemoryTest() { buffer_.WriteTo(memory_); }

  // A record with so many outputs, which `expected_` digests immediately.
  void Apply(uint64_t output_count) {
    sequence_ = sequence_.Next();
    buffer_.Begin(sequence_);
    for (uint64_t i = 0; i < output_count; ++i) {
      engine::StoreLittleEndian(i, buffer_.Append(1).payload.data());
    }
    memory_.Add(buffer_.outputs());
    expected_.Add(buffer_.outputs());
  }

  void ExpectEqualTraces() {
    memory_.Digest();
    EXPECT_EQ(trace_.Value({}), expected_.Value({})) << "after " << sequence_;
  }

  engine::SequenceNumber sequence_;
  TraceDigest expected_;
  TraceDigest trace_;
  TracedOutputMemory memory_{trace_};
  OutputBuffer buffer_;
};

TEST_F(TracedOutputMemoryTest, DigestsAddedOutputsLater) {
  for (int i = 0; i < 1000; ++i) Apply(1);
  ExpectEqualTraces();
}

TEST_F(TracedOutputMemoryTest, DigestsBeforeItGrowsOrStartsAgain) {
  for (const uint64_t count : {1, 3, 64, 1, 127, 128, 129, 2, 1000, 1, 3999, 5, 4001, 1}) {
    Apply(count);
    Apply(1);
  }
  ExpectEqualTraces();
}

TEST_F(TracedOutputMemoryTest, DigestsAnyNumberOfTimes) {
  for (int i = 0; i < 300; ++i) {
    Apply(static_cast<uint64_t>(i % 3));
    if (i % 7 == 0) ExpectEqualTraces();
    if (i % 7 == 1) memory_.Digest();
  }
  ExpectEqualTraces();
}

// An output that a machine writes and takes back is none of its outputs.
TEST_F(TracedOutputMemoryTest, DigestsOnlyAddedOutputs) {
  Apply(2);
  buffer_.Begin(sequence_);
  buffer_.Append(1);
  Apply(2);
  ExpectEqualTraces();
}

}  // namespace
}  // namespace replay
