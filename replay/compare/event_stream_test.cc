#include "replay/compare/event_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/prng.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "journal/log_digest.h"
#include "journal/reader.h"
#include "journal/record.h"
#include "replay/compare/foreign_subject.h"
#include "replay/compare/machine_subject.h"
#include "replay/exchange_machine.h"
#include "replay/log_source.h"
#include "replay/machine.h"
#include "replay/semantics_version.h"
#include "replay/testing/busy_session.h"
#include "replay/testing/loopback.h"

namespace replay {
namespace {

using engine::SequenceNumber;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kSchema = 0x1234;

std::unique_ptr<Machine> MakeFast() { return std::make_unique<ExchangeMachine>(); }
std::unique_ptr<Machine> MakeReference() { return std::make_unique<ReferenceMachine>(); }

MachineSubject Exchange() {
  return MachineSubject(
      {.name = "fast", .build_id = "this", .semantics_version = kSemanticsVersion}, &MakeFast);
}

// Reads from one queue and writes to the other.
class TwoQueues final : public ByteChannel {
 public:
  TwoQueues(ByteQueue& in, ByteQueue& out) : in_(in), out_(out) {}
  absl::Status Write(engine::Bytes bytes) override { return out_.Write(bytes); }
  absl::StatusOr<size_t> Read(engine::MutableBytes into) override { return in_.Read(into); }

 private:
  ByteQueue& in_;
  ByteQueue& out_;
};

ForeignSubject::Connect To(Subject& served, uint64_t schema = kSchema) {
  return [&served, schema] { return std::make_unique<Loopback>(served, schema); };
}

// Frames as they are sent, answered by a new server.
absl::Status Serve(const std::vector<std::pair<FrameKind, std::vector<std::byte>>>& frames) {
  MachineSubject subject = Exchange();
  ByteQueue queue;
  for (const auto& [kind, payload] : frames) EXPECT_TRUE(WriteFrame(queue, kind, payload).ok());
  return EventStreamServer(queue, subject, kSchema).Run();
}

TEST(EventStreamTest, AForeignEngineAnswersLikeALocalOne) {
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
    EXPECT_TRUE(std::ranges::equal(*here.Outputs(), *(*there)->Outputs()));
  }
  for (const uint32_t market : {1, 2, 3, 4, 5}) {
    for (const auto side : {engine::Side::kBid, engine::Side::kAsk}) {
      EXPECT_EQ(*here.Orders(engine::MarketId(market), side),
                *(*there)->Orders(engine::MarketId(market), side));
    }
  }
}

TEST(EventStreamTest, AResetEngineStartsAgain) {
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

// The data of one conversation: a state after 4096 records, and the records after it.
struct Conversation {
  SavedState state;
  Log log;

  // Records of the log, the first of them number `first`.
  std::vector<journal::Row> Rows(uint64_t first, size_t count) const {
    MemorySource source(log);
    EXPECT_TRUE(source.Seek(SequenceNumber(first)).ok());
    const std::span<const journal::Row> run = source.NextRun()->rows;
    return {run.begin(), run.begin() + static_cast<ptrdiff_t>(std::min(count, run.size()))};
  }
};

constexpr uint64_t kSaved = journal::kCheckpointInterval;

Conversation SavedConversation() {
  MachineSubject subject = Exchange();
  Log log = BusySession({.length = kSaved + 100});
  MemorySource source(log);
  EXPECT_TRUE(source.Seek(SequenceNumber::First()).ok());
  EXPECT_TRUE(Put(subject, *source.NextRun(), {}).ok());
  return {.state = *subject.Save(), .log = std::move(log)};
}

// The frames with which a new server answers. The process must survive all of them.
std::vector<Frame> Replies(const std::vector<std::pair<FrameKind, std::vector<std::byte>>>& frames,
                           MachineSubject::Make make = &MakeFast) {
  MachineSubject subject(
      {.name = "fast", .build_id = "this", .semantics_version = kSemanticsVersion}, make);
  ByteQueue in;
  ByteQueue out;
  for (const auto& [kind, payload] : frames) EXPECT_TRUE(WriteFrame(in, kind, payload).ok());
  TwoQueues ends(in, out);
  (void)EventStreamServer(ends, subject, kSchema).Run();
  std::vector<Frame> replies;
  for (auto reply = ReadFrame(out); reply.ok() && reply->has_value(); reply = ReadFrame(out)) {
    replies.push_back(**std::move(reply));
  }
  return replies;
}

std::vector<FrameKind> KindsOf(const std::vector<Frame>& frames) {
  std::vector<FrameKind> kinds;
  for (const Frame& frame : frames) kinds.push_back(frame.kind);
  return kinds;
}

using FrameToSend = std::pair<FrameKind, std::vector<std::byte>>;

FrameToSend HelloFrame() {
  return {FrameKind::kHello, Encode(StreamHello{.row_schema_id = kSchema, .identity = {}})};
}
FrameToSend StateFrame(const SavedState& state) { return {FrameKind::kState, Encode(state)}; }
FrameToSend RecordsFrameOf(const std::vector<journal::Row>& rows) {
  return {FrameKind::kRecords,
          Encode(journal::Batch{.rows = rows, .attachments = {}}, Ask{.invariants = true})};
}

class HostileStateTest : public testing::TestWithParam<MachineSubject::Make> {
 protected:
  std::vector<FrameKind> KindsAfterHello(std::vector<FrameToSend> frames) {
    frames.insert(frames.begin(), HelloFrame());
    std::vector<FrameKind> kinds = KindsOf(Replies(frames, GetParam()));
    EXPECT_EQ(kinds.front(), FrameKind::kHello);
    kinds.erase(kinds.begin());
    return kinds;
  }

  const Conversation talk_ = SavedConversation();
};

TEST_P(HostileStateTest, AStateIsLoadedAndContinued) {
  EXPECT_THAT(
      KindsAfterHello({StateFrame(talk_.state), RecordsFrameOf(talk_.Rows(kSaved + 1, 10))}),
      ElementsAre(FrameKind::kAnswer, FrameKind::kAnswer));
}

TEST_P(HostileStateTest, AStateWithAWrongRecordIsRefusedAndTheEngineStartsAgain) {
  for (const uint64_t sequence : {uint64_t{0}, kSaved - 1, kSaved + 1, ~uint64_t{0}}) {
    SavedState state = talk_.state;
    state.sequence = SequenceNumber(sequence);
    EXPECT_THAT(KindsAfterHello({StateFrame(state), RecordsFrameOf(talk_.Rows(1, 1))}),
                ElementsAre(FrameKind::kCannot, FrameKind::kAnswer))
        << sequence;
    EXPECT_THAT(KindsAfterHello({StateFrame(state), RecordsFrameOf(talk_.Rows(kSaved + 1, 1))}),
                ElementsAre(FrameKind::kCannot, FrameKind::kFailed))
        << sequence;
  }
}

TEST_P(HostileStateTest, RecordsThatDoNotFollowTheStateAreRefused) {
  for (const uint64_t first : {uint64_t{1}, kSaved, kSaved + 2}) {
    EXPECT_THAT(KindsAfterHello({StateFrame(talk_.state), RecordsFrameOf(talk_.Rows(first, 1))}),
                ElementsAre(FrameKind::kAnswer, FrameKind::kFailed))
        << first;
  }
}

TEST_P(HostileStateTest, ARecordThatIsEarlierThanTheStateIsRefused) {
  for (const int64_t nanos : {INT64_MIN, int64_t{-1}, int64_t{0}, int64_t{1}}) {
    std::vector<journal::Row> rows = talk_.Rows(kSaved + 1, 1);
    rows.front().timestamp = engine::Timestamp::FromNanos(nanos);
    EXPECT_THAT(KindsAfterHello({StateFrame(talk_.state), RecordsFrameOf(rows)}),
                ElementsAre(FrameKind::kAnswer, FrameKind::kFailed))
        << nanos;
  }
}

// Any value in any field of any frame.
TEST_P(HostileStateTest, NoFieldOfAnyFrameEndsTheProcess) {
  const std::vector<FrameToSend> sound = {
      HelloFrame(),
      StateFrame(talk_.state),
      RecordsFrameOf(talk_.Rows(kSaved + 1, 3)),
      {FrameKind::kEvents, {}},
      {FrameKind::kOrders,
       Encode(OrdersRequest{.market = engine::MarketId(1), .side = engine::Side::kBid})},
      {FrameKind::kSave, {}},
      {FrameKind::kReset, {}},
      RecordsFrameOf(talk_.Rows(1, 3))};
  EXPECT_EQ(Replies(sound, GetParam()).size(), sound.size());
  constexpr uint64_t kValues[] = {0, 1, 2, 0x7fff'ffff'ffff'ffff, ~uint64_t{0}};
  for (size_t at = 0; at < sound.size(); ++at) {
    const std::vector<std::byte>& whole = sound[at].second;
    // All numbers lie in the first bytes; parts have a fuzzer of their own.
    for (size_t offset = 0; offset < std::min<size_t>(whole.size(), 224); offset += 4) {
      for (const uint64_t value : kValues) {
        std::vector<FrameToSend> frames = sound;
        std::byte bytes[sizeof(value)];
        engine::StoreLittleEndian(value, bytes);
        const size_t count = std::min(sizeof(value), whole.size() - offset);
        std::copy_n(bytes, count, frames[at].second.begin() + static_cast<ptrdiff_t>(offset));
        EXPECT_FALSE(Replies(frames, GetParam()).empty());
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, HostileStateTest, testing::Values(&MakeFast, &MakeReference),
                         [](const auto& info) { return info.index == 0 ? "Fast" : "Reference"; });

TEST(EventStreamTest, TheEndMustBeBetweenFrames) {
  EXPECT_TRUE(Serve({}).ok());
  ByteQueue queue;
  ASSERT_TRUE(WriteFrame(queue, FrameKind::kHello, Encode(StreamHello{.identity = {}})).ok());
  queue.bytes().pop_back();
  EXPECT_TRUE(absl::IsDataLoss(ReadFrame(queue).status()));
}

TEST(EventStreamTest, TextOnTheOtherEndIsNoFrame) {
  ByteQueue queue;
  ASSERT_TRUE(queue.Write(engine::AsBytes("Starting engine...\n")).ok());
  EXPECT_THAT(std::string(ReadFrame(queue).status().message()), HasSubstr("malformed frame"));
}

TEST(EventStreamTest, CutAndCorruptPayloadsAreRefusedOrRead) {
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
    (void)DecodeOutputs(spoilt);
    (void)DecodeOrdersRequest(spoilt);
  }
}

}  // namespace
}  // namespace replay
