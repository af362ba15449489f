// Conversations of several clients, written as their traders would read them.

#include "engine/gateway/ouch/ouch_gateway.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/ouch/testing/ouch_stage.h"
#include "engine/gateway/ouch/testing/ouch_text.h"
#include "engine/gateway/session_gateway.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/kinds.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

void ExpectPlayed(absl::string_view script) {
  OuchStage stage;
  EXPECT_EQ(stage.Play(script), script);
}

TEST(OuchGateway, AnOrderIsAcceptedTradesAndIsCancelled) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
open B
B> login cod COD
B< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
A> enter T2 B 50 ACME 100100 tif=10 firm=FIRM display=A capacity=P sweep=Y customer=R
release 1
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
release
A< #3 accepted T2 B 50 ACME @ 10.0100 tif=10 firm=FIRM display=A order=3 state=L
B> enter T1 S 120 ACME 100000 tif=0
release
A< #4 executed T2 50 @ 10.0100 A match=4.1
A< #5 executed T1 70 @ 10.0000 A match=4.2
B< #2 accepted T1 S 120 ACME @ 10.0000 tif=0 firm=CODS display=Y order=4 state=L
B< #3 executed T1 50 @ 10.0100 R match=4.1
B< #4 executed T1 70 @ 10.0000 R match=4.2
B> enter T2 E 40 ACME 100000 tif=0
release
A< #6 executed T1 30 @ 10.0000 A match=5.1
B< #5 accepted T2 E 40 ACME @ 10.0000 tif=0 firm=CODS display=Y order=5 state=L
B< #6 executed T2 30 @ 10.0000 R match=5.1
B< #7 cancelled T2 10 I
A> cancel T1 0
release
A> cancel T1 0
A> cancel T9 0
release)");
}

TEST(OuchGateway, SharesOfACancelCountWhatHasExecuted) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
open B
B> login COD cod
B< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
B> enter T1 S 30 ACME 100000 tif=0
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 executed T1 30 @ 10.0000 A match=3.1
B< #2 accepted T1 S 30 ACME @ 10.0000 tif=0 firm=CODS display=Y order=3 state=L
B< #3 executed T1 30 @ 10.0000 R match=3.1
A> cancel T1 100
A> cancel T1 60
release
A< #4 cancelled T1 40 U
A> cancel T1 30
release
A< #5 cancelled T1 30 U)");
}

TEST(OuchGateway, AReplaceCountsWhatHasExecuted) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
open B
B> login COD cod
B< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
B> enter T1 S 30 ACME 100000 tif=0
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 executed T1 30 @ 10.0000 A match=3.1
B< #2 accepted T1 S 30 ACME @ 10.0000 tif=0 firm=CODS display=Y order=3 state=L
B< #3 executed T1 30 @ 10.0000 R match=3.1
A> replace T1 T2 100 100100
release
A< #4 replaced T1 by T2 B 70 ACME @ 10.0100 tif=99999 firm=FIRM display=Y order=4 state=L
B> enter T2 S 20 ACME 100000 tif=0
release
A< #5 executed T2 20 @ 10.0100 A match=5.1
B< #4 accepted T2 S 20 ACME @ 10.0000 tif=0 firm=CODS display=Y order=5 state=L
B< #5 executed T2 20 @ 10.0100 R match=5.1
A> replace T2 T3 50 100200
release
A< #6 cancelled T2 50 U)");
}

TEST(OuchGateway, ASuperfluousReplaceIsIgnoredAndUsesNoToken) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
A> replace T9 T2 100 100100
A> replace T1 T1 100 100100
A> cancel T1 0
A> replace T1 T2 100 100100
A> enter T2 B 5 ACME 100000
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 cancelled T1 100 U
A< #4 accepted T2 B 5 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=4 state=L)");
}

TEST(OuchGateway, AnInvalidReplaceCancelsTheOrderAndUsesNoToken) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
A> replace T1 R 100 100001
A> enter T2 B 100 ACME 100000
A> replace T2 R 100 100000 display=N
A> enter T3 B 100 ACME 100000
A> replace T3 R 100 100000 tif=0
A> enter T4 B 100 ACME 100000
A> replace T4 R 100 100000 tif=99998
A> enter T5 B 100 ACME 100000 display=P
A> replace T5 R 100 100000 display=A
A> enter T6 B 100 ACME 100000
A> replace T6 R 100 market
A> enter T7 B 100 ACME 100000
A> replace T7 R 100 100000 min=1
A> enter R B 100 ACME 100000
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 cancelled T1 100 U
A< #4 accepted T2 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=4 state=L
A< #5 cancelled T2 100 U
A< #6 accepted T3 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=6 state=L
A< #7 cancelled T3 100 U
A< #8 accepted T4 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=8 state=L
A< #9 cancelled T4 100 U
A< #10 accepted T5 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=P order=10 state=L
A< #11 cancelled T5 100 U
A< #12 accepted T6 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=12 state=L
A< #13 cancelled T6 100 U
A< #14 accepted T7 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=14 state=L
A< #15 cancelled T7 100 U
A< #16 accepted R B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=16 state=L)");
}

TEST(OuchGateway, AReplaceMayGiveAnotherTimeInForce) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000 tif=10
A> replace T1 T2 100 100000 tif=20
A> replace T2 T3 100 100000
A> replace T3 T4 90 100000 tif=99999 display=A
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=10 firm=FIRM display=Y order=2 state=L
A< #3 replaced T1 by T2 B 100 ACME @ 10.0000 tif=20 firm=FIRM display=Y order=4 state=L
A< #4 replaced T2 by T3 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=6 state=L
A< #5 replaced T3 by T4 B 90 ACME @ 10.0000 tif=99999 firm=FIRM display=A order=7 state=L)");
}

TEST(OuchGateway, TokensAreUniqueInAFirm) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
open M
M> login MATE mate
M< login accepted 261128HWG0 2
open B
B> login COD cod
B< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
M> enter T1 B 200 ACME 100000
M> cancel T1 0
M> enter T2 B 200 NONE 100000
A> enter T2 B 300 ACME 100000
B> enter T1 B 400 ACME 90000
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
B< #2 accepted T1 B 400 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=4 state=L
M< #2 rejected T2 S)");
}

TEST(OuchGateway, FieldsAreValidated) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter S1 B 100 NONE 100000
A> enter S2 B 100 OTHER 100000
A> enter F1 B 100 ACME 100000 firm=CODS
A> enter D1 B 100 ACME 100000 display=N
A> enter X1 B 100 ACME 100001
A> enter X2 B 100 ACME market
A> enter R1 B 100 ACME 100000 cross=O
A> enter N1 B 100 ACME 100000 min=10
A> enter N2 B 100 ACME 100000 min=10 tif=0
A> enter N3 B 100 ACME 100000 min=100 tif=0
A> enter O1 Q 100 ACME 100000
A> enter O2 B 100 ACME 100000 capacity=Z
A> enter O3 B 100 ACME 100000 sweep=X
A> enter O4 B 100 ACME 100000 customer=X
A> enter O5 B 100 ACME 100000 tif=100000
A> enter O6 B 0 ACME 100000
A> enter M1 B 100 ACME market tif=0
release
A< #2 rejected S1 S
A< #3 rejected S2 S
A< #4 rejected F1 L
A< #5 rejected D1 D
A< #6 rejected X1 X
A< #7 rejected X2 X
A< #8 rejected R1 R
A< #9 rejected N1 N
A< #10 rejected N2 N
A< #11 accepted N3 B 100 ACME @ 10.0000 tif=0 firm=FIRM display=Y order=11 state=L
A< #12 cancelled N3 100 I
A< #13 rejected O1 O
A< #14 rejected O2 O
A< #15 rejected O3 O
A< #16 rejected O4 O
A< #17 rejected O5 O
A< #18 rejected O6 O
A< #19 accepted M1 B 100 ACME @ 214748.3647 tif=0 firm=FIRM display=Y order=18 state=L
A< #20 cancelled M1 100 I)");
}

TEST(OuchGateway, ASaleIsModified) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 S 100 ACME 100000
A> modify T1 T 100
A> modify T1 T 100
A> modify T1 E 60
A> modify T1 E 61
A> modify T1 B 60
A> modify T1 E 0
A> modify T9 S 1
A> replace T1 T2 60 100000
release
A< #2 accepted T1 S 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 modified T1 T 100
A< #4 modified T1 E 60
A< #5 replaced T1 by T2 E 60 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=5 state=L)");
}

TEST(OuchGateway, ALoginIsRefused) {
  ExpectPlayed(R"(open A
A> login ONE two
A< login rejected A
A< over
open A
A> login NONE one
A< login rejected A
A< over
open A
A> login ONE one YESTERDAY
A< login rejected S
A< over
open A
A> login ONE one - 3
A< login rejected S
A< over
open A
A> heartbeat
A< over
open A
A> enter T1 B 100 ACME 100000
A< over
open A
A> packet L short
A< login rejected A
A< over
open A
A> login ONE one - 2
A< login accepted 261128HWG0 2
open B
B> login ONE one - 1
A< over
B< login accepted 261128HWG0 1
B< #1 system S)");
}

TEST(OuchGateway, TheLatestConnectionHasTheLogin) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
open B
B> login ONE one
A< over
B< login accepted 261128HWG0 2
release
B< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L)");
}

TEST(OuchGateway, AClientThatReconnectsReadsTheSameMessages) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
A> enter T2 B 100 NONE 100000
A> enter T3 B 100 ACME 100000
release 2
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 rejected T2 S
close A
open A
A> login ONE one - 2
A< login accepted 261128HWG0 2
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 rejected T2 S
release
A< #4 accepted T3 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=4 state=L
close A
restart
open A
A> login ONE one - 1
A< login accepted 261128HWG0 1
A< #1 system S
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 rejected T2 S
A< #4 accepted T3 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=4 state=L
A> cancel T1 0
release
A< #5 cancelled T1 100 U)");
}

TEST(OuchGateway, CancelOnDisconnectIsOfTheLogin) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
open B
B> login COD cod
B< login accepted 261128HWG0 2
B> enter T1 B 100 ACME 90000
B> enter T2 B 100 ACME 90000
B> cancel T2 0
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
B< #2 accepted T1 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=3 state=L
B< #3 accepted T2 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=4 state=L
B< #4 cancelled T2 100 U
close A
close B
release
open A
A> login ONE one - 1
A< login accepted 261128HWG0 1
A< #1 system S
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
open B
B> login COD cod - 1
B< login accepted 261128HWG0 1
B< #1 system S
B< #2 accepted T1 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=3 state=L
B< #3 accepted T2 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=4 state=L
B< #4 cancelled T2 100 U
B< #5 cancelled T1 100 S
B> enter T3 B 100 ACME 90000
release
B< #6 accepted T3 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=7 state=L
B> logout
B< over
release
open B
B> login COD cod - 6
B< login accepted 261128HWG0 6
B< #6 accepted T3 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=7 state=L
B< #7 cancelled T3 100 S
B> enter T4 B 100 ACME 90000
release
B< #8 accepted T4 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=9 state=L
restart
open B
B> login COD cod - 8
B< login accepted 261128HWG0 8
B< #8 accepted T4 B 100 ACME @ 9.0000 tif=99999 firm=CODS display=Y order=9 state=L
release
B< #9 cancelled T4 100 S)");
}

TEST(OuchGateway, HeartbeatsAndSilence) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
wait 0.9
wait 0.1
A< heartbeat
wait 1
A< heartbeat
A> enter T1 B 100 ACME 100000
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
wait 0.9
wait 0.2
A< heartbeat
wait 12.8
A< heartbeat
A> heartbeat
wait 0.1
wait 14
A< heartbeat
wait 1
A< over)");
}

TEST(OuchGateway, ADayEndsAndAnotherBegins) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
A> enter T2 B 100 ACME 100000
A> cancel T2 0
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 accepted T2 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=3 state=L
A< #4 cancelled T2 100 U
wait 34199
A< heartbeat
A> heartbeat
wait 1
A< heartbeat
release
A< #5 cancelled T1 100 T
A< #6 system E
A< end of session
A< over
open A
A> login ONE one
A< login accepted 2611290000 2
A> enter T1 B 100 ACME 100000
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=7 state=L
close A
restart
open A
A> login ONE one - 1
A< login accepted 2611290000 1
A< #1 system S
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=7 state=L
open B
B> login ONE one 261128SCW0 1
B< login rejected S
B< over)");
}

TEST(OuchGateway, PacketsOfNoClientEndTheConnection) {
  ExpectPlayed(R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> debug hello
A> packet S x
A< over
open A
A> login ONE one
A< login accepted 261128HWG0 2
A> login ONE one
A< over
open A
A> login ONE one
A< login accepted 261128HWG0 2
A> packet U Zzz
A< over
open A
A> login ONE one
A< login accepted 261128HWG0 2
A> packet U
A< over)");
}

// Another client of the account and an operator may act on the orders, and the exchange refuse.
class OuchOthers : public testing::Test {
 protected:
  OuchOthers() { stage_.Play("open A\nA> login ONE one"); }

  void Submit(Command command) {
    command.account = AccountId(6);
    command.market = MarketId(3);
    ASSERT_TRUE(stage_.venue->Submit(command, {}, Origin()).ok());
  }
  static Command CommandOf(CommandKind kind, uint64_t order, int64_t price, uint64_t quantity) {
    Command command;
    command.kind = kind;
    command.order_id = OrderId(order);
    command.price = Price::FromUnits(price);
    command.quantity = Quantity::FromUnits(quantity);
    return command;
  }

  OuchStage stage_;
};

TEST_F(OuchOthers, AreSeenInTheStream) {
  stage_.Play(
      "A> enter T1 B 100 ACME 100000\nA> enter T2 B 100 ACME 100000\n"
      "A> enter T3 B 100 ACME 100000\nA> enter T4 B 100 ACME 100000");
  Submit(CommandOf(CommandKind::kReduceTo, 2, 0, 60));
  Submit(CommandOf(CommandKind::kAmend, 2, 999, 50));
  Submit(CommandOf(CommandKind::kAmend, 2, 999, 80));
  Submit(CommandOf(CommandKind::kCancel, 3, 0, 0));
  Submit(CommandOf(CommandKind::kReplace, 4, 1001, 70));
  Submit(CommandOf(CommandKind::kMassCancel, 0, 0, 0));
  EXPECT_EQ(stage_.Play("release"), R"(release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
A< #3 accepted T2 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=3 state=L
A< #4 accepted T3 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=4 state=L
A< #5 accepted T4 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=5 state=L
A< #6 cancelled T1 40 S
A< #7 cancelled T1 10 S
A< #8 priority T1 @ 9.9900 Y order=2
A< #9 cancelled T2 100 S
A< #10 cancelled T3 100 S
A< #11 cancelled T4 100 S
A< #12 cancelled T1 80 S)");
}

TEST_F(OuchOthers, TheExchangeMayRefuse) {
  const auto refuse = [&](RejectReason reason, absl::string_view request) {
    stage_.exchange.RefuseNext(reason);
    stage_.Play(absl::StrCat("A> ", request));
  };
  refuse(RejectReason::kMarketPaused, "enter E1 B 100 ACME 100000");
  refuse(RejectReason::kMarketNotOpen, "enter E2 B 100 ACME 100000");
  refuse(RejectReason::kPriceOutOfBand, "enter E3 B 100 ACME 100000");
  refuse(RejectReason::kQuantityAboveMaximum, "enter E4 B 100 ACME 100000");
  refuse(RejectReason::kAccountSuspended, "enter E5 B 100 ACME 100000");
  refuse(RejectReason::kNone, "enter E1 B 100 ACME 100000");  // Its token is used.
  refuse(RejectReason::kNone, "enter T1 B 100 ACME 100000");
  refuse(RejectReason::kExchangeHalted, "cancel T1 0");
  refuse(RejectReason::kExchangeHalted, "replace T1 T2 100 100000");
  refuse(RejectReason::kExchangeHalted, "modify T1 B 50");
  refuse(RejectReason::kMarketPaused, "replace T1 T2 100 100000");
  EXPECT_EQ(stage_.Play("release"), R"(release
A< #2 rejected E1 H
A< #3 rejected E2 C
A< #4 rejected E3 X
A< #5 rejected E4 Z
A< #6 rejected E5 O
A< #7 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=7 state=L
A< #8 cancel_rejected T1
A< #9 rejected T2 H
A< #10 cancelled T1 100 U)");
}

// A refusal would need a record, which the disk does not take.
TEST_F(OuchOthers, AFullDiskDropsRequests) {
  stage_.Play("A> enter T1 B 100 ACME 100000\nrelease");
  stage_.exchange.SetDiskFull(true);
  EXPECT_EQ(stage_.Play("A> enter T2 B 100 ACME 100000\nA> enter T3 B 1 NONE 1\nrelease"),
            "A> enter T2 B 100 ACME 100000\nA> enter T3 B 1 NONE 1\nrelease");
  stage_.Play("A> replace T1 T4 100 100000\nA> cancel T1 0\nwait 40000");
  stage_.exchange.SetDiskFull(false);
  EXPECT_EQ(stage_.Play("A> enter T2 B 100 ACME 100000\nrelease"),
            R"(A> enter T2 B 100 ACME 100000
release
A< #3 accepted T2 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=3 state=L)");
  EXPECT_EQ(stage_.Play("wait 1.5\nrelease"), R"(wait 1.5
A< heartbeat
release
A< #4 cancelled T1 100 T
A< #5 cancelled T2 100 T
A< #6 system E
A< end of session
A< over)");
}

// Nothing can be cancelled in a halt, so the day ends after it.
TEST_F(OuchOthers, AHaltProlongsTheDay) {
  stage_.Play("A> enter T1 B 100 ACME 100000\nA> enter T2 B 100 ACME 100000\nrelease");
  stage_.exchange.RefuseNext(RejectReason::kExchangeHalted);
  stage_.Play("wait 40000");
  const size_t commands = stage_.exchange.commands().size();
  EXPECT_EQ(stage_.Play("wait 0.5\nrelease"), "wait 0.5\nrelease");
  EXPECT_EQ(stage_.exchange.commands().size(), commands);
  EXPECT_EQ(stage_.Play("wait 0.5\nrelease"), R"(wait 0.5
A< heartbeat
release
A< #4 cancelled T1 100 T
A< #5 cancelled T2 100 T
A< #6 system E
A< end of session
A< over)");
}

TEST_F(OuchOthers, ABrokenJournalEndsAll) {
  stage_.exchange.Break();
  EXPECT_FALSE(
      stage_.gateway
          ->OnBytes({.place = 0, .generation = 1}, AsBytes(OuchBytes("enter T1 B 100 ACME 100000")))
          .ok());
}

// It is read on when it has read, and loses nothing.
TEST(OuchGateway, AClientThatReadsNothingIsNotRead) {
  OuchStage stage(0);
  stage.Connect('A');
  stage.Send('A', OuchBytes("login ONE one"));
  stage.Deliver();
  const SessionId session = stage.SessionOf('A');
  size_t sent = 0;
  const auto request = [&] { return OuchBytes(absl::StrCat("enter ", ++sent, " B 1 NONE 1")); };
  while (!stage.gateway->is_full(session)) {
    stage.Send('A', absl::StrCat(request(), request()));
    ASSERT_LT(sent, 500'000u);
  }
  stage.Deliver(/*silent=*/"A");
  EXPECT_TRUE(stage.gateway->is_full(session));
  EXPECT_TRUE(stage.gateway->has_held(session));
  stage.Deliver();
  EXPECT_FALSE(stage.gateway->is_full(session));
  ASSERT_TRUE(stage.gateway->Continue(session).ok());
  stage.Deliver();
  EXPECT_EQ(stage.ReceiverOf('A').messages().size(), sent);
  EXPECT_GT(sent, OuchGateway::kUnreadBytesMax / 30);
  EXPECT_FALSE(stage.gateway->has_held(session));
}

TEST(OuchGateway, WhatMayBeLostIsOfAnotherSession) {
  OuchStage stage(1'000, /*may_lose_tail=*/true);
  EXPECT_EQ(stage.Play(R"(open A
A> login ONE one
A> enter T1 B 100 ACME 100000
release
restart
open A
A> login ONE one 261128HWG0 3
open A
A> login ONE one - 1
A> enter T1 B 100 ACME 100000
A> cancel T1 0
release)"),
            R"(open A
A> login ONE one
A< login accepted 261128HWG0 2
A> enter T1 B 100 ACME 100000
release
A< #2 accepted T1 B 100 ACME @ 10.0000 tif=99999 firm=FIRM display=Y order=2 state=L
restart
open A
A> login ONE one 261128HWG0 3
A< login rejected S
A< over
open A
A> login ONE one - 1
A< login accepted 261128HWG1 1
A< #1 system S
A> enter T1 B 100 ACME 100000
A> cancel T1 0
release
A< #2 cancelled T1 100 U)");
}

}  // namespace
}  // namespace engine
