// Conversations of several sessions, written as a trader would read them.

#include "engine/gateway/text_gateway.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/testing/script_player.h"
#include "engine/gateway/testing/toy_exchange.h"
#include "engine/gateway/text_session.h"
#include "engine/gateway/venue.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Two accounts, and the exchange that their sessions share.
class Stage final : public TextSessionHost, public TextLogins {
 public:
  explicit Stage(size_t waiting_max = 1'000) : exchange(waiting_max) {
    exchange.ListenWith(&venue);
    venue.Connect(exchange);
    gateway.AddAccount(AccountId(6));
    gateway.AddAccount(AccountId(7));
  }

  // See ScriptPlayer.
  std::string Play(absl::string_view script) { return player.Play(script); }
  SessionId SessionOf(char name) const { return player.SessionOf(name); }

  absl::Status JournalStatus() const override { return absl::OkStatus(); }
  void PrintBook(const MarketDefinition* market, std::string& out) override {
    absl::StrAppend(&out, "BOOK ", market == nullptr ? "all" : market->symbol, "\n");
  }
  absl::StatusOr<TextLogin> Login(absl::string_view name, absl::string_view secret) override {
    if (name == "six-cod" && secret == "s6") {
      return TextLogin{.account = AccountId(6), .cancels_at_end = true};
    }
    if (name == "six" && secret == "s6") return TextLogin{.account = AccountId(6)};
    if (name == "seven" && secret == "s7") return TextLogin{.account = AccountId(7)};
    return absl::PermissionDeniedError("login refused");
  }

  MarketDirectory markets = Conversation::Markets();
  ToyExchange exchange;
  Venue venue;
  TextGateway gateway{venue, *this, *this, markets};
  ScriptPlayer player{gateway, exchange};
};

void ExpectPlayed(absl::string_view script) {
  Stage stage;
  EXPECT_EQ(stage.Play(script), script);
}

TEST(TextGateway, OnlyTheAskerIsAnsweredAndBothPartiesHearOfATrade) {
  ExpectPlayed(R"(open A
A> LOGIN six s6
A< WELCOME six account=6
open B
B> LOGIN seven s7
B< WELCOME seven account=7
A> SUBMIT 1 ACME SELL 10 5
B> SUBMIT 1 ACME BUY 10 2
release
A< ACK 1 order=1
A< FILL 1 2.0 @ 10.00 maker remaining=3.0 trade=2.1
B< ACK 1 order=2
B< FILL 1 2.0 @ 10.00 taker remaining=0.0 trade=2.1)");
}

TEST(TextGateway, SessionsOfOneAccountShareItsOrdersButNotTheirAnswers) {
  ExpectPlayed(R"(open A
A> LOGIN six s6
A< WELCOME six account=6
open B
B> LOGIN six s6
B< WELCOME six account=6
A> SUBMIT 1 ACME SELL 10 5
release
A< ACK 1 order=1
B> SUBMIT 1 ACME SELL 11 5
B< REJECT 1 duplicate_id
B> CANCEL 2
B< REJECT 2 order_not_live
B> MODIFY 1 10 4
release
A< MODIFIED 1 4.0 @ 10.00 remaining=4.0 priority=kept
B< MODIFIED 1 4.0 @ 10.00 remaining=4.0 priority=kept
B> CANCEL 1
B> CANCEL 1
release
A< CANCELLED 1 4.0 requested
B< CANCELLED 1 4.0 requested
B< REJECT 1 order_not_live)");
}

// An id that was accepted is used for ever, by whichever session; that of a refused order is not.
TEST(TextGateway, ClientIdsAreUsedOnce) {
  ExpectPlayed(R"(open A
A> LOGIN six s6
A< WELCOME six account=6
open B
B> LOGIN six s6
B< WELCOME six account=6
open C
C> LOGIN seven s7
C< WELCOME seven account=7
A> SUBMIT 1 NONE SELL 10 5
A< REJECT 1 unknown_market
A> SUBMIT 1 ACME SELL 10 5
A> CANCEL 1
release
A< ACK 1 order=1
A< CANCELLED 1 5.0 requested
B< CANCELLED 1 5.0 requested
A> SUBMIT 1 ACME SELL 10 5
A< REJECT 1 duplicate_id
close A
B> MARKET 1 ACME SELL 5
B< REJECT 1 duplicate_id
C> SUBMIT 1 ACME SELL 10 5
release
C< ACK 1 order=3)");
}

// Its end cancels what it has submitted and what lives, and nothing of another session.
TEST(TextGateway, CancelOnDisconnectCancelsTheOrdersOfTheSession) {
  ExpectPlayed(R"(open A
A> LOGIN six-cod s6
A< WELCOME six-cod account=6
open B
B> LOGIN six s6
B< WELCOME six account=6
A> SUBMIT 1 ACME SELL 10 5
A> SUBMIT 2 ACME SELL 11 5
A> CANCEL 1
B> SUBMIT 3 ACME SELL 12 5
release
A< ACK 1 order=1
A< ACK 2 order=2
A< CANCELLED 1 5.0 requested
B< CANCELLED 1 5.0 requested
B< ACK 3 order=4
close A
release
B< CANCELLED 2 5.0 requested)");
}

// What a session says by itself waits for what the whole venue has applied before it, so that no
// query shows an event that may not leave yet.
TEST(TextGateway, RefusalsAndQueriesWaitForTheCommandsBeforeThem) {
  ExpectPlayed(R"(open A
A> LOGIN six s6
A< WELCOME six account=6
open B
B> LOGIN seven s7
B< WELCOME seven account=7
A> SUBMIT 1 ACME SELL 10 5
A> SUBMIT 1 ACME SELL 10 5
B> PRINT ACME
A> SUBMIT 2 ACME SELL 12 5
A> rubbish
release 1
A< ACK 1 order=1
A< REJECT 1 duplicate_id
B< BOOK ACME
B< END
release
A< ACK 2 order=2
A< ERROR line 4: expected SUBMIT, MARKET, CANCEL, MODIFY, PRINT or POLICY, found 'rubbish'
B> CANCEL 9
B< REJECT 9 order_not_live)");
}

TEST(TextGateway, SessionInTheSamePlaceReceivesNothingOfItsPredecessor) {
  ExpectPlayed(R"(open A
A> LOGIN six s6
A< WELCOME six account=6
A> SUBMIT 1 ACME SELL 10 5
close A
open B
B> LOGIN seven s7
release
B< WELCOME seven account=7
B> SUBMIT 1 ACME BUY 10 5
release
B< ACK 1 order=2
B< FILL 1 5.0 @ 10.00 taker remaining=0.0 trade=2.1)");
}

TEST(TextGateway, AccountKnowsItsOrdersWhenItReturns) {
  ExpectPlayed(R"(open A
A> LOGIN six s6
A< WELCOME six account=6
A> SUBMIT 1 ACME SELL 10 5
close A
release
open B
B> LOGIN seven s7
B< WELCOME seven account=7
B> SUBMIT 1 ACME BUY 10 2
release
B< ACK 1 order=2
B< FILL 1 2.0 @ 10.00 taker remaining=0.0 trade=2.1
open C
C> LOGIN six s6
C< WELCOME six account=6
C> CANCEL 1
release
C< CANCELLED 1 3.0 requested)");
}

TEST(TextGateway, OneLineDecidesWhoMayEnter) {
  const std::string long_line(600, 'x');
  for (const std::string& line :
       {std::string("SUBMIT 1 ACME SELL 10 5"), std::string("LOGIN six"), std::string("LOGIN"),
        std::string("LOGIN six s6 more"), std::string(), std::string("\x1b[2J")}) {
    Stage stage;
    stage.Play("open A");
    EXPECT_EQ(stage.Play(absl::StrCat("A> ", line)),
              absl::StrCat("A> ", line, "\nA< ERROR line 1: expected LOGIN <name> <secret>"));
    EXPECT_TRUE(stage.gateway.is_over(stage.SessionOf('A')));
  }
  Stage stage;
  EXPECT_EQ(stage.Play("open A\nA> LOGIN six s7"),
            "open A\nA> LOGIN six s7\nA< ERROR line 1: login refused");
  EXPECT_EQ(stage.Play("A> LOGIN six s6"), "A> LOGIN six s6") << "it is over";
  stage.Play("open B");
  EXPECT_TRUE(absl::StrContains(stage.Play(absl::StrCat("B> ", long_line)),
                                "B< ERROR line 1: expected at most 512 bytes, found more"));
}

// However its bytes are cut.
TEST(TextGateway, LoginAndLinesMayComeInAnyPieces) {
  const std::string sent = "login six s6\r\nSUBMIT 1 ACME SELL 10 5\nCANCEL 1\n";
  for (size_t piece = 1; piece <= sent.size(); ++piece) {
    Stage stage(/*waiting_max=*/0);
    stage.Play("open A");
    std::string replies;
    for (size_t at = 0; at < sent.size(); at += piece) {
      ASSERT_TRUE(
          stage.gateway.OnBytes(stage.SessionOf('A'), AsBytes(sent.substr(at, piece))).ok());
      stage.gateway.TakeReady([&](SessionId, absl::string_view text) {
        absl::StrAppend(&replies, text);
        return true;
      });
    }
    EXPECT_EQ(replies, "WELCOME six account=6\nACK 1 order=1\nCANCELLED 1 5.0 requested\n")
        << piece;
  }
}

// Its orders go on trading; what waits for it is bounded.
TEST(TextGateway, SessionThatReadsNothingEnds) {
  Stage stage;
  stage.Play("open A\nA> LOGIN six s6\nopen B\nB> LOGIN six s6\n");
  size_t sent_count = 0;
  int id = 0;
  while (!stage.gateway.is_over(stage.SessionOf('A'))) {
    ASSERT_LT(++sent_count, 1'000u);
    std::string lines;
    for (const int end = id + 1'000; id < end; ++id) {
      absl::StrAppend(&lines, "SUBMIT ", id, " ACME SELL 10 5\nCANCEL ", id, "\n");
    }
    ASSERT_TRUE(stage.gateway.OnBytes(stage.SessionOf('B'), AsBytes(lines)).ok());
    stage.exchange.Release();
    stage.gateway.TakeReady(
        [&](SessionId id, absl::string_view) { return id == stage.SessionOf('B'); });
  }
  EXPECT_FALSE(stage.gateway.is_over(stage.SessionOf('B')));
  size_t waited = 0;
  stage.gateway.Resume(stage.SessionOf('A'));
  stage.gateway.TakeReady([&](SessionId, absl::string_view replies) {
    waited += replies.size();
    return true;
  });
  EXPECT_GT(waited, TextGateway::kReplyBytesEnd);
  EXPECT_LT(waited, 2 * TextGateway::kReplyBytesEnd);
}

// A loop that waited for it would take all of a processor, and never end.
TEST(TextGateway, CancelsOfAFullDiskAreNoWorkUntilLater) {
  Stage stage;
  stage.Play("open A\nA> LOGIN six-cod s6\nA> SUBMIT 1 ACME SELL 10 5\nrelease");
  stage.gateway.Close(stage.SessionOf('A'));
  EXPECT_TRUE(stage.gateway.has_work());
  stage.exchange.SetDiskFull(true);
  const auto has_room = [] { return true; };
  EXPECT_TRUE(stage.gateway.Work(has_room).ok());
  EXPECT_FALSE(stage.gateway.has_work());
  stage.exchange.SetDiskFull(false);
  const size_t before = stage.exchange.commands().size();
  EXPECT_TRUE(stage.gateway.Work(has_room).ok());
  EXPECT_EQ(stage.exchange.commands().size(), before + 1);
  EXPECT_FALSE(stage.gateway.has_work());
}

TEST(TextGateway, OriginsNameSessionsOnlyWhileTheyLast) {
  Stage stage;
  stage.Play("open A");
  const SessionId first = stage.SessionOf('A');
  stage.Play("close A\nopen A");
  EXPECT_EQ(stage.SessionOf('A').place, first.place);
  EXPECT_NE(stage.SessionOf('A'), first);
  stage.gateway.Close(first);
  EXPECT_EQ(stage.gateway.session_count(), 1u);
}

}  // namespace
}  // namespace engine
