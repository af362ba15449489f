#include "journal/write/ack_gate.h"

#include <cstdint>

#include "engine/base/sequence_number.h"
#include "gtest/gtest.h"

namespace journal {
namespace {

using engine::SequenceNumber;

AckGate::Progress At(uint64_t sequenced, uint64_t written, uint64_t durable) {
  return {SequenceNumber(sequenced), SequenceNumber(written), SequenceNumber(durable)};
}

TEST(AckGate, EachPolicyWaitsForItsOwnMark) {
  EXPECT_EQ(AckGate(AckPolicy::kNone).Acknowledged(At(9, 6, 3)), SequenceNumber(9));
  EXPECT_EQ(AckGate(AckPolicy::kWritten).Acknowledged(At(9, 6, 3)), SequenceNumber(6));
  EXPECT_EQ(AckGate(AckPolicy::kDisk).Acknowledged(At(9, 6, 3)), SequenceNumber(3));
}

TEST(AckGate, ALaxerPolicyDoesNotReleaseRecordsOfAStricterOne) {
  AckGate gate(AckPolicy::kDisk);
  gate.Switch(SequenceNumber(10), AckPolicy::kNone);
  EXPECT_TRUE(gate.waits_for_disk());
  EXPECT_EQ(gate.Acknowledged(At(15, 12, 9)), SequenceNumber(9));
  EXPECT_EQ(gate.Acknowledged(At(15, 12, 10)), SequenceNumber(15));
  EXPECT_FALSE(gate.waits_for_disk());
}

TEST(AckGate, AStricterPolicyHoldsFromTheNextRecordOn) {
  AckGate gate(AckPolicy::kNone);
  gate.Switch(SequenceNumber(10), AckPolicy::kDisk);
  // Records before the switch were released by then, and stay released.
  EXPECT_EQ(gate.Acknowledged(At(15, 4, 3)), SequenceNumber(10));
  EXPECT_EQ(gate.Acknowledged(At(15, 15, 12)), SequenceNumber(12));
}

TEST(AckGate, SeveralSwitchesKeepTheirOrder) {
  AckGate gate(AckPolicy::kWritten);
  gate.Switch(SequenceNumber(5), AckPolicy::kDisk);
  gate.Switch(SequenceNumber(8), AckPolicy::kWritten);
  EXPECT_EQ(gate.Acknowledged(At(20, 4, 0)), SequenceNumber(4));
  EXPECT_EQ(gate.Acknowledged(At(20, 12, 4)), SequenceNumber(5));
  EXPECT_EQ(gate.Acknowledged(At(20, 12, 7)), SequenceNumber(7));
  EXPECT_EQ(gate.Acknowledged(At(20, 12, 8)), SequenceNumber(12));
}

}  // namespace
}  // namespace journal
