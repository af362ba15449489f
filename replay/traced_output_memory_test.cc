#include "replay/traced_output_memory.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"
#include "replay/output.h"
#include "replay/output_buffer.h"
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

// A memory whose outputs leave in parts, and the outputs of each record as they are received.
class InParts {
 public:
  explicit InParts(size_t outputs_in_part) : memory_(trace_, outputs_in_part) {
    buffer_.WriteTo(memory_);
  }

  void Apply(engine::SequenceNumber sequence, uint64_t output_count) {
    received_.clear();
    part_count_ = 0;
    const auto receive = [this](std::span<const Output> part) {
      received_.insert(received_.end(), part.begin(), part.end());
      ++part_count_;
    };
    const auto take = [&](std::span<const Output> part) {
      memory_.Add(part);
      receive(part);
    };
    const TracedOutputMemory::Taking taking(memory_, take);
    buffer_.Begin(sequence);
    for (uint64_t i = 0; i < output_count; ++i) {
      engine::StoreLittleEndian(i, buffer_.Append(1).payload.data());
    }
    memory_.Add(buffer_.outputs());
    receive(buffer_.outputs());
  }

  const std::vector<Output>& received() const { return received_; }
  size_t part_count() const { return part_count_; }
  uint64_t added_count() const { return memory_.added_count(); }
  engine::Digest trace() {
    memory_.Digest();
    return trace_.Value({});
  }

 private:
  TraceDigest trace_;
  TracedOutputMemory memory_;
  OutputBuffer buffer_;
  std::vector<Output> received_;
  size_t part_count_ = 0;
};

TEST_F(TracedOutputMemoryTest, OutputsInPartsAreThoseOfOnePiece) {
  for (size_t outputs_in_part = 1; outputs_in_part <= 100; ++outputs_in_part) {
    InParts in_parts(outputs_in_part);
    TraceDigest expected;
    uint64_t count = 0;
    for (const uint64_t output_count : {1, 3, 127, 129, 2, 1000, 1, 1, 3999}) {
      Apply(output_count);
      in_parts.Apply(sequence_, output_count);
      const std::span<const Output> whole = buffer_.outputs();
      ASSERT_TRUE(std::ranges::equal(in_parts.received(), whole))
          << output_count << " outputs, " << outputs_in_part << " in a part";
      expected.Add(whole);
      count += output_count;
      EXPECT_EQ(in_parts.added_count(), count);
      EXPECT_EQ(in_parts.part_count() > 3, output_count >= 1000) << output_count;
    }
    EXPECT_EQ(in_parts.trace(), expected.Value({})) << outputs_in_part << " in a part";
  }
}

TEST_F(TracedOutputMemoryTest, NoOutputLeavesWithoutATaker) {
  memory_.Digest();
  Apply(10 * TracedOutputMemory::kOutputsInPart);
  EXPECT_EQ(buffer_.outputs().size(), 10 * TracedOutputMemory::kOutputsInPart);
}

}  // namespace
}  // namespace replay
