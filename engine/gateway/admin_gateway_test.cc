// Conversations of operators with a venue.

#include "engine/gateway/admin_gateway.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/testing/script_player.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/venue.h"
#include "engine/messages/command.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// A venue with operators and no other clients.
class Stage {
 public:
  explicit Stage(size_t waiting_max = 10'000, const std::string& token = "5ecret")
      : exchange(waiting_max), gateway(venue, markets, token) {
    exchange.ListenWith(&venue);
    venue.Connect(exchange);
  }

  std::string Play(absl::string_view script) { return player.Play(script); }
  SessionId SessionOf(char name) const { return player.SessionOf(name); }

  // What A receives for bytes, in pieces of this size. All is released and taken after each.
  std::string Send(absl::string_view bytes, size_t piece_bytes) {
    std::string replies;
    for (size_t at = 0; at < bytes.size(); at += piece_bytes) {
      const std::string piece(bytes.substr(at, piece_bytes));
      absl::Status status = gateway.OnBytes(SessionOf('A'), AsBytes(piece));
      while (status.ok() && gateway.is_full(SessionOf('A'))) {
        absl::StrAppend(&replies, Take());
        status = gateway.Continue(SessionOf('A'));
      }
      EXPECT_TRUE(status.ok()) << status;
      absl::StrAppend(&replies, Take());
    }
    return replies;
  }
  std::string Take() {
    std::string replies;
    exchange.Release();
    gateway.TakeReady([&](SessionId, absl::string_view text) {
      absl::StrAppend(&replies, text);
      return true;
    });
    return replies;
  }

  MarketDirectory markets = Conversation::Markets();
  ToyExchange exchange;
  Venue venue;
  AdminGateway gateway;
  ScriptPlayer player{gateway, exchange};
};

void ExpectPlayed(absl::string_view script) {
  Stage stage;
  EXPECT_EQ(stage.Play(script), script);
}

TEST(AdminGateway, CommandsAreAnsweredByTheirEventsWhenTheyAreReleased) {
  ExpectPlayed(R"(open A
A> TOKEN 5ecret
A< OK
A> ask account=7 market=ACME price=10.00 quantity=5.0
A> bid account=8 market=ACME price=10.00 quantity=2.0
A> cancel account=7 market=ACME order=1
release 1
A< 1.0 accepted order=1 side=ask market=ACME price=10.00 quantity=5.0 remaining=5.0 account=7
A< DONE @1 events=1
release
A< 2.0 accepted order=2 side=bid market=ACME price=10.00 quantity=2.0 remaining=2.0 account=8
A< 2.1 trade maker=1 taker=2 side=ask market=ACME price=10.00 quantity=2.0 remaining=3.0 account=7
A< DONE @2 events=2
A< 3.0 cancelled order=1 side=ask market=ACME price=10.00 quantity=3.0 account=7 reason=requested
A< DONE @3 events=1)");
}

TEST(AdminGateway, RefusalsNameTheReason) {
  ExpectPlayed(R"(open A
A> TOKEN 5ecret
A< OK
A> cancel market=ACME order=9
release
A< 1.0 rejected order=9 market=ACME reason=order_not_live
A< REFUSED @1 order_not_live
A> command kind=77
release
A< 2.0 rejected reason=unknown_command
A< REFUSED @2 unknown_command)");
}

TEST(AdminGateway, PositionLimitsAreInUnitsOfTheirMarket) {
  ExpectPlayed(R"(open A
A> TOKEN 5ecret
A< OK
A> set_position_limit account=7 market=ACME quantity=250.5
A> set_position_limit account=7 market=ACME quantity=0.01
release
A< 1.0 position_limit_set market=ACME limit=250.5 account=7
A< DONE @1 events=1
A< ERROR line 3: quantity='0.01' has more than 1 decimals)");
}

// Its own words wait for the commands before them, also those of others.
TEST(AdminGateway, LinesThatAreNoCommandsAreAnsweredInOrder) {
  ExpectPlayed(R"(open A
A> TOKEN 5ecret
A< OK
open B
B> TOKEN 5ecret
B< OK
B> rubbish
B< ERROR line 2: 'rubbish' is not a command; expected bid, ask, cancel, reduce, replace, amend or another kind of command
A> cancel market=ACME order=9
A> pause_market market=NONE
A> 7 2026-01-01T00:00:00Z halt_exchange
A> cancel market=ACME order=8
B> suspend_account account=seven
A> # A comment counts as a line.
A> 	halt_exchange
release 1
A< 1.0 rejected order=9 market=ACME reason=order_not_live
A< REFUSED @1 order_not_live
A< ERROR line 3: market=NONE is not defined; expected a symbol, or a number such as #1
A< ERROR line 4: expected a command, found a sequence number and a time: the venue gives them
release
A< 2.0 rejected order=8 market=ACME reason=order_not_live
A< REFUSED @2 order_not_live
A< ERROR line 7: expected printable ASCII, found another byte
B< ERROR line 3: account=seven is not a whole number from 0 to 4294967295)");
}

TEST(AdminGateway, OnlyTheAskerIsAnswered) {
  ExpectPlayed(R"(open A
A> TOKEN 5ecret
A< OK
open B
B> TOKEN 5ecret
B< OK
A> cancel market=ACME order=1
B> cancel market=ACME order=2
A> cancel market=ACME order=3
release
A< 1.0 rejected order=1 market=ACME reason=order_not_live
A< REFUSED @1 order_not_live
A< 3.0 rejected order=3 market=ACME reason=order_not_live
A< REFUSED @3 order_not_live
B< 2.0 rejected order=2 market=ACME reason=order_not_live
B< REFUSED @2 order_not_live
A> cancel market=ACME order=4
close A
open C
C> TOKEN 5ecret
C< OK
release)");
}

TEST(AdminGateway, MarketsAreKnownFromTheirDefinitionOn) {
  ExpectPlayed(R"(open A
A> TOKEN 5ecret
A< OK
A> ask market=NEW price=1.250 quantity=1
A< ERROR line 2: market=NEW is not defined; expected a symbol, or a number such as #1
A> define_market id=4 symbol=NEW price_decimals=3
A> ask account=7 market=NEW price=1.250 quantity=1
release
A< 1.0 market_defined market=NEW
A< DONE @1 events=1
A< 2.0 accepted order=2 side=ask market=NEW price=1.250 quantity=1 remaining=1 account=7
A< DONE @2 events=1)");
}

TEST(AdminGateway, RefusedDefinitionDefinesNothing) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret");
  stage.exchange.RefuseNext(RejectReason::kMarketAlreadyDefined);
  stage.Play("A> define_market id=4 symbol=NEW price_decimals=3\nrelease");
  EXPECT_EQ(stage.markets.FindSymbol("NEW"), nullptr);
}

TEST(AdminGateway, FullDiskRefusesAndTheSessionGoesOn) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret\nA> cancel market=ACME order=1");
  stage.exchange.SetDiskFull(true);
  EXPECT_EQ(stage.Play("A> open_account account=4"), "A> open_account account=4");
  stage.exchange.SetDiskFull(false);
  EXPECT_EQ(stage.Play("A> cancel market=ACME order=2\nrelease"),
            R"(A> cancel market=ACME order=2
release
A< 1.0 rejected order=1 market=ACME reason=order_not_live
A< REFUSED @1 order_not_live
A< REFUSED disk_full
A< 2.0 rejected order=2 market=ACME reason=order_not_live
A< REFUSED @2 order_not_live)");
}

TEST(AdminGateway, OtherErrorsEndTheVenue) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret");
  stage.exchange.Break();
  EXPECT_TRUE(
      absl::IsUnavailable(stage.gateway.OnBytes(stage.SessionOf('A'), AsBytes("halt_exchange\n"))));
}

TEST(AdminGateway, OneLineDecidesWhoMayEnter) {
  for (const std::string& line :
       {std::string("TOKEN 5ecreT"), std::string("TOKEN 5ecret2"), std::string("TOKEN 5ecre"),
        std::string("TOKEN "), std::string("TOKEN"), std::string(), std::string("token 5ecret"),
        std::string("halt_exchange"), std::string("\x1b[2J"),
        std::string(AdminGateway::kLineBytesMax + 1, 'x')}) {
    Stage stage;
    EXPECT_EQ(stage.Play(absl::StrCat("open A\nA> ", line)),
              absl::StrCat("open A\nA> ", line, "\nA< ERROR line 1: token refused"));
    EXPECT_TRUE(stage.gateway.is_over(stage.SessionOf('A')));
    EXPECT_EQ(stage.Play("A> TOKEN 5ecret"), "A> TOKEN 5ecret") << "it is over";
    EXPECT_TRUE(stage.exchange.commands().empty());
  }
}

TEST(AdminGateway, NoCommandOfARefusedSessionIsTaken) {
  Stage stage;
  stage.Play("open A");
  EXPECT_EQ(stage.Send("TOKEN wrong\nhalt_exchange\n", 100), "ERROR line 1: token refused\n");
  EXPECT_TRUE(stage.exchange.commands().empty());
}

TEST(AdminGateway, WithoutATokenEverySessionIsRefused) {
  Stage stage(/*waiting_max=*/0, "");
  EXPECT_EQ(stage.Play("open A\nA> TOKEN "), "open A\nA> TOKEN \nA< ERROR line 1: token refused");
}

// However its bytes are cut.
TEST(AdminGateway, BytesMayComeInAnyPieces) {
  const std::string sent =
      "TOKEN 5ecret\r\nrubbish\ncancel market=ACME order=1\r\n\nask market=ACME price=1 "
      "quantity=1\n";
  for (size_t piece = 1; piece <= sent.size(); ++piece) {
    Stage stage;
    stage.Play("open A");
    EXPECT_EQ(stage.Send(sent, piece),
              "OK\nERROR line 2: 'rubbish' is not a command; expected bid, ask, cancel, reduce, "
              "replace, amend or another kind of command\n"
              "1.0 rejected order=1 market=ACME reason=order_not_live\nREFUSED @1 order_not_live\n"
              "2.0 accepted order=2 side=ask market=ACME price=1.00 quantity=1.0 remaining=1.0\n"
              "DONE @2 events=1\n")
        << piece;
  }
}

TEST(AdminGateway, LinesHaveRoomForAttachments) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret");
  std::string note = "note namespace=a version=1 bytes=";
  note.resize(AdminGateway::kLineBytesMax - AdminGateway::kLineBytesMax % 2 - 1, 'a');
  EXPECT_EQ(stage.Send(note + "\n", 1'000), "1.0 noted\nDONE @1 events=1\n");
  EXPECT_EQ(stage.Send(std::string(AdminGateway::kLineBytesMax + 1, 'a') + "\n", 1'000),
            "ERROR line 3: expected at most 65536 bytes, found more\n");
  const std::string error = stage.Send(std::string(AdminGateway::kLineBytesMax, 'a') + "\n", 1'000);
  EXPECT_TRUE(absl::StartsWith(error, "ERROR line 4: 'aaa")) << error;
  EXPECT_LT(error.size(), 250u);
}

TEST(AdminGateway, AnswersShowAHundredEvents) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret");
  for (int i = 0; i < 150; ++i) {
    stage.Send("ask account=7 market=ACME price=1 quantity=1\n", 100);
  }
  const std::string answer = stage.Send("bid account=8 market=ACME price=1 quantity=150\n", 100);
  EXPECT_EQ(std::ranges::count(answer, '\n'), 101);
  EXPECT_TRUE(absl::EndsWith(answer, "\nDONE @151 events=151\n")) << answer;
  EXPECT_TRUE(absl::StrContains(answer, "\n151.99 trade ")) << answer;
}

// Its last line needs no ending; a session that never gave its token is over.
TEST(AdminGateway, InputMayEnd) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret\nopen B\nend B");
  EXPECT_TRUE(stage.gateway.is_over(stage.SessionOf('B')));
  EXPECT_EQ(stage.Send("cancel market=ACME order=1", 100), "");
  EXPECT_EQ(stage.Play("end A\nrelease"),
            "end A\nrelease\nA< 1.0 rejected order=1 market=ACME reason=order_not_live\n"
            "A< REFUSED @1 order_not_live");
  EXPECT_FALSE(stage.gateway.is_over(stage.SessionOf('A')));
}

// Others have their turn after some lines.
TEST(AdminGateway, SessionRestsAfterManyLines) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret");
  std::string lines;
  for (size_t i = 0; i < 3 * AdminGateway::kLinesOfTurn; ++i) lines += "advance_time\n";
  ASSERT_TRUE(stage.gateway.OnBytes(stage.SessionOf('A'), AsBytes(lines)).ok());
  for (size_t turn = 1; turn <= 3; ++turn) {
    EXPECT_EQ(stage.exchange.commands().size(), turn * AdminGateway::kLinesOfTurn);
    EXPECT_TRUE(stage.gateway.is_full(stage.SessionOf('A')));
    ASSERT_TRUE(stage.gateway.Continue(stage.SessionOf('A')).ok());
  }
  EXPECT_FALSE(stage.gateway.is_full(stage.SessionOf('A')));
}

// What waits for a client that reads nothing is bounded, and it loses nothing.
TEST(AdminGateway, SlowReaderIsNotRead) {
  Stage stage;
  stage.Play("open A\nA> TOKEN 5ecret");
  size_t sent_count = 0;
  size_t waiting_bytes = 0;
  const auto take_nothing = [&](SessionId, absl::string_view replies) {
    waiting_bytes = replies.size();
    return false;
  };
  std::string lines;
  for (size_t i = 0; i < AdminGateway::kLinesOfTurn - 1; ++i) {
    lines += "cancel market=ACME order=1\n";
  }
  while (!stage.gateway.is_full(stage.SessionOf('A'))) {
    ASSERT_LT(++sent_count, 10'000u);
    ASSERT_TRUE(stage.gateway.OnBytes(stage.SessionOf('A'), AsBytes(lines)).ok());
    stage.exchange.Release();
    stage.gateway.TakeReady(take_nothing);
  }
  EXPECT_GE(waiting_bytes, AdminGateway::kReplyBytesMax);
  EXPECT_LT(waiting_bytes, AdminGateway::kReplyBytesEnd);
  EXPECT_FALSE(stage.gateway.is_over(stage.SessionOf('A')));
  ASSERT_TRUE(stage.gateway.Continue(stage.SessionOf('A')).ok());
  EXPECT_TRUE(stage.gateway.is_full(stage.SessionOf('A')));

  stage.gateway.Resume(stage.SessionOf('A'));
  EXPECT_EQ(stage.Take().size(), waiting_bytes);
  ASSERT_TRUE(stage.gateway.Continue(stage.SessionOf('A')).ok());
  EXPECT_FALSE(stage.gateway.is_full(stage.SessionOf('A')));
  stage.Take();
  EXPECT_EQ(stage.exchange.commands().size(), sent_count * (AdminGateway::kLinesOfTurn - 1));
}

}  // namespace
}  // namespace engine
