// Captures: what each frame becomes, what a gap does, and how malformed lines are refused.

#include "engine/wire/kalshi/capture_translator.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/names.h"
#include "engine/wire/kalshi/capture_frame.h"
#include "gtest/gtest.h"

namespace engine::kalshi {
namespace {

class CaptureTest : public testing::Test, private CommandSink {
 protected:
  // The commands of a line: "new_order bid 4700 300", or what is wrong with it.
  std::string Take(absl::string_view line) {
    commands_.clear();
    const auto frame = reader_.Read(line);
    if (!frame.ok()) return std::string(frame.status().message());
    EXPECT_TRUE(translator_.Take(*frame, ++line_).ok());
    return absl::StrJoin(commands_, "; ");
  }

  std::string Snapshot(int64_t seq, absl::string_view yes, absl::string_view no) {
    return Take(absl::StrCat(R"({"type":"orderbook_snapshot","sid":1,"seq":)", seq,
                             R"(,"msg":{"market_ticker":"KXA","market_id":"u")",
                             yes.empty() ? "" : absl::StrCat(R"(,"yes_dollars_fp":)", yes),
                             no.empty() ? "" : absl::StrCat(R"(,"no_dollars_fp":)", no), "}}"));
  }
  std::string Delta(int64_t seq, absl::string_view side, absl::string_view price,
                    absl::string_view change) {
    return Take(absl::StrCat(R"({"type":"orderbook_delta","sid":1,"seq":)", seq,
                             R"(,"msg":{"market_ticker":"KXA","market_id":"u","price_dollars":")",
                             price, R"(","delta_fp":")", change, R"(","side":")", side,
                             R"(","ts":"2026-06-11T06:31:29.957081Z","ts_ms":1781159489957}})"));
  }

  ManualClock clock_;
  CaptureReader reader_{/*use_yes_price=*/false};
  CaptureTranslator translator_{*this, clock_};
  std::vector<std::byte> definition_;

 private:
  absl::StatusOr<SequenceNumber> Submit(const Command& command, Bytes attachment) override {
    EXPECT_EQ(command.account, AccountId());
    if (!attachment.empty()) definition_.assign(attachment.begin(), attachment.end());
    std::string text = NameOf(command.kind);
    if (command.order_id != OrderId()) absl::StrAppend(&text, " #", command.order_id.value());
    if (command.side != Side()) absl::StrAppend(&text, " ", NameOf(command.side));
    if (command.price != Price()) absl::StrAppend(&text, " ", command.price.units());
    if (!command.quantity.is_zero()) absl::StrAppend(&text, " ", command.quantity.units());
    commands_.push_back(text);
    return last_ = last_.Next();
  }

  std::vector<std::string> commands_;
  SequenceNumber last_;
  uint64_t line_ = 0;
};

TEST_F(CaptureTest, ASnapshotIsABook) {
  EXPECT_EQ(Snapshot(1, R"([["0.4700","3.00"]])", R"([["0.4800","2.00"]])"),
            "define_market; new_order bid 4700 300; new_order ask 5200 200");
  const auto definition = DecodeMarketDefinition(definition_);
  ASSERT_TRUE(definition.ok()) << definition.status();
  EXPECT_EQ(definition->symbol, "KXA");
  EXPECT_EQ(definition->kind, MarketKind::kBinary);
  EXPECT_TRUE(definition->mirrored);
}

TEST_F(CaptureTest, ASideThatIsEmptyMayBeMissing) {
  EXPECT_EQ(Snapshot(1, "", ""), "define_market");
  EXPECT_EQ(Snapshot(2, "[]", R"([["0.4800","2.00"]])"), "new_order ask 5200 200");
}

TEST_F(CaptureTest, TheNextSnapshotChangesWhatIsOther) {
  Snapshot(1, R"([["0.4600","1.00"],["0.4700","3.00"]])", R"([["0.4800","2.00"]])");
  EXPECT_EQ(Snapshot(2, R"([["0.4600","1.00"],["0.4700","4.00"]])", ""),
            "amend #3 4700 400; cancel #4");
  EXPECT_EQ(Snapshot(3, R"([["0.4500","1.00"]])", ""),
            "new_order bid 4500 100; cancel #2; cancel #3");
}

TEST_F(CaptureTest, DeltasChangeALevel) {
  Snapshot(1, R"([["0.4700","3.00"]])", "");
  EXPECT_EQ(Delta(2, "yes", "0.4700", "-1.00"), "reduce_to #2 200");
  EXPECT_EQ(Delta(3, "yes", "0.4700", "2.50"), "amend #2 4700 450");
  EXPECT_EQ(Delta(4, "yes", "0.4700", "-4.50"), "cancel #2");
  EXPECT_EQ(Delta(5, "no", "0.4000", "1.00"), "new_order ask 6000 100");
  EXPECT_EQ(clock_.Now(), *Timestamp::Parse("2026-06-11T06:31:29.957081Z"));
}

TEST_F(CaptureTest, TheNoSideMayHaveYesPrices) {
  CaptureReader reader(/*use_yes_price=*/true);
  const auto frame =
      reader.Read(R"({"type":"orderbook_delta","sid":1,"seq":1,"msg":{"market_ticker":"KXA",)"
                  R"("price_dollars":"0.6000","delta_fp":"1.00","side":"no"}})");
  ASSERT_TRUE(frame.ok()) << frame.status();
  EXPECT_EQ(frame->levels.front().price, Price::FromUnits(6'000));
}

TEST_F(CaptureTest, ATradeIsAPrint) {
  Snapshot(1, R"([["0.4700","3.00"]])", "");
  const std::string trade =
      R"({"type":"trade","sid":2,"seq":1,"msg":{"trade_id":"t","market_ticker":"KXA",)"
      R"("yes_price_dollars":"0.4700","no_price_dollars":"0.5300","count_fp":"1.00",)"
      R"("taker_side":"no","taker_outcome_side":"no","ts":1781159489,"ts_ms":1781159489957}})";
  EXPECT_EQ(Take(trade), "execute bid 4700 100");
}

TEST_F(CaptureTest, AnEnvelopeHasTheTimeOfTheReceipt) {
  EXPECT_EQ(Take(R"({"received_ts_ms":1781159489958,"frame":{"type":"orderbook_snapshot","sid":1,)"
                 R"("seq":1,"msg":{"market_ticker":"KXA"}}})"),
            "define_market");
  EXPECT_EQ(clock_.Now(), Timestamp::FromNanos(1'781'159'489'958'000'000));
}

TEST_F(CaptureTest, AGapMakesBooksUnknownUntilTheirSnapshots) {
  Snapshot(1, R"([["0.4700","3.00"]])", "");
  EXPECT_EQ(Delta(4, "yes", "0.4700", "-1.00"), "pause_market");
  EXPECT_EQ(Delta(5, "yes", "0.4700", "-1.00"), "");
  EXPECT_EQ(Snapshot(6, R"([["0.4700","1.00"]])", ""), "open_market; reduce_to #2 100");
  EXPECT_EQ(Delta(7, "yes", "0.4700", "1.00"), "amend #2 4700 200");
  const CaptureCounters& counters = translator_.counters();
  EXPECT_EQ(counters.gaps, 1u);
  ASSERT_EQ(counters.first_gaps.size(), 1u);
  EXPECT_EQ(counters.first_gaps[0].line, 2u);
  EXPECT_EQ(counters.first_gaps[0].expected, 2);
  EXPECT_EQ(counters.first_gaps[0].found, 4);
  EXPECT_EQ(counters.stale_deltas, 2u);
}

TEST_F(CaptureTest, ControlFramesHaveASeqAndAConnectionMayBeginAgain) {
  Snapshot(1, R"([["0.4700","3.00"]])", "");
  EXPECT_EQ(Take(R"({"type":"ok","id":6,"sid":1,"seq":2,"msg":{"market_tickers":["KXA"]}})"), "");
  EXPECT_EQ(Delta(3, "yes", "0.4700", "-1.00"), "reduce_to #2 200");
  EXPECT_EQ(Snapshot(1, R"([["0.4700","2.00"]])", ""), "pause_market; open_market");
  EXPECT_EQ(translator_.counters().gaps, 0u);
  EXPECT_EQ(translator_.counters().restarts, 1u);
}

TEST_F(CaptureTest, WhatCannotBeFollowedIsCounted) {
  EXPECT_EQ(Delta(1, "yes", "0.4700", "1.00"), "define_market") << "before a snapshot";
  Snapshot(2, R"([["0.4700","3.00"]])", "");
  EXPECT_EQ(Delta(3, "yes", "0.4700", "-4.00"), "pause_market") << "below zero";
  EXPECT_EQ(Take(R"({"type":"ticker","sid":3,"msg":{"market_ticker":"KXA"}})"), "");
  EXPECT_EQ(Take(R"({"type":"trade","sid":2,"seq":1,"msg":{"market_ticker":"#1",)"
                 R"("yes_price_dollars":"0.4700","count_fp":"1.00","taker_side":"no"}})"),
            "");
  const CaptureCounters& counters = translator_.counters();
  EXPECT_EQ(counters.stale_deltas, 1u);
  EXPECT_EQ(counters.impossible_deltas, 1u);
  EXPECT_EQ(counters.refused_frames, 1u);
  EXPECT_EQ(counters.types.at("ticker"), 1u);
}

TEST_F(CaptureTest, AMalformedLineSaysWhatIsWrong) {
  EXPECT_EQ(Take("[]"), "expected a JSON object: a frame, or one in an envelope");
  EXPECT_EQ(Take("{}"), "type: missing, expected a text");
  EXPECT_EQ(Take(R"({"type":7})"), "type: expected a text");
  EXPECT_EQ(Take(R"({"type":"trade"})"), "msg: missing, expected an object");
  EXPECT_EQ(Take(R"({"frame":[]})"), "frame: expected an object");
  EXPECT_EQ(Take(R"({"received_ts_ms":-1,"frame":{"type":"ok"}})"),
            "received_ts_ms: '-1', expected milliseconds since 1970");
  EXPECT_EQ(Delta(1, "maybe", "0.47", "1.00"), "side: 'maybe', expected yes or no");
  EXPECT_EQ(Delta(1, "yes", "1.0000", "1.00"),
            "price_dollars: '1.0000', expected a price above 0 and below 1 dollar with at most 4 "
            "decimals");
  EXPECT_EQ(Delta(1, "yes", "0.47", "--1"),
            "delta_fp: '--1', expected a count of at most 100000000 with at most 2 decimals");
  EXPECT_EQ(Snapshot(1, R"([["0.47"]])", ""),
            "yes_dollars_fp: 'an entry', expected lists of two texts: a price and a count");
  EXPECT_EQ(Snapshot(1, R"("x")", ""), "yes_dollars_fp: expected a list");
  EXPECT_FALSE(Take("{").empty());
  EXPECT_EQ(translator_.counters().frames, 0u);
}

}  // namespace
}  // namespace engine::kalshi
