// Conversations of several clients, written as their traders would read them.

#include "engine/gateway/native/native_gateway.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/gateway/native/testing/native_stage.h"
#include "engine/gateway/native/testing/native_text.h"
#include "engine/gateway/session_gateway.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/wire/native/frames.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

void ExpectPlayed(absl::string_view script) {
  NativeStage stage;
  EXPECT_EQ(stage.Play(script), script);
}

// The first record is the mass cancel with which COD begins.
TEST(NativeGateway, AnOrderIsAcceptedTradesAndIsCancelled) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
open B
B> login COD cod
B< login accepted account=7 session=1 number=1 oldest=1 next=1
A> new_order id=11 buy quantity=100 price=1000
A> new_order id=12 buy quantity=50 price=1001
release 1
B< #1 mass_cancelled
release
A< #1 accepted id=11 order=2 bid price=1000 quantity=100 waited=1 engine=1
A< #2 accepted id=12 order=3 bid price=1001 quantity=50 waited=1 engine=1
B> new_order id=11 sell quantity=120 price=1000 ioc
release
A< #3 trade order=3 bid price=1001 quantity=50 maker
A< #4 trade order=2 bid price=1000 quantity=70 maker
B< #2 accepted id=11 order=4 ask price=1000 quantity=120 waited=1 engine=1
B< #3 trade id=11 order=4 ask price=1001 quantity=50 taker waited=1 engine=1
B< #4 trade id=11 order=4 ask price=1000 quantity=70 taker waited=1 engine=1
B> new_order id=13 sell quantity=70 price=1001 ioc
A> cancel id=14 order=2
A> cancel id=15 order=2
release
A< #5 cancelled id=14 order=2 bid price=1000 quantity=30 detail=1 waited=1 engine=1
A< #6 rejected id=15 order=2 detail=8 waited=1 engine=1
B< #5 accepted id=13 order=5 ask price=1001 quantity=70 waited=1 engine=1
B< #6 cancelled id=13 order=5 ask price=1001 quantity=70 detail=3 waited=1 engine=1)");
}

// The toy exchange knows neither reduce nor groups.
TEST(NativeGateway, EachCommandOfATraderIsAnswered) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
A> new_order id=1 buy quantity=100 price=1000
A> reduce_to id=2 order=2 quantity=80
A> amend id=3 order=2 quantity=90 price=1002
A> replace id=4 order=2 quantity=70 price=1003
A> set_expiry id=5 order=5 price=7
A> mass_cancel id=6
release
A< #1 accepted id=1 order=2 bid price=1000 quantity=100 waited=1 engine=1
A< #2 reduced id=2 order=2 bid price=1000 quantity=20 waited=1 engine=1
A< #3 amended id=3 order=2 bid price=1002 quantity=90 detail=2 waited=1 engine=1
A< #4 replaced id=4 order=2 bid price=1003 quantity=70 waited=1 engine=1
A< #5 expiry_set id=5 order=5 bid price=1003 waited=1 engine=1
A< #6 cancelled id=6 order=5 bid price=1003 quantity=70 detail=5 waited=1 engine=1
A< #7 mass_cancelled id=6 quantity=1 waited=1 engine=1
A> reduce id=7 order=5 quantity=1
A> define_group id=8 group=1
A> reset_group id=9 group=1
A> trigger_group id=10 group=1
A> delete_group id=11 group=1
release
A< #8 rejected id=7 order=5 detail=1 waited=1 engine=1
A< #9 rejected id=8 detail=1 waited=1 engine=1
A< #10 rejected id=9 detail=1 waited=1 engine=1
A< #11 rejected id=10 detail=1 waited=1 engine=1
A< #12 rejected id=11 detail=1 waited=1 engine=1)");
}

TEST(NativeGateway, WhatIsNoCommandOfATraderIsRefused) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
A> define_market id=1
A< refused reason=1 define_market id=1 market=3
A> advance_time id=2
A< refused reason=1 advance_time id=2 market=3
A> deposit id=3
A< refused reason=1 deposit id=3 market=3
A> halt_exchange id=4
A< refused reason=1 halt_exchange id=4 market=3
A> execute id=5 order=9
A< refused reason=1 execute id=5 order=9 market=3
A> note id=6
A< refused reason=1 note id=6 market=3
A> set_risk_limits id=7
A< refused reason=1 set_risk_limits id=7 market=3
A> suspend_account id=8
A< refused reason=1 suspend_account id=8 market=3
A> new_order id=9 buy quantity=1 price=1
release
A< #1 accepted id=9 order=2 bid price=1 quantity=1 waited=1 engine=1)");
}

TEST(NativeGateway, ALoginMayBeLimitedToItsMarkets) {
  ExpectPlayed(R"(open B
B> login COD cod
B< login accepted account=7 session=1 number=1 oldest=1 next=1
B> new_order id=1 buy quantity=1 price=1 market=4
B< refused reason=2 new_order id=1 market=4
B> cancel id=2 order=1 market=4
B< refused reason=2 cancel id=2 order=1 market=4
B> mass_cancel id=3 market=4
B< refused reason=2 mass_cancel id=3 market=4
B> mass_cancel id=4 market=0
B> define_group id=5 group=1 market=4
B> new_order id=6 buy quantity=1 price=1
release
B< #1 mass_cancelled
B< #2 mass_cancelled id=4 waited=1 engine=1
B< #3 rejected id=5 detail=1 waited=1 engine=1
B< #4 accepted id=6 order=4 bid price=1 quantity=1 waited=1 engine=1)");
}

TEST(NativeGateway, TimesAreThoseOfTheOwnCommand) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
open B
B> login COD cod
B< login accepted account=7 session=1 number=1 oldest=1 next=1
A> new_order id=11 buy quantity=100 price=1000
B> new_order id=12 sell quantity=100 price=1000
release
A< #1 accepted id=11 order=2 bid price=1000 quantity=100 waited=1 engine=1
A< #2 trade order=2 bid price=1000 quantity=100 maker
B< #1 mass_cancelled
B< #2 accepted id=12 order=3 ask price=1000 quantity=100 waited=1 engine=1
B< #3 trade id=12 order=3 ask price=1000 quantity=100 taker waited=1 engine=1
close B
open B
B> login COD cod number=1
B< login accepted account=7 session=1 number=1 oldest=1 next=4
B< #1 mass_cancelled
B< #2 accepted id=12 order=3 ask price=1000 quantity=100 waited=1 engine=1
B< #3 trade id=12 order=3 ask price=1000 quantity=100 taker waited=1 engine=1)");
}

TEST(NativeGateway, AllConnectionsOfAnAccountHaveItsStream) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
open B
B> login MATE mate
B< login accepted account=6 session=1 number=1 oldest=1 next=1
A> new_order id=11 buy quantity=100 price=1000
B> new_order id=21 sell quantity=30 price=1000
release
A< #1 accepted id=11 order=2 bid price=1000 quantity=100 waited=1 engine=1
A< #2 accepted id=21 order=3 ask price=1000 quantity=30 waited=1 engine=1
A< #3 trade id=21 order=2 bid price=1000 quantity=30 maker waited=1 engine=1
A< #4 trade id=21 order=3 ask price=1000 quantity=30 taker waited=1 engine=1
B< #1 accepted id=11 order=2 bid price=1000 quantity=100 waited=1 engine=1
B< #2 accepted id=21 order=3 ask price=1000 quantity=30 waited=1 engine=1
B< #3 trade id=21 order=2 bid price=1000 quantity=30 maker waited=1 engine=1
B< #4 trade id=21 order=3 ask price=1000 quantity=30 taker waited=1 engine=1
B> cancel id=22 order=2
release
A< #5 cancelled id=22 order=2 bid price=1000 quantity=70 detail=1 waited=1 engine=1
B< #5 cancelled id=22 order=2 bid price=1000 quantity=70 detail=1 waited=1 engine=1)");
}

TEST(NativeGateway, AStreamIsReadFromAnyNumberAlsoAfterAKill) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
A> new_order id=11 buy quantity=100 price=1000
A> cancel id=12 order=2
release
A< #1 accepted id=11 order=2 bid price=1000 quantity=100 waited=1 engine=1
A< #2 cancelled id=12 order=2 bid price=1000 quantity=100 detail=1 waited=1 engine=1
close A
open A
A> login ONE one number=2 session=1
A< login accepted account=6 session=1 number=2 oldest=1 next=3
A< #2 cancelled id=12 order=2 bid price=1000 quantity=100 detail=1 waited=1 engine=1
A> new_order id=13 buy quantity=1 price=1
close A
restart
open A
A> login ONE one number=1 session=1
A< login accepted account=6 session=1 number=1 oldest=1 next=4
A< #1 accepted id=11 order=2 bid price=1000 quantity=100
A< #2 cancelled id=12 order=2 bid price=1000 quantity=100 detail=1
A< #3 accepted id=13 order=4 bid price=1 quantity=1
A> new_order id=14 buy quantity=1 price=2
release
A< #4 accepted id=14 order=6 bid price=2 quantity=1 waited=1 engine=1)");
}

TEST(NativeGateway, WrongLoginsAreRefused) {
  ExpectPlayed(R"(open A
A> login ONE one number=2
A< login refused reason=4 session=1 oldest=1 next=1
A< over
open A
A> login ONE two
A< login refused reason=1
A< over
open A
A> login NONE one
A< login refused reason=1
A< over
open A
A> login ONE one version=2
A< login refused reason=1
A< over
open A
A> login ONE one session=2
A< login refused reason=2 session=1 oldest=1 next=1
A< over
open A
A> login ONE one number=-1
A< login refused reason=4 session=1 oldest=1 next=1
A< over
open A
A> logout
A< ended reason=2 next=0
A< over
open A
A> heartbeat
A< ended reason=2 next=0
A< over
open A
A> new_order id=1 buy quantity=1 price=1
A< ended reason=2 next=0
A< over
open A
A> frame 255
A< ended reason=2 next=0
A< over
open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
A> login ONE one
A< ended reason=2 next=1
A< over
open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
A> frame 19
A< ended reason=2 next=1
A< over
open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
A> frame 0
A< ended reason=2 next=1
A< over)");
}

TEST(NativeGateway, TheLatestConnectionHasTheLogin) {
  ExpectPlayed(R"(open A
A> login COD cod
A< login accepted account=7 session=1 number=1 oldest=1 next=1
A> new_order id=1 buy quantity=1 price=1
release
A< #1 mass_cancelled
A< #2 accepted id=1 order=2 bid price=1 quantity=1 waited=1 engine=1
open B
B> login COD cod
A< ended reason=4 next=3
A< over
B< login accepted account=7 session=1 number=3 oldest=1 next=3
B> new_order id=2 buy quantity=1 price=1
release
B< #3 cancelled order=2 bid price=1 quantity=1 detail=5
B< #4 mass_cancelled quantity=1
B< #5 accepted id=2 order=4 bid price=1 quantity=1 waited=1 engine=1
close B
release
open A
A> login COD cod number=1
A< login accepted account=7 session=1 number=1 oldest=1 next=8
A< #1 mass_cancelled
A< #2 accepted id=1 order=2 bid price=1 quantity=1 waited=1 engine=1
A< #3 cancelled order=2 bid price=1 quantity=1 detail=5
A< #4 mass_cancelled quantity=1
A< #5 accepted id=2 order=4 bid price=1 quantity=1 waited=1 engine=1
A< #6 cancelled order=4 bid price=1 quantity=1 detail=5
A< #7 mass_cancelled quantity=1)");
}

// Also after a kill.
TEST(NativeGateway, ALoginThatCancelsDoesSoBeforeItSendsAnythingElse) {
  ExpectPlayed(R"(open A
A> login COD cod
A< login accepted account=7 session=1 number=1 oldest=1 next=1
A> new_order id=1 buy quantity=1 price=1
release
A< #1 mass_cancelled
A< #2 accepted id=1 order=2 bid price=1 quantity=1 waited=1 engine=1
restart
open A
A> login COD cod number=1
A< login accepted account=7 session=1 number=1 oldest=1 next=3
A< #1 mass_cancelled
A< #2 accepted id=1 order=2 bid price=1 quantity=1
A> new_order id=2 buy quantity=1 price=2
release
A< #3 cancelled order=2 bid price=1 quantity=1 detail=5
A< #4 mass_cancelled quantity=1
A< #5 accepted id=2 order=4 bid price=2 quantity=1 waited=1 engine=1
A> logout
A< ended reason=1 next=6
A< over
release
open A
A> login COD cod number=4
A< login accepted account=7 session=1 number=4 oldest=1 next=8
A< #4 mass_cancelled quantity=1
A< #5 accepted id=2 order=4 bid price=2 quantity=1 waited=1 engine=1
A< #6 cancelled order=4 bid price=2 quantity=1 detail=5
A< #7 mass_cancelled quantity=1)");
}

// What the connection before has left is cancelled first, also if both come in one read.
TEST(NativeGateway, OrdersThatComeWithALoginStay) {
  NativeStage stage;
  stage.Play("open A\nA> login COD cod\nA> new_order id=1 buy quantity=1 price=1\nrelease\nopen B");
  stage.Send('B', absl::StrCat(NativeBytes("login COD cod"),
                               NativeBytes("new_order id=2 buy quantity=1 price=1")));
  EXPECT_EQ(stage.Play("release"), R"(release
A< ended reason=4 next=3
A< over
B< login accepted account=7 session=1 number=3 oldest=1 next=3
B< #3 cancelled order=2 bid price=1 quantity=1 detail=5
B< #4 mass_cancelled quantity=1
B< #5 accepted id=2 order=4 bid price=1 quantity=1 waited=1 engine=1)");
}

TEST(NativeGateway, BothSidesSendHeartbeats) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted account=6 session=1 number=1 oldest=1 next=1
wait 0.9
wait 0.2
A< heartbeat next=1
A> new_order id=1 buy quantity=1 price=1
release
A< #1 accepted id=1 order=2 bid price=1 quantity=1 waited=1 engine=1
wait 0.9
wait 0.2
A< heartbeat next=2
A> heartbeat
wait 0
wait 14.9
A< heartbeat next=2
wait 0.2
A< ended reason=3 next=2
A< over)");
}

// By the numbers of PROTOCOL.md.
TEST(NativeGateway, TheCommandsOfATraderAreThoseOfTheSpecification) {
  const std::vector<int> expected = {2, 3, 4, 5, 6, 8, 9, 23, 24, 29, 30, 31};
  std::vector<int> taken;
  for (int kind = 0; kind < 256; ++kind) {
    NativeStage stage;
    stage.Connect('A');
    stage.Send('A', NativeBytes("login ONE one"));
    const size_t before = stage.exchange.commands().size();
    Command command;
    command.kind = static_cast<CommandKind>(kind);
    stage.Send('A', AsText(AsBytes(native::FrameOf(command))));
    if (stage.exchange.commands().size() > before) taken.push_back(kind);
  }
  EXPECT_EQ(taken, expected);
}

// A client with an account and a place in its stream.
class NativeClient : public testing::Test {
 protected:
  NativeClient() { stage_.Play("open A\nA> login ONE one"); }

  NativeStage stage_;
};

TEST_F(NativeClient, FramesThatArriveTogetherWaitForEachOther) {
  stage_.Send('A', absl::StrCat(NativeBytes("cancel id=1"), NativeBytes("cancel id=2"),
                                NativeBytes("cancel id=3")));
  EXPECT_EQ(stage_.Play("release"), R"(release
A< #1 rejected id=1 detail=8 waited=1 engine=1
A< #2 rejected id=2 detail=8 waited=3 engine=1
A< #3 rejected id=3 detail=8 waited=5 engine=1)");
}

TEST_F(NativeClient, AFrameMayArriveInPieces) {
  const std::string frames = NativeBytes("cancel id=1") + NativeBytes("cancel id=2");
  for (const char byte : frames) stage_.Send('A', std::string(1, byte));
  stage_.Send('A', NativeBytes("cancel id=3").substr(0, native::kFrameBytes - 1));
  EXPECT_EQ(stage_.Play("release"), R"(release
A< #1 rejected id=1 detail=8 waited=1 engine=1
A< #2 rejected id=2 detail=8 waited=1 engine=1)");
}

// The venue alone says whose a command is.
TEST_F(NativeClient, AnAccountInAFrameIsNotRead) {
  std::string frame = NativeBytes("new_order id=1 buy quantity=1 price=1");
  frame.replace(1, 15, 15, '\xff');
  frame.replace(48, 4, 4, '\xff');
  stage_.Send('A', frame);
  EXPECT_EQ(stage_.Play("release"), R"(release
A< #1 accepted id=1 order=2 bid price=1 quantity=1 waited=1 engine=1)");
}

TEST_F(NativeClient, NumbersOfAnotherSessionAreRefused) {
  stage_.session = 2;
  EXPECT_EQ(stage_.Play("restart\nopen B\nB> login ONE one session=1\nopen B\nB> login ONE one"),
            R"(restart
open B
B> login ONE one session=1
B< login refused reason=2 session=2 oldest=1 next=1
B< over
open B
B> login ONE one
B< login accepted account=6 session=2 number=1 oldest=1 next=1)");
}

TEST_F(NativeClient, AFullDiskRefuses) {
  stage_.Play("open B\nB> login COD cod\nB> new_order buy quantity=1 price=1\nrelease");
  stage_.exchange.SetDiskFull(true);
  EXPECT_EQ(stage_.Play("A> new_order id=1 buy quantity=1 price=1\nclose B\nopen B\nB> login COD "
                        "cod\nwait 1"),
            R"(A> new_order id=1 buy quantity=1 price=1
A< refused reason=3 new_order id=1 market=3
close B
open B
B> login COD cod
B< login refused reason=5 session=1 oldest=1 next=3
B< over
wait 1
A< heartbeat next=1)");
  EXPECT_FALSE(stage_.gateway->has_work());  // Until there is space.
  stage_.exchange.SetDiskFull(false);
  EXPECT_EQ(stage_.Play("wait 0\nrelease\nopen B\nB> login COD cod number=3"), R"(wait 0
release
open B
B> login COD cod number=3
B< login accepted account=7 session=1 number=3 oldest=1 next=5
B< #3 cancelled order=2 bid price=1 quantity=1 detail=5
B< #4 mass_cancelled quantity=1)");
}

TEST_F(NativeClient, ABrokenJournalEndsAll) {
  stage_.exchange.Break();
  EXPECT_FALSE(
      stage_.gateway->OnBytes(stage_.SessionOf('A'), AsBytes(NativeBytes("cancel id=1"))).ok());
}

// It is read on when it has read, and loses nothing.
TEST(NativeGateway, AClientThatReadsNothingIsNotRead) {
  NativeStage stage(0);
  stage.Connect('A');
  stage.Send('A', NativeBytes("login ONE one"));
  stage.Deliver();
  std::string flood;
  for (size_t i = 0; i < NativeGateway::kUnreadMax + 10; ++i) flood += NativeBytes("cancel id=1");
  const SessionId id = stage.SessionOf('A');
  CHECK_OK(stage.gateway->OnBytes(id, AsBytes(flood)));
  EXPECT_TRUE(stage.gateway->is_full(id));
  EXPECT_EQ(stage.exchange.commands().size(), 1 + NativeGateway::kUnreadMax);
  stage.Deliver();
  EXPECT_FALSE(stage.gateway->is_full(id));
  CHECK_OK(stage.gateway->Continue(id));
  stage.Deliver();
  EXPECT_EQ(stage.ReceiverOf('A').events().size(), NativeGateway::kUnreadMax + 10);
}

// Refusals are kept by the connection.
TEST(NativeGateway, AClientThatReadsNoRefusalsIsNotRead) {
  NativeStage stage;
  stage.Connect('A');
  stage.Send('A', NativeBytes("login ONE one"));
  stage.Deliver();
  std::string flood;
  for (size_t i = 0; i < NativeGateway::kUnreadMax + 10; ++i) flood += NativeBytes("note id=1");
  const SessionId id = stage.SessionOf('A');
  CHECK_OK(stage.gateway->OnBytes(id, AsBytes(flood)));
  EXPECT_TRUE(stage.gateway->is_full(id));
  stage.Deliver();
  EXPECT_FALSE(stage.gateway->is_full(id));
  CHECK_OK(stage.gateway->Continue(id));
  EXPECT_FALSE(stage.gateway->is_full(id));
}

// The events of others reach it also.
TEST(NativeGateway, WhatIsNoLongerKeptEndsASlowClientAndIsRefused) {
  NativeOptions options = NativeStage::Options();
  options.events_kept = 100;
  NativeStage stage(0, std::move(options));
  stage.Play("open A\nA> login ONE one\nopen B\nB> login MATE mate");
  for (int i = 0; i < 5'000; ++i) {
    stage.Send('B', NativeBytes("cancel id=1"));
    stage.Deliver("A");
  }
  EXPECT_EQ(stage.ReceiverOf('B').events().size(), 5'000u);
  EXPECT_FALSE(stage.IsConnected('A'));
  stage.Play("release");
  const std::string refused = stage.Play("open A\nA> login ONE one number=1");
  EXPECT_TRUE(absl::StrContains(refused, "login refused reason=3 session=1 oldest=3073 next=5001"))
      << refused;
  stage.Play("open A\nA> login ONE one number=3073");
  EXPECT_EQ(stage.ReceiverOf('A').events().size(), 1'928u);
}

}  // namespace
}  // namespace engine
