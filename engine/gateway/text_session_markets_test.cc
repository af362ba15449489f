// Symbols, and the markets that a conversation defines for new ones.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/sequence_number.h"
#include "engine/gateway/testing/conversation.h"
#include "engine/gateway/text_account.h"
#include "engine/gateway/text_session.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/market_directory.h"
#include "engine/messages/reject_reason.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

TEST(TextSession, UnknownSymbolsAreRefused) {
  Conversation conversation;
  EXPECT_EQ(conversation.Say("SUBMIT 1 NOPE BUY 1 1\nMARKET 2 NOPE BUY 1\nPRINT NOPE\n"),
            "REJECT 1 unknown_market\n"
            "REJECT 2 unknown_market\n"
            "ERROR line 3: expected a market, found 'NOPE'\n");
  EXPECT_TRUE(conversation.exchange.commands().empty());
}

TEST(TextSession, WordsThatAreNoSymbolAreErrors) {
  constexpr absl::string_view kNoSymbol =
      "symbol must be 1 to 32 printable ASCII characters without spaces\n";
  Conversation conversation;
  EXPECT_EQ(
      conversation.Say(absl::StrCat("SUBMIT 1 \x1b[2J BUY 1 1\nMARKET 2 \xff BUY 1\nSUBMIT 3 ",
                                    std::string(kSymbolBytesMax, 'A'), " BUY 1 1\nSUBMIT 4 ",
                                    std::string(kSymbolBytesMax + 1, 'A'), " BUY 1 1\n")),
      absl::StrCat("ERROR line 1: ", kNoSymbol, "ERROR line 2: ", kNoSymbol,
                   "REJECT 3 unknown_market\n", "ERROR line 4: ", kNoSymbol));
  EXPECT_TRUE(conversation.exchange.commands().empty());
}

TEST(TextSession, UnknownSymbolsAreDefinedIfTheSessionMay) {
  for (const size_t waiting_max : {0, 100}) {
    Conversation conversation(waiting_max, Conversation::AutoDefine());
    EXPECT_EQ(conversation.SayAll("SUBMIT 1 AAPL SELL 320.14 100\n"
                                  "SUBMIT 2 AAPL BUY 320.14 40\n"
                                  "SUBMIT 3 IBM BUY 1 1\n"
                                  "PRINT AAPL\n"),
              "DEFINED AAPL market=4 price_decimals=4 quantity_decimals=0\n"
              "ACK 1 order=2\n"
              "ACK 2 order=3\n"
              "FILL 1 40 @ 320.1400 maker remaining=60 trade=3.1\n"
              "FILL 2 40 @ 320.1400 taker remaining=0 trade=3.1\n"
              "DEFINED IBM market=5 price_decimals=4 quantity_decimals=0\n"
              "ACK 3 order=5\n"
              "BOOK AAPL\n"
              "END\n");
    EXPECT_EQ(conversation.markets.all().size(), 3u);
  }
}

TEST(TextSession, TheDefinitionIsItsCommandsAttachment) {
  class Sink final : public CommandSink {
   public:
    absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
      if (command.kind == CommandKind::kDefineMarket) {
        definition = DecodeMarketDefinition(attachment);
        market = command.market;
      }
      return SequenceNumber(++count);
    }
    absl::StatusOr<MarketDefinition> definition;
    MarketId market;
    uint64_t count = 0;
  };
  Sink sink;
  Conversation host;
  MarketDirectory markets;
  TextAccount account(Conversation::kAccount, markets);
  TextSession session(sink, host, markets, account, Conversation::AutoDefine());
  ASSERT_TRUE(session.OnBytes(AsBytes(absl::string_view("SUBMIT 1 AAPL BUY 1 1\n"))).ok());
  ASSERT_TRUE(sink.definition.ok());
  const MarketDefinition expected = {
      .id = MarketId(1), .symbol = "AAPL", .price_decimals = 4, .quantity_decimals = 0};
  EXPECT_EQ(*sink.definition, expected);
  EXPECT_EQ(sink.market, MarketId(1));
}

TEST(TextSession, ALineInErrorDefinesNoMarket) {
  Conversation conversation(0, Conversation::AutoDefine());
  conversation.Say("SUBMIT 1 ACME BUY 1 1\n");
  EXPECT_EQ(conversation.Say("SUBMIT 2 NEW BUY 1.00001 1\n"
                             "SUBMIT 2 NEW BUY 1 1.5\n"
                             "SUBMIT 1 NEW BUY 1 1\n"
                             "SUBMIT 2 N\x01W BUY 1 1\n"
                             "SUBMIT 2 AVERYLONGSYMBOLOFMORETHANTHIRTYTWOBYTES BUY 1 1\n"),
            "ERROR line 2: '1.00001' has more than 4 decimals\n"
            "ERROR line 3: '1.5' has more than 0 decimals\n"
            "REJECT 1 duplicate_id\n"
            "ERROR line 5: symbol must be 1 to 32 printable ASCII characters without spaces\n"
            "ERROR line 6: symbol must be 1 to 32 printable ASCII characters without spaces\n");
  EXPECT_EQ(conversation.exchange.commands().size(), 1u);
}

TEST(TextSession, MarketsAreLimited) {
  TextSession::Options options = Conversation::AutoDefine();
  options.auto_markets_max = 1;
  Conversation conversation(0, options);
  conversation.Say("SUBMIT 1 A BUY 1 1\n");
  EXPECT_EQ(conversation.Say("SUBMIT 2 B BUY 1 1\n"), "REJECT 2 too_many_markets\n");
}

TEST(TextSession, ARefusedDefinitionIsReported) {
  Conversation conversation(0, Conversation::AutoDefine());
  conversation.exchange.RefuseNext(RejectReason::kSymbolAlreadyDefined);
  EXPECT_TRUE(absl::StartsWith(conversation.Say("SUBMIT 1 A BUY 1 1\n"),
                               "ERROR market A: symbol_already_defined\n"));
}

}  // namespace
}  // namespace engine
