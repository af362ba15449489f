// A command that ends many orders: its events leave in parts, and are those of one piece.

#include "replay/exchange_machine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"
#include "journal/digest_sidecar.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/command_row.h"
#include "replay/driver.h"
#include "replay/event_outputs.h"
#include "replay/output.h"
#include "replay/traced_output_memory.h"

namespace replay {
namespace {

using engine::Command;
using engine::CommandKind;
using engine::Event;

constexpr size_t kOrders = 10 * TracedOutputMemory::kOutputsInPart + 7;
constexpr engine::SequenceNumber kEnd(std::numeric_limits<uint64_t>::max());

// A market; orders in it, and one command that ends them all; twice.
class Session {
 public:
  Session() {
    const engine::MarketDefinition market{.id = engine::MarketId(1), .symbol = "ACME"};
    attachment_ = engine::EncodeMarketDefinition(market);
    Add(CommandKind::kDefineMarket);
    attachments_.push_back({.sequence = rows_.back().sequence, .bytes = attachment_});
    for (int i = 0; i < 2; ++i) {
      for (size_t order = 0; order < kOrders; ++order) Add(CommandKind::kNewOrder);
      Add(CommandKind::kMassCancel);
    }
    Add(CommandKind::kNewOrder);
  }

  journal::Batch batch() const { return {.rows = rows_, .attachments = attachments_}; }

 private:
  void Add(CommandKind kind) {
    Command command;
    command.sequence = engine::SequenceNumber(rows_.size() + 1);
    command.kind = kind;
    command.market = engine::MarketId(1);
    if (kind == CommandKind::kNewOrder) {
      command.side = engine::Side::kBid;
      command.type = engine::OrderType::kLimit;
      command.tif = engine::TimeInForce::kGoodTillCancelled;
      command.price = engine::Price::FromUnits(100);
      command.quantity = engine::Quantity::FromUnits(1);
    }
    rows_.push_back(ToRow(command));
  }

  std::vector<journal::Row> rows_;
  std::vector<std::byte> attachment_;
  std::vector<journal::AttachmentView> attachments_;
};

// What a driver's caller receives.
struct Received {
  void Add(std::span<const Output> outputs) {
    events.insert(events.end(), AsEvents(outputs).begin(), AsEvents(outputs).end());
    largest = std::max(largest, outputs.size());
    if (outputs.size() >= TracedOutputMemory::kOutputsInPart) large_parts.push_back(outputs.data());
  }

  std::vector<Event> events;
  size_t largest = 0;
  std::vector<const Output*> large_parts;
};

template <typename EngineMachine>
class InParts : public ::testing::Test {
 protected:
  Received Whole(Driver& driver) {
    Received received;
    driver.ApplyBatch(session_.batch(), kEnd, [&](const journal::Record&, auto outputs) {
      received.Add(outputs);
      return true;
    });
    return received;
  }
  Received Parts(Driver& driver) {
    Received received;
    driver.ApplyBatchInParts(session_.batch(), kEnd, [&](const journal::Record& record, auto part) {
      EXPECT_EQ(part.front().sequence, record.sequence());
      EXPECT_EQ(IsFirstPart(part),
                received.events.empty() || received.events.back().sequence != record.sequence());
      received.Add(part);
    });
    return received;
  }

  const Session session_;
};

using Machines = ::testing::Types<ExchangeMachine, ReferenceMachine>;
TYPED_TEST_SUITE(InParts, Machines);

TYPED_TEST(InParts, EventsAndDigestsAreThoseOfOnePiece) {
  TypeParam a, b, c;
  Driver whole(a), in_parts(b), unseen(c);
  const Received expected = this->Whole(whole);
  EXPECT_EQ(expected.largest, kOrders + 1);
  const Received received = this->Parts(in_parts);
  EXPECT_TRUE(received.events == expected.events);
  EXPECT_EQ(in_parts.Checkpoint(), whole.Checkpoint());
  EXPECT_EQ(in_parts.output_count(), whole.output_count());

  unseen.ApplyBatch(this->session_.batch(), kEnd);
  EXPECT_EQ(unseen.Checkpoint(), whole.Checkpoint());
  EXPECT_EQ(unseen.output_count(), whole.output_count());
}

TYPED_TEST(InParts, MemoryIsBounded) {
  TypeParam machine;
  Driver driver(machine);
  const Received received = this->Parts(driver);
  EXPECT_LE(received.largest, 4 * TracedOutputMemory::kOutputsInPart);
  // The parts are in the same memory: at its front, or where each of the two commands began.
  EXPECT_GE(received.large_parts.size(), 2 * kOrders / received.largest);
  const std::set<const Output*> places(received.large_parts.begin(), received.large_parts.end());
  EXPECT_LE(places.size(), 4u);
}

TYPED_TEST(InParts, EventsAreTheSameWithoutDigests) {
  TypeParam a, b, c;
  Driver whole(a), in_parts(b, engine::SequenceNumber()), unseen(c, engine::SequenceNumber());
  const Received expected = this->Whole(whole);
  EXPECT_TRUE(this->Parts(in_parts).events == expected.events);
  unseen.ApplyBatch(this->session_.batch(), kEnd);
  EXPECT_EQ(c.StateDigest(), a.StateDigest());
}

// A caller that receives whole records and one that receives parts may take turns.
TYPED_TEST(InParts, WholeRecordsAreReceivedWholeAfterParts) {
  TypeParam a, b;
  Driver whole(a), driver(b);
  this->Whole(whole);
  const journal::Batch batch = this->session_.batch();
  driver.ApplyBatch(batch, engine::SequenceNumber(kOrders + 2));
  size_t largest = 0;
  driver.ApplyBatch(batch.Part(kOrders + 2, batch.rows.size()), kEnd,
                    [&](const journal::Record&, auto outputs) {
                      largest = std::max(largest, outputs.size());
                      return true;
                    });
  EXPECT_EQ(largest, kOrders + 1);
  EXPECT_EQ(driver.Checkpoint(), whole.Checkpoint());
}

}  // namespace
}  // namespace replay
