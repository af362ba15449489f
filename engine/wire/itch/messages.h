// The 23 message types of Nasdaq TotalView-ITCH 5.0, field by field, without interpretation. Each
// struct has the layout of its message after the type letter: to copy the bytes is to parse them.
//
// Units, unless a field says otherwise: prices are counts of 0.0001 dollar, shares are whole
// shares, times are nanoseconds since midnight in New York. Text is as on the wire, padded on the
// right with spaces. Single characters are the specification's codes and are not checked, except
// for the side of an order.
//
// Source: Nasdaq TotalView-ITCH 5.0 specification; the bytes are in PROTOCOL.md.

#ifndef ENGINE_WIRE_ITCH_MESSAGES_H_
#define ENGINE_WIRE_ITCH_MESSAGES_H_

#include <array>
#include <cstdint>
#include <variant>

#include "absl/strings/string_view.h"
#include "engine/types/side.h"
#include "engine/wire/big_endian.h"

namespace engine {

using ItchUint16 = BigEndianInteger<uint16_t>;
using ItchUint32 = BigEndianInteger<uint32_t>;
using ItchUint48 = BigEndianInteger<uint64_t, 6>;
using ItchUint64 = BigEndianInteger<uint64_t>;

// 'B' or 'S'. Used like a Side.
class ItchSide {
 public:
  ItchSide(Side side = Side::kBid) : letter_(side == Side::kBid ? 'B' : 'S') {}

  operator Side() const { return letter_ == 'B' ? Side::kBid : Side::kAsk; }
  // As on the wire: any byte, until the parser has checked it.
  char letter() const { return letter_; }

 private:
  char letter_;
};

using ItchStock = std::array<char, 8>;
using ItchParticipant = std::array<char, 4>;

// The fields that every message begins with, after its type.
struct ItchHeader {
  ItchUint16 stock_locate = 0;  // The stock's number for the day; 0 if the message has none.
  ItchUint16 tracking_number = 0;
  ItchUint48 timestamp_ns = 0;
};

struct ItchSystemEvent {
  static constexpr char kType = 'S';
  static constexpr absl::string_view kName = "system_event";
  ItchHeader header;
  char event_code = 0;  // O S Q M E C: start of messages .. end of messages.
};

struct ItchStockDirectory {
  static constexpr char kType = 'R';
  static constexpr absl::string_view kName = "stock_directory";
  ItchHeader header;
  ItchStock stock = {};
  char market_category = 0;
  char financial_status_indicator = 0;
  ItchUint32 round_lot_size = 0;
  char round_lots_only = 0;
  char issue_classification = 0;
  std::array<char, 2> issue_sub_type = {};
  char authenticity = 0;
  char short_sale_threshold_indicator = 0;
  char ipo_flag = 0;
  char luld_reference_price_tier = 0;
  char etp_flag = 0;
  ItchUint32 etp_leverage_factor = 0;
  char inverse_indicator = 0;
};

struct ItchStockTradingAction {
  static constexpr char kType = 'H';
  static constexpr absl::string_view kName = "stock_trading_action";
  ItchHeader header;
  ItchStock stock = {};
  char trading_state = 0;  // H P Q T: halted, paused, quotation only, trading.
  char reserved = 0;
  std::array<char, 4> reason = {};
};

struct ItchRegShoRestriction {
  static constexpr char kType = 'Y';
  static constexpr absl::string_view kName = "reg_sho_restriction";
  ItchHeader header;
  ItchStock stock = {};
  char reg_sho_action = 0;
};

struct ItchMarketParticipantPosition {
  static constexpr char kType = 'L';
  static constexpr absl::string_view kName = "market_participant_position";
  ItchHeader header;
  ItchParticipant participant = {};
  ItchStock stock = {};
  char primary_market_maker = 0;
  char market_maker_mode = 0;
  char participant_state = 0;
};

// Prices of the market-wide circuit breaker: counts of 0.00000001 dollar.
struct ItchMwcbDeclineLevel {
  static constexpr char kType = 'V';
  static constexpr absl::string_view kName = "mwcb_decline_level";
  ItchHeader header;
  ItchUint64 level_1 = 0;
  ItchUint64 level_2 = 0;
  ItchUint64 level_3 = 0;
};

struct ItchMwcbStatus {
  static constexpr char kType = 'W';
  static constexpr absl::string_view kName = "mwcb_status";
  ItchHeader header;
  char breached_level = 0;
};

struct ItchIpoQuotingPeriodUpdate {
  static constexpr char kType = 'K';
  static constexpr absl::string_view kName = "ipo_quoting_period_update";
  ItchHeader header;
  ItchStock stock = {};
  ItchUint32 release_time_seconds = 0;  // Since midnight.
  char release_qualifier = 0;
  ItchUint32 ipo_price = 0;
};

struct ItchLuldAuctionCollar {
  static constexpr char kType = 'J';
  static constexpr absl::string_view kName = "luld_auction_collar";
  ItchHeader header;
  ItchStock stock = {};
  ItchUint32 reference_price = 0;
  ItchUint32 upper_price = 0;
  ItchUint32 lower_price = 0;
  ItchUint32 extension_count = 0;
};

struct ItchOperationalHalt {
  static constexpr char kType = 'h';
  static constexpr absl::string_view kName = "operational_halt";
  ItchHeader header;
  ItchStock stock = {};
  char market_code = 0;
  char halt_action = 0;
};

struct ItchAddOrder {
  static constexpr char kType = 'A';
  static constexpr absl::string_view kName = "add_order";
  ItchHeader header;
  ItchUint64 order_reference = 0;
  ItchSide side = {};
  ItchUint32 shares = 0;
  ItchStock stock = {};
  ItchUint32 price = 0;
};

struct ItchAddOrderWithParticipant {
  static constexpr char kType = 'F';
  static constexpr absl::string_view kName = "add_order_with_participant";
  ItchHeader header;
  ItchUint64 order_reference = 0;
  ItchSide side = {};
  ItchUint32 shares = 0;
  ItchStock stock = {};
  ItchUint32 price = 0;
  ItchParticipant attribution = {};
};

struct ItchOrderExecuted {
  static constexpr char kType = 'E';
  static constexpr absl::string_view kName = "order_executed";
  ItchHeader header;
  ItchUint64 order_reference = 0;
  ItchUint32 executed_shares = 0;
  ItchUint64 match_number = 0;
};

struct ItchOrderExecutedWithPrice {
  static constexpr char kType = 'C';
  static constexpr absl::string_view kName = "order_executed_with_price";
  ItchHeader header;
  ItchUint64 order_reference = 0;
  ItchUint32 executed_shares = 0;
  ItchUint64 match_number = 0;
  char printable = 0;
  ItchUint32 execution_price = 0;
};

struct ItchOrderCancel {
  static constexpr char kType = 'X';
  static constexpr absl::string_view kName = "order_cancel";
  ItchHeader header;
  ItchUint64 order_reference = 0;
  ItchUint32 cancelled_shares = 0;
};

struct ItchOrderDelete {
  static constexpr char kType = 'D';
  static constexpr absl::string_view kName = "order_delete";
  ItchHeader header;
  ItchUint64 order_reference = 0;
};

struct ItchOrderReplace {
  static constexpr char kType = 'U';
  static constexpr absl::string_view kName = "order_replace";
  ItchHeader header;
  ItchUint64 original_order_reference = 0;
  ItchUint64 new_order_reference = 0;
  ItchUint32 shares = 0;
  ItchUint32 price = 0;
};

// A trade against an order that was never displayed: no book holds it.
struct ItchNonCrossTrade {
  static constexpr char kType = 'P';
  static constexpr absl::string_view kName = "non_cross_trade";
  ItchHeader header;
  ItchUint64 order_reference = 0;
  char buy_sell_indicator = 0;
  ItchUint32 shares = 0;
  ItchStock stock = {};
  ItchUint32 price = 0;
  ItchUint64 match_number = 0;
};

struct ItchCrossTrade {
  static constexpr char kType = 'Q';
  static constexpr absl::string_view kName = "cross_trade";
  ItchHeader header;
  ItchUint64 shares = 0;
  ItchStock stock = {};
  ItchUint32 cross_price = 0;
  ItchUint64 match_number = 0;
  char cross_type = 0;
};

struct ItchBrokenTrade {
  static constexpr char kType = 'B';
  static constexpr absl::string_view kName = "broken_trade";
  ItchHeader header;
  ItchUint64 match_number = 0;
};

struct ItchNetOrderImbalance {
  static constexpr char kType = 'I';
  static constexpr absl::string_view kName = "net_order_imbalance";
  ItchHeader header;
  ItchUint64 paired_shares = 0;
  ItchUint64 imbalance_shares = 0;
  char imbalance_direction = 0;
  ItchStock stock = {};
  ItchUint32 far_price = 0;
  ItchUint32 near_price = 0;
  ItchUint32 current_reference_price = 0;
  char cross_type = 0;
  char price_variation_indicator = 0;
};

struct ItchRetailPriceImprovement {
  static constexpr char kType = 'N';
  static constexpr absl::string_view kName = "retail_price_improvement";
  ItchHeader header;
  ItchStock stock = {};
  char interest_flag = 0;
};

struct ItchDirectListingWithCapitalRaise {
  static constexpr char kType = 'O';
  static constexpr absl::string_view kName = "direct_listing_with_capital_raise";
  ItchHeader header;
  ItchStock stock = {};
  char open_eligibility_status = 0;
  ItchUint32 minimum_allowable_price = 0;
  ItchUint32 maximum_allowable_price = 0;
  ItchUint32 near_execution_price = 0;
  ItchUint64 near_execution_time_ns = 0;
  ItchUint32 lower_price_range_collar = 0;
  ItchUint32 upper_price_range_collar = 0;
};

// In the order of the specification.
using ItchMessage =
    std::variant<ItchSystemEvent, ItchStockDirectory, ItchStockTradingAction, ItchRegShoRestriction,
                 ItchMarketParticipantPosition, ItchMwcbDeclineLevel, ItchMwcbStatus,
                 ItchIpoQuotingPeriodUpdate, ItchLuldAuctionCollar, ItchOperationalHalt,
                 ItchAddOrder, ItchAddOrderWithParticipant, ItchOrderExecuted,
                 ItchOrderExecutedWithPrice, ItchOrderCancel, ItchOrderDelete, ItchOrderReplace,
                 ItchNonCrossTrade, ItchCrossTrade, ItchBrokenTrade, ItchNetOrderImbalance,
                 ItchRetailPriceImprovement, ItchDirectListingWithCapitalRaise>;

}  // namespace engine

#endif  // ENGINE_WIRE_ITCH_MESSAGES_H_
