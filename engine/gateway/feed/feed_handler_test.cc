#include "engine/gateway/feed/feed_handler.h"

#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/steady_time.h"
#include "engine/wire/mold/receiver.h"
#include "engine/wire/mold/testing/packets.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

constexpr int64_t kPatience = 100;
constexpr int64_t kSnapshotPatience = 1'000;

// What the handler did, as text: its messages are single characters.
class Log final : public FeedOutput {
 public:
  void Clear() override { text_ += '|'; }
  void Take(Bytes framed) override {
    for (; !framed.empty(); framed = framed.subspan(3)) text_ += AsText(framed)[2];
  }
  void RequestMessages(absl::string_view session, const MoldRange& range) override {
    absl::StrAppend(&text_, "(", session, " ", range.ToString(), ")");
  }
  void RequestSnapshot() override { text_ += "(snapshot)"; }

  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class FeedHandlerTest : public ::testing::Test {
 protected:
  // Message n is letter n of the alphabet, from `a`.
  static std::string Messages(uint64_t first, uint64_t last) {
    std::vector<std::string> letters;
    for (uint64_t number = first; number <= last; ++number) {
      letters.emplace_back(1, static_cast<char>('a' + (number - 1) % 26));
    }
    return Framed(letters);
  }
  static std::string Packet(uint64_t first, uint64_t last, absl::string_view session = "ONE") {
    return MoldBytes(session, first, static_cast<uint16_t>(last - first + 1),
                     Messages(first, last));
  }
  void A(absl::string_view payload) { Line(FeedLine::kA, payload); }
  void B(absl::string_view payload) { Line(FeedLine::kB, payload); }
  void Line(FeedLine line, absl::string_view payload) {
    handler_.TakePacket(line, AsBytes(payload), Now());
  }
  void Answer(absl::string_view payload) { handler_.TakeAnswer(AsBytes(payload), Now()); }
  void Snapshot(uint64_t next, absl::string_view session = "ONE") {
    const std::string framed = Framed({"X", "Y"});
    handler_.TakeSnapshot(session, next, AsBytes(framed), Now());
  }
  void Wait(int64_t nanos) {
    now_ += nanos;
    handler_.Tick(Now());
  }
  SteadyTime Now() const { return SteadyTime::FromNanos(now_); }
  const std::string& Text() const { return log_.text(); }
  const FeedHandler::Counters& Counters() const { return handler_.counters(); }
  FeedHandler::State State() const { return handler_.state(); }

  static FeedHandler::Options Options() {
    return {.patience_ns = kPatience,
            .requests_max = 2,
            .request_messages_max = 5,
            .snapshot_patience_ns = kSnapshotPatience,
            .held_bytes_max = 10'000,
            .reordered_max = 10};
  }

  int64_t now_ = 1;
  Log log_;
  FeedHandler handler_{Options(), log_};
};

TEST_F(FeedHandlerTest, GivesEachMessageOfTwoLinesOnce) {
  EXPECT_EQ(State(), FeedHandler::State::kWaiting);
  A(Packet(1, 3));
  B(Packet(1, 3));
  B(Packet(4, 5));
  A(Packet(6, 6));
  A(Packet(4, 5));
  EXPECT_EQ(Text(), "|abcdef");
  EXPECT_EQ(Counters().packets[0], 3u);
  EXPECT_EQ(Counters().packets[1], 2u);
  EXPECT_EQ(Counters().messages, 6u);
  EXPECT_EQ(Counters().gaps, 0u);
  EXPECT_EQ(State(), FeedHandler::State::kLive);
}

TEST_F(FeedHandlerTest, WaitsForTheOtherLineBeforeItAsks) {
  A(Packet(1, 1));
  A(Packet(4, 4));
  Wait(kPatience - 1);
  B(Packet(2, 3));
  EXPECT_EQ(Text(), "|abcd");
  EXPECT_EQ(Counters().gaps, 1u);
  Wait(kPatience);
  EXPECT_EQ(Counters().requests, 0u);
}

TEST_F(FeedHandlerTest, AsksForWhatIsMissingAndForTheRestOfIt) {
  A(Packet(1, 1));
  A(Packet(10, 10));
  Wait(kPatience);
  EXPECT_EQ(Text(), "|a(ONE 2..6)");
  Answer(Packet(2, 3));
  EXPECT_EQ(Text(), "|a(ONE 2..6)bc(ONE 4..8)");
  Answer(Packet(4, 9));
  EXPECT_EQ(Text(), "|a(ONE 2..6)bc(ONE 4..8)defghij");
  EXPECT_EQ(Counters().answers, 2u);
  EXPECT_EQ(Counters().gaps, 1u);
}

TEST_F(FeedHandlerTest, AHeartbeatTellsThatTheLastMessagesAreMissing) {
  A(Packet(1, 1));
  A(MoldBytes("ONE", 4, 0));
  Wait(kPatience);
  EXPECT_EQ(Text(), "|a(ONE 2..3)");
}

TEST_F(FeedHandlerTest, JoinsAgainAfterTheLastRequest) {
  A(Packet(1, 1));
  A(Packet(3, 3));
  Wait(kPatience);
  Wait(kPatience);
  EXPECT_EQ(Text(), "|a(ONE 2)(ONE 2)");
  Wait(kPatience);
  EXPECT_EQ(Text(), "|a(ONE 2)(ONE 2)(snapshot)");
  EXPECT_EQ(State(), FeedHandler::State::kJoining);
  A(Packet(4, 4));
  A(Packet(5, 6));
  Snapshot(5);
  EXPECT_EQ(Text(), "|a(ONE 2)(ONE 2)(snapshot)|XYef");
  EXPECT_EQ(Counters().lost, 0u);
}

TEST_F(FeedHandlerTest, JoinsLateByASnapshotWhichItAsksForAgain) {
  Wait(kSnapshotPatience);
  A(Packet(7, 8));
  EXPECT_EQ(Text(), "(snapshot)");
  Wait(kSnapshotPatience - 1);
  EXPECT_EQ(Text(), "(snapshot)");
  Wait(1);
  EXPECT_EQ(Text(), "(snapshot)(snapshot)");
  A(Packet(9, 9));
  Snapshot(8, "TWO");
  Snapshot(0);
  EXPECT_EQ(Counters().snapshots_ignored, 2u);
  Snapshot(8);
  EXPECT_EQ(Text(), "(snapshot)(snapshot)|XYhi");
  Snapshot(10);
  EXPECT_EQ(Counters().snapshots_ignored, 3u);
}

TEST_F(FeedHandlerTest, AsksForWhatIsMissingAfterAnOldSnapshot) {
  A(Packet(7, 8));
  Snapshot(5);
  Wait(kPatience);
  EXPECT_EQ(Text(), "(snapshot)|XY(ONE 5..6)");
  Answer(Packet(5, 6));
  EXPECT_EQ(Text(), "(snapshot)|XY(ONE 5..6)efgh");
}

TEST_F(FeedHandlerTest, ANewerSnapshotGoesOnAfterIt) {
  A(Packet(7, 8));
  Snapshot(12);
  A(Packet(9, 12));
  EXPECT_EQ(Text(), "(snapshot)|XYl");
}

TEST_F(FeedHandlerTest, JoinsASessionThatFollows) {
  A(Packet(1, 3));
  A(Packet(1, 2, "TWO"));
  B(Packet(4, 4));  // Of the session before.
  EXPECT_EQ(Text(), "|abc(snapshot)");
  EXPECT_EQ(Counters().of_other_sessions, 1u);
  Snapshot(2, "TWO");
  EXPECT_EQ(Text(), "|abc(snapshot)|XYb");
  Answer(Packet(3, 3));
  EXPECT_EQ(Counters().of_other_sessions, 2u);
  EXPECT_EQ(handler_.session(), "TWO");
  EXPECT_EQ(Counters().sessions, 2u);
}

TEST_F(FeedHandlerTest, NoticesASequenceThatBeginsAgain) {
  constexpr uint64_t kLast = ~uint64_t{0} - 1;
  A(Packet(kLast - 1, kLast));
  Snapshot(kLast);
  A(Packet(1, 2));
  B(Packet(1, 2));
  EXPECT_EQ(Counters().sessions, 2u);
  Snapshot(2);
  const std::string last(1, static_cast<char>('a' + (kLast - 1) % 26));
  EXPECT_EQ(Text(), "(snapshot)|XY" + last + "(snapshot)|XYb");
}

TEST_F(FeedHandlerTest, ALateLineIsNoSequenceThatBeginsAgain) {
  A(Packet(1, 13));
  A(Packet(2, 3));
  B(Packet(1, 13));
  A(Packet(14, 30));
  B(Packet(14, 14));
  EXPECT_EQ(Counters().sessions, 1u);
  EXPECT_EQ(Counters().messages, 30u);
}

TEST_F(FeedHandlerTest, TheEndOfTheSessionIsReachedWhenAllWasGiven) {
  A(Packet(1, 1));
  A(MoldBytes("ONE", 3, 0xffff));
  EXPECT_EQ(State(), FeedHandler::State::kLive);
  B(Packet(2, 2));
  EXPECT_EQ(Text(), "|ab");
  EXPECT_EQ(State(), FeedHandler::State::kEnded);
}

TEST_F(FeedHandlerTest, JoinsAgainWhenTooMuchWaits) {
  A(Packet(1, 1));
  for (uint64_t number = 3; number < 100; ++number) A(Packet(number, number));
  EXPECT_EQ(Text(), "|a(snapshot)");
  for (uint64_t number = 100; number < 300; ++number) A(Packet(number, number));
  Snapshot(298);
  EXPECT_EQ(Text(), "|a(snapshot)|XYlm");
  // What was dropped is asked for.
}

TEST_F(FeedHandlerTest, WithoutSnapshotsItGoesOnWithoutWhatIsLost) {
  FeedHandler::Options options = Options();
  options.has_snapshots = false;
  FeedHandler handler(options, log_);
  handler.TakePacket(FeedLine::kA, AsBytes(Packet(3, 3)), Now());
  handler.TakePacket(FeedLine::kA, AsBytes(Packet(6, 6)), Now());
  for (int i = 0; i < 3; ++i) handler.Tick(SteadyTime::FromNanos(now_ += kPatience));
  EXPECT_EQ(Text(), "|c(ONE 4..5)(ONE 4..5)f");
  EXPECT_EQ(handler.counters().lost, 2u);
  handler.TakePacket(FeedLine::kA, AsBytes(Packet(1, 2, "TWO")), Now());
  EXPECT_EQ(Text(), "|c(ONE 4..5)(ONE 4..5)f|ab");
}

TEST_F(FeedHandlerTest, OtherBytesAreCounted) {
  A("");
  A(std::string(20, '\xff'));
  Answer("x");
  A(Packet(1, 1) + "x");
  EXPECT_EQ(Counters().malformed, 4u);
  EXPECT_EQ(Text(), "");
}

}  // namespace
}  // namespace engine
