#include "replay/compare/event_stream.h"

#include <memory>
#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/machine_subject.h"
#include "replay/exchange_machine.h"
#include "replay/log_source.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/loopback.h"

namespace replay {
namespace {

using engine::SequenceNumber;
using ::testing::HasSubstr;

constexpr uint64_t kSchema = 0x1234;

MachineSubject Exchange() {
  return MachineSubject({.name = "fast", .build_id = "this", .semantics_version = 2},
                        [] { return std::make_unique<ExchangeMachine>(); });
}

ForeignSubject::Connect To(Subject& served, uint64_t schema = kSchema) {
  return [&served, schema] { return std::make_unique<Loopback>(served, schema); };
}

// Frames as they are sent, answered by a server of their own.
absl::Status Serve(const std::vector<std::pair<FrameKind, std::vector<std::byte>>>& frames) {
  MachineSubject subject = Exchange();
  ByteQueue queue;
  for (const auto& [kind, payload] : frames) EXPECT_TRUE(WriteFrame(queue, kind, payload).ok());
  return EventStreamServer(queue, subject, kSchema).Run();
}

TEST(EventStreamTest, AForeignEngineAnswersAsItWouldHere) {
  MachineSubject here = Exchange();
  MachineSubject served = Exchange();
  const auto there = ForeignSubject::Open(To(served), kSchema);
  ASSERT_TRUE(there.ok()) << there.status().message();
  EXPECT_EQ((*there)->identity(), here.identity());
  const Log log = BusySession({.length = 5000});
  MemorySource source(log);
  ASSERT_TRUE(source.Seek(SequenceNumber::First()).ok());
  for (auto run = source.NextRun(); !run->empty(); run = source.NextRun()) {
    EXPECT_EQ(*Put(here, *run, {.state = true}), *Put(**there, *run, {.state = true}));
    EXPECT_TRUE(std::ranges::equal(*here.Events(), *(*there)->Events()));
  }
  for (const uint32_t market : {1, 2, 3, 4, 5}) {
    for (const auto side : {engine::Side::kBid, engine::Side::kAsk}) {
      EXPECT_EQ(*here.Orders(engine::MarketId(market), side),
                *(*there)->Orders(engine::MarketId(market), side));
    }
  }
}

TEST(EventStreamTest, AResetEngineBeginsAgain) {
  MachineSubject served = Exchange();
  const auto there = ForeignSubject::Open(To(served), kSchema);
  const Log log = BusySession({.length = 200});
  MemorySource source(log);
  std::vector<Answer> answers;
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(source.Seek(SequenceNumber::First()).ok());
    answers.push_back(*Put(**there, *source.NextRun(), {.state = true}));
    ASSERT_TRUE((*there)->Reset().ok());
  }
  EXPECT_EQ(answers[0], answers[1]);
}

TEST(EventStreamTest, OtherRowsAreRefusedBeforeAnythingIsSent) {
  MachineSubject served = Exchange();
  const auto there = ForeignSubject::Open(To(served, kSchema + 1), kSchema);
  EXPECT_TRUE(absl::IsUnimplemented(there.status()));
  EXPECT_THAT(std::string(there.status().message()), HasSubstr("0000000000001235"));
}

TEST(EventStreamTest, AnotherMajorVersionIsRefusedByBothEnds) {
  StreamHello newer = {.major = 2, .row_schema_id = kSchema, .identity = {}};
  EXPECT_TRUE(
      absl::IsUnimplemented(CheckCompatible(newer, {.row_schema_id = kSchema, .identity = {}})));
  EXPECT_TRUE(absl::IsUnimplemented(Serve({{FrameKind::kHello, Encode(newer)}})));
}

TEST(EventStreamTest, RecordsThatAnEngineMustNotSeeDoNotReachIt) {
  const auto hello =
      std::pair{FrameKind::kHello, Encode(StreamHello{.row_schema_id = kSchema, .identity = {}})};
  journal::Row first;
  first.sequence = SequenceNumber(2);
  const std::vector<journal::Row> rows = {first};
  EXPECT_THAT(std::string(Serve({hello,
                                 {FrameKind::kRecords,
                                  Encode(journal::Batch{.rows = rows, .attachments = {}}, Ask{})}})
                              .message()),
              HasSubstr("record 2 came; expected 1"));
  EXPECT_TRUE(absl::IsDataLoss(Serve({{FrameKind::kEvents, {}}}))) << "before hello";
  EXPECT_TRUE(absl::IsDataLoss(Serve({hello, {FrameKind::kRecords, {}}})));
  EXPECT_TRUE(absl::IsDataLoss(Serve({hello, {static_cast<FrameKind>(99), {}}})));
}

TEST(EventStreamTest, TheEndBetweenFramesIsGoodAndWithinOneIsNot) {
  EXPECT_TRUE(Serve({}).ok());
  ByteQueue queue;
  ASSERT_TRUE(WriteFrame(queue, FrameKind::kHello, Encode(StreamHello{.identity = {}})).ok());
  queue.bytes().pop_back();
  EXPECT_TRUE(absl::IsDataLoss(ReadFrame(queue).status()));
}

TEST(EventStreamTest, TextOnTheOtherEndIsNoFrame) {
  ByteQueue queue;
  ASSERT_TRUE(queue.Write(engine::AsBytes("Starting engine...\n")).ok());
  EXPECT_THAT(std::string(ReadFrame(queue).status().message()), HasSubstr("is no frame"));
}

TEST(EventStreamTest, CutAndSpoiltPayloadsAreRefusedOrReadButNeverMore) {
  const Log log = BusySession({.length = 100});
  MemorySource source(log);
  ASSERT_TRUE(source.Seek(SequenceNumber::First()).ok());
  const std::vector<std::byte> whole = Encode(*source.NextRun(), Ask{.state = true});
  for (size_t size = 0; size < whole.size(); size += 7) {
    EXPECT_FALSE(DecodeRecords(std::span(whole).first(size)).ok()) << size;
  }
  engine::Prng prng(1);
  for (int i = 0; i < 3000; ++i) {
    std::vector<std::byte> spoilt = whole;
    for (int n = 0; n < 3; ++n) {
      spoilt[prng.Below(spoilt.size())] = static_cast<std::byte>(prng.Next());
    }
    const auto decoded = DecodeRecords(spoilt);
    if (decoded.ok()) {
      EXPECT_LE(decoded->rows.size(), log.size());
    }
    (void)DecodeHello(spoilt);
    (void)DecodeAnswer(spoilt);
    (void)DecodeOrders(spoilt);
    (void)DecodeEvents(spoilt);
    (void)DecodeOrdersRequest(spoilt);
  }
}

}  // namespace
}  // namespace replay
