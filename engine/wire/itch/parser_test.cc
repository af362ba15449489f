#include "engine/wire/itch/parser.h"

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "engine/base/prng.h"
#include "engine/base/status_macros.h"
#include "engine/types/side.h"
#include "engine/wire/itch/framing.h"
#include "engine/wire/itch/message_type.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// The bytes of a fixture: its line raw_hex = "53 00 ...".
std::string FixtureBytes(const std::string& name) {
  std::ifstream file(absl::StrCat("testdata/itch/feedforge/", name, ".toml"));
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("raw_hex = \"", 0) == 0) {
      const size_t begin = line.find('"') + 1;
      const std::string hex = line.substr(begin, line.rfind('"') - begin);
      return absl::HexStringToBytes(absl::StrReplaceAll(hex, {{" ", ""}}));
    }
  }
  ADD_FAILURE() << "no bytes in " << name;
  return "";
}

const std::vector<std::string>& Fixtures() {
  static const auto& fixtures = *new std::vector<std::string>{
      "01_system_event",
      "02_stock_directory",
      "03_stock_trading_action",
      "04_reg_sho_restriction",
      "05_market_participant_position",
      "06_mwcb_decline_level",
      "07_mwcb_status",
      "08_ipo_quoting_period_update",
      "09_luld_auction_collar",
      "10_operational_halt",
      "11_add_order",
      "12_add_order_mpid",
      "13_order_executed",
      "14_order_executed_with_price",
      "15_order_cancel",
      "16_order_delete",
      "17_order_replace",
      "18_trade",
      "19_cross_trade",
      "20_broken_trade",
      "21_net_order_imbalance_indicator",
      "22_retail_price_improvement_indicator",
      "23_direct_listing_with_capital_raise",
  };
  return fixtures;
}

template <size_t kSize>
std::string Text(const std::array<char, kSize>& field) {
  return std::string(field.data(), field.size());
}

// Frames and parses a message.
absl::StatusOr<ItchMessage> Framed(const std::string& message) {
  const std::string framed = std::string(1, '\0') + static_cast<char>(message.size()) + message;
  ItchFrameReader reader;
  reader.Feed(AsBytes(framed));
  ItchFrame frame;
  ASSIGN_OR_RETURN(const bool has_frame, reader.Next(frame));
  if (!has_frame) return absl::NotFoundError("no message");
  EXPECT_EQ(AsText(frame.message), message);
  return ParseItchMessage(frame);
}

// The fixture as a T. Its header is the same in all fixtures except for the stock locate.
template <typename T>
T Parsed(const std::string& fixture, uint16_t stock_locate) {
  const std::string bytes = FixtureBytes(fixture);
  const absl::StatusOr<ItchMessage> message = Framed(bytes);
  EXPECT_TRUE(message.ok()) << message.status();
  if (!message.ok() || !std::holds_alternative<T>(*message)) {
    ADD_FAILURE() << fixture << " is of another type";
    return T();
  }
  const T parsed = std::get<T>(*message);
  EXPECT_EQ(parsed.header.stock_locate, stock_locate);
  EXPECT_EQ(parsed.header.tracking_number, 0x0304);
  EXPECT_EQ(parsed.header.timestamp_ns, 84281096u);
  return parsed;
}

TEST(ItchParser, ReadsSystemEvent) {
  EXPECT_EQ(Parsed<ItchSystemEvent>("01_system_event", 0).event_code, 'O');
}

TEST(ItchParser, ReadsStockDirectory) {
  const auto m = Parsed<ItchStockDirectory>("02_stock_directory", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.market_category, 'Q');
  EXPECT_EQ(m.financial_status_indicator, 'N');
  EXPECT_EQ(m.round_lot_size, 100u);
  EXPECT_EQ(m.round_lots_only, 'N');
  EXPECT_EQ(m.issue_classification, 'C');
  EXPECT_EQ(Text(m.issue_sub_type), "C ");
  EXPECT_EQ(m.authenticity, 'P');
  EXPECT_EQ(m.short_sale_threshold_indicator, 'N');
  EXPECT_EQ(m.ipo_flag, 'N');
  EXPECT_EQ(m.luld_reference_price_tier, '1');
  EXPECT_EQ(m.etp_flag, 'N');
  EXPECT_EQ(m.etp_leverage_factor, 0u);
  EXPECT_EQ(m.inverse_indicator, 'N');
}

TEST(ItchParser, ReadsStockTradingAction) {
  const auto m = Parsed<ItchStockTradingAction>("03_stock_trading_action", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.trading_state, 'H');
  EXPECT_EQ(m.reserved, ' ');
  EXPECT_EQ(Text(m.reason), "T1  ");
}

TEST(ItchParser, ReadsRegShoRestriction) {
  const auto m = Parsed<ItchRegShoRestriction>("04_reg_sho_restriction", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.reg_sho_action, '1');
}

TEST(ItchParser, ReadsMarketParticipantPosition) {
  const auto m = Parsed<ItchMarketParticipantPosition>("05_market_participant_position", 258);
  EXPECT_EQ(Text(m.participant), "ABCD");
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.primary_market_maker, 'Y');
  EXPECT_EQ(m.market_maker_mode, 'N');
  EXPECT_EQ(m.participant_state, 'A');
}

TEST(ItchParser, ReadsMwcbDeclineLevel) {
  const auto m = Parsed<ItchMwcbDeclineLevel>("06_mwcb_decline_level", 0);
  EXPECT_EQ(m.level_1, 100'000'000u);
  EXPECT_EQ(m.level_2, 200'000'000u);
  EXPECT_EQ(m.level_3, 300'000'000u);
}

TEST(ItchParser, ReadsMwcbStatus) {
  EXPECT_EQ(Parsed<ItchMwcbStatus>("07_mwcb_status", 0).breached_level, '1');
}

TEST(ItchParser, ReadsIpoQuotingPeriodUpdate) {
  const auto m = Parsed<ItchIpoQuotingPeriodUpdate>("08_ipo_quoting_period_update", 0);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.release_time_seconds, 36000u);
  EXPECT_EQ(m.release_qualifier, 'A');
  EXPECT_EQ(m.ipo_price, 123456u);
}

TEST(ItchParser, ReadsLuldAuctionCollar) {
  const auto m = Parsed<ItchLuldAuctionCollar>("09_luld_auction_collar", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.reference_price, 123456u);
  EXPECT_EQ(m.upper_price, 130000u);
  EXPECT_EQ(m.lower_price, 120000u);
  EXPECT_EQ(m.extension_count, 2u);
}

TEST(ItchParser, ReadsOperationalHalt) {
  const auto m = Parsed<ItchOperationalHalt>("10_operational_halt", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.market_code, 'Q');
  EXPECT_EQ(m.halt_action, 'H');
}

template <typename T>
void ExpectAddOrder(const T& m) {
  EXPECT_EQ(m.order_reference, 17u);
  EXPECT_EQ(m.side, Side::kBid);
  EXPECT_EQ(m.shares, 34u);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.price, 123456u);
}

TEST(ItchParser, ReadsAddOrder) { ExpectAddOrder(Parsed<ItchAddOrder>("11_add_order", 258)); }

TEST(ItchParser, ReadsAddOrderWithParticipant) {
  const auto m = Parsed<ItchAddOrderWithParticipant>("12_add_order_mpid", 258);
  ExpectAddOrder(m);
  EXPECT_EQ(Text(m.attribution), "NSDQ");
}

TEST(ItchParser, ReadsOrderExecuted) {
  const auto m = Parsed<ItchOrderExecuted>("13_order_executed", 258);
  EXPECT_EQ(m.order_reference, 17u);
  EXPECT_EQ(m.executed_shares, 34u);
  EXPECT_EQ(m.match_number, 51u);
}

TEST(ItchParser, ReadsOrderExecutedWithPrice) {
  const auto m = Parsed<ItchOrderExecutedWithPrice>("14_order_executed_with_price", 258);
  EXPECT_EQ(m.order_reference, 17u);
  EXPECT_EQ(m.executed_shares, 34u);
  EXPECT_EQ(m.match_number, 51u);
  EXPECT_EQ(m.printable, 'Y');
  EXPECT_EQ(m.execution_price, 123456u);
}

TEST(ItchParser, ReadsOrderCancel) {
  const auto m = Parsed<ItchOrderCancel>("15_order_cancel", 258);
  EXPECT_EQ(m.order_reference, 17u);
  EXPECT_EQ(m.cancelled_shares, 34u);
}

TEST(ItchParser, ReadsOrderDelete) {
  EXPECT_EQ(Parsed<ItchOrderDelete>("16_order_delete", 258).order_reference, 17u);
}

TEST(ItchParser, ReadsOrderReplace) {
  const auto m = Parsed<ItchOrderReplace>("17_order_replace", 258);
  EXPECT_EQ(m.original_order_reference, 17u);
  EXPECT_EQ(m.new_order_reference, 18u);
  EXPECT_EQ(m.shares, 34u);
  EXPECT_EQ(m.price, 123456u);
}

TEST(ItchParser, ReadsNonCrossTrade) {
  const auto m = Parsed<ItchNonCrossTrade>("18_trade", 258);
  EXPECT_EQ(m.order_reference, 0u);
  EXPECT_EQ(m.buy_sell_indicator, 'B');
  EXPECT_EQ(m.shares, 34u);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.price, 123456u);
  EXPECT_EQ(m.match_number, 51u);
}

TEST(ItchParser, ReadsCrossTrade) {
  const auto m = Parsed<ItchCrossTrade>("19_cross_trade", 258);
  EXPECT_EQ(m.shares, 1000u);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.cross_price, 123456u);
  EXPECT_EQ(m.match_number, 51u);
  EXPECT_EQ(m.cross_type, 'O');
}

TEST(ItchParser, ReadsBrokenTrade) {
  EXPECT_EQ(Parsed<ItchBrokenTrade>("20_broken_trade", 258).match_number, 51u);
}

TEST(ItchParser, ReadsNetOrderImbalance) {
  const auto m = Parsed<ItchNetOrderImbalance>("21_net_order_imbalance_indicator", 258);
  EXPECT_EQ(m.paired_shares, 1000u);
  EXPECT_EQ(m.imbalance_shares, 100u);
  EXPECT_EQ(m.imbalance_direction, 'B');
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.far_price, 120000u);
  EXPECT_EQ(m.near_price, 123456u);
  EXPECT_EQ(m.current_reference_price, 125000u);
  EXPECT_EQ(m.cross_type, 'O');
  EXPECT_EQ(m.price_variation_indicator, 'L');
}

TEST(ItchParser, ReadsRetailPriceImprovement) {
  const auto m = Parsed<ItchRetailPriceImprovement>("22_retail_price_improvement_indicator", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.interest_flag, 'B');
}

TEST(ItchParser, ReadsDirectListingWithCapitalRaise) {
  const auto m =
      Parsed<ItchDirectListingWithCapitalRaise>("23_direct_listing_with_capital_raise", 258);
  EXPECT_EQ(Text(m.stock), "TEST    ");
  EXPECT_EQ(m.open_eligibility_status, 'Y');
  EXPECT_EQ(m.minimum_allowable_price, 100000u);
  EXPECT_EQ(m.maximum_allowable_price, 200000u);
  EXPECT_EQ(m.near_execution_price, 150000u);
  EXPECT_EQ(m.near_execution_time_ns, 85u);
  EXPECT_EQ(m.lower_price_range_collar, 135000u);
  EXPECT_EQ(m.upper_price_range_collar, 165000u);
}

TEST(ItchParser, TakesIntegersBigEndianAndTheTimeFromSixBytes) {
  const std::string bytes = absl::HexStringToBytes(
      "58"                // type X
      "fffe"              // stock locate
      "8001"              // tracking number
      "010203040506"      // timestamp
      "f1f2f3f4f5f6f7f8"  // order reference
      "80000001");        // cancelled shares
  const auto message = Framed(bytes);
  ASSERT_TRUE(message.ok());
  const auto& m = std::get<ItchOrderCancel>(*message);
  EXPECT_EQ(m.header.stock_locate, 0xfffe);
  EXPECT_EQ(m.header.tracking_number, 0x8001);
  EXPECT_EQ(m.header.timestamp_ns, 0x010203040506u);
  EXPECT_EQ(m.order_reference, 0xf1f2f3f4f5f6f7f8u);
  EXPECT_EQ(m.cancelled_shares, 0x80000001u);
}

TEST(ItchParser, HasAFixtureForEachTypeInTheOrderOfTheSpecification) {
  ASSERT_EQ(Fixtures().size(), kItchTypeCount);
  for (size_t i = 0; i < kItchTypeCount; ++i) {
    const std::string bytes = FixtureBytes(Fixtures()[i]);
    ASSERT_FALSE(bytes.empty());
    EXPECT_EQ(bytes[0], kItchTypes[i].letter);
    EXPECT_EQ(bytes.size(), kItchTypes[i].bytes);
    const auto message = Framed(bytes);
    ASSERT_TRUE(message.ok());
    EXPECT_EQ(message->index(), i);
  }
}

TEST(ItchParser, RefusesAMessageThatIsOneByteShortOrLong) {
  for (const std::string& fixture : Fixtures()) {
    const std::string bytes = FixtureBytes(fixture);
    const std::string shorter = bytes.substr(0, bytes.size() - 1);
    const std::string longer = bytes + std::string(1, '\0');
    for (const std::string& wrong : {shorter, longer}) {
      const auto message = Framed(wrong);
      ASSERT_EQ(message.status().code(), absl::StatusCode::kInvalidArgument) << fixture;
      EXPECT_NE(message.status().message().find(absl::StrCat("expected ", bytes.size())),
                absl::string_view::npos)
          << message.status();
    }
  }
}

TEST(ItchParser, RefusesNothingAtAllAndUnknownTypes) {
  EXPECT_FALSE(Framed("").ok());
  size_t refused = 0;
  for (int letter = 0; letter < 256; ++letter) {
    const std::string bytes(12, static_cast<char>(letter));
    const auto message = Framed(bytes);
    if (message.status().message().find("unknown message type") != absl::string_view::npos) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 256 - kItchTypeCount);
}

TEST(ItchParser, RefusesAnOrderThatIsNeitherBoughtNorSold) {
  for (const char* fixture : {"11_add_order", "12_add_order_mpid"}) {
    std::string bytes = FixtureBytes(fixture);
    ASSERT_EQ(bytes[19], 'B');
    bytes[19] = 'S';
    EXPECT_TRUE(Framed(bytes).ok());
    bytes[19] = '\n';
    const auto message = Framed(bytes);
    ASSERT_FALSE(message.ok());
    EXPECT_NE(message.status().message().find("'\\n', expected 'B' or 'S'"),
              absl::string_view::npos)
        << message.status();
  }
}

TEST(ItchParser, SurvivesRandomBytesOfEverySize) {
  Prng prng(1);
  for (int round = 0; round < 200'000; ++round) {
    std::string bytes(prng.Below(kItchMessageBytesMax + 3), '\0');
    for (char& c : bytes) c = static_cast<char>(prng.Next());
    if (!bytes.empty() && prng.Chance(80)) {
      bytes[0] = kItchTypes[prng.Below(kItchTypeCount)].letter;
    }
    const auto message = Framed(bytes);
    EXPECT_TRUE(!message.ok() || kItchTypes[message->index()].letter == bytes[0]);
  }
}

}  // namespace
}  // namespace engine
