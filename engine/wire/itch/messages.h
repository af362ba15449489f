// The 23 message types of Nasdaq TotalView-ITCH 5.0, decoded field by field, without
// interpretation.
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
#include <cstddef>
#include <cstdint>
#include <variant>

#include "engine/types/side.h"

namespace engine {

using ItchStock = std::array<char, 8>;
using ItchParticipant = std::array<char, 4>;

// The fields that every message begins with, after its type.
struct ItchHeader {
  uint16_t stock_locate = 0;  // The stock's number for the day; 0 if the message has none.
  uint16_t tracking_number = 0;
  uint64_t timestamp_ns = 0;  // 48 bits on the wire.
};

struct ItchSystemEvent {
  static constexpr char kType = 'S';
  static constexpr size_t kBytes = 12;
  ItchHeader header;
  char event_code = 0;  // O S Q M E C: start of messages .. end of messages.
};

struct ItchStockDirectory {
  static constexpr char kType = 'R';
  static constexpr size_t kBytes = 39;
  ItchHeader header;
  ItchStock stock = {};
  char market_category = 0;
  char financial_status_indicator = 0;
  uint32_t round_lot_size = 0;
  char round_lots_only = 0;
  char issue_classification = 0;
  std::array<char, 2> issue_sub_type = {};
  char authenticity = 0;
  char short_sale_threshold_indicator = 0;
  char ipo_flag = 0;
  char luld_reference_price_tier = 0;
  char etp_flag = 0;
  uint32_t etp_leverage_factor = 0;
  char inverse_indicator = 0;
};

struct ItchStockTradingAction {
  static constexpr char kType = 'H';
  static constexpr size_t kBytes = 25;
  ItchHeader header;
  ItchStock stock = {};
  char trading_state = 0;  // H P Q T: halted, paused, quotation only, trading.
  char reserved = 0;
  std::array<char, 4> reason = {};
};

struct ItchRegShoRestriction {
  static constexpr char kType = 'Y';
  static constexpr size_t kBytes = 20;
  ItchHeader header;
  ItchStock stock = {};
  char reg_sho_action = 0;
};

struct ItchMarketParticipantPosition {
  static constexpr char kType = 'L';
  static constexpr size_t kBytes = 26;
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
  static constexpr size_t kBytes = 35;
  ItchHeader header;
  uint64_t level_1 = 0;
  uint64_t level_2 = 0;
  uint64_t level_3 = 0;
};

struct ItchMwcbStatus {
  static constexpr char kType = 'W';
  static constexpr size_t kBytes = 12;
  ItchHeader header;
  char breached_level = 0;
};

struct ItchIpoQuotingPeriodUpdate {
  static constexpr char kType = 'K';
  static constexpr size_t kBytes = 28;
  ItchHeader header;
  ItchStock stock = {};
  uint32_t release_time_seconds = 0;  // Since midnight.
  char release_qualifier = 0;
  uint32_t ipo_price = 0;
};

struct ItchLuldAuctionCollar {
  static constexpr char kType = 'J';
  static constexpr size_t kBytes = 35;
  ItchHeader header;
  ItchStock stock = {};
  uint32_t reference_price = 0;
  uint32_t upper_price = 0;
  uint32_t lower_price = 0;
  uint32_t extension_count = 0;
};

struct ItchOperationalHalt {
  static constexpr char kType = 'h';
  static constexpr size_t kBytes = 21;
  ItchHeader header;
  ItchStock stock = {};
  char market_code = 0;
  char halt_action = 0;
};

struct ItchAddOrder {
  static constexpr char kType = 'A';
  static constexpr size_t kBytes = 36;
  ItchHeader header;
  uint64_t order_reference = 0;
  Side side = {};  // 'B' or 'S' on the wire; anything else is refused.
  uint32_t shares = 0;
  ItchStock stock = {};
  uint32_t price = 0;
};

struct ItchAddOrderWithParticipant {
  static constexpr char kType = 'F';
  static constexpr size_t kBytes = 40;
  ItchHeader header;
  uint64_t order_reference = 0;
  Side side = {};
  uint32_t shares = 0;
  ItchStock stock = {};
  uint32_t price = 0;
  ItchParticipant attribution = {};
};

struct ItchOrderExecuted {
  static constexpr char kType = 'E';
  static constexpr size_t kBytes = 31;
  ItchHeader header;
  uint64_t order_reference = 0;
  uint32_t executed_shares = 0;
  uint64_t match_number = 0;
};

struct ItchOrderExecutedWithPrice {
  static constexpr char kType = 'C';
  static constexpr size_t kBytes = 36;
  ItchHeader header;
  uint64_t order_reference = 0;
  uint32_t executed_shares = 0;
  uint64_t match_number = 0;
  char printable = 0;
  uint32_t execution_price = 0;
};

struct ItchOrderCancel {
  static constexpr char kType = 'X';
  static constexpr size_t kBytes = 23;
  ItchHeader header;
  uint64_t order_reference = 0;
  uint32_t cancelled_shares = 0;
};

struct ItchOrderDelete {
  static constexpr char kType = 'D';
  static constexpr size_t kBytes = 19;
  ItchHeader header;
  uint64_t order_reference = 0;
};

struct ItchOrderReplace {
  static constexpr char kType = 'U';
  static constexpr size_t kBytes = 35;
  ItchHeader header;
  uint64_t original_order_reference = 0;
  uint64_t new_order_reference = 0;
  uint32_t shares = 0;
  uint32_t price = 0;
};

// A trade against an order that was never displayed: no book holds it.
struct ItchNonCrossTrade {
  static constexpr char kType = 'P';
  static constexpr size_t kBytes = 44;
  ItchHeader header;
  uint64_t order_reference = 0;
  char buy_sell_indicator = 0;
  uint32_t shares = 0;
  ItchStock stock = {};
  uint32_t price = 0;
  uint64_t match_number = 0;
};

struct ItchCrossTrade {
  static constexpr char kType = 'Q';
  static constexpr size_t kBytes = 40;
  ItchHeader header;
  uint64_t shares = 0;
  ItchStock stock = {};
  uint32_t cross_price = 0;
  uint64_t match_number = 0;
  char cross_type = 0;
};

struct ItchBrokenTrade {
  static constexpr char kType = 'B';
  static constexpr size_t kBytes = 19;
  ItchHeader header;
  uint64_t match_number = 0;
};

struct ItchNetOrderImbalance {
  static constexpr char kType = 'I';
  static constexpr size_t kBytes = 50;
  ItchHeader header;
  uint64_t paired_shares = 0;
  uint64_t imbalance_shares = 0;
  char imbalance_direction = 0;
  ItchStock stock = {};
  uint32_t far_price = 0;
  uint32_t near_price = 0;
  uint32_t current_reference_price = 0;
  char cross_type = 0;
  char price_variation_indicator = 0;
};

struct ItchRetailPriceImprovement {
  static constexpr char kType = 'N';
  static constexpr size_t kBytes = 20;
  ItchHeader header;
  ItchStock stock = {};
  char interest_flag = 0;
};

struct ItchDirectListingWithCapitalRaise {
  static constexpr char kType = 'O';
  static constexpr size_t kBytes = 48;
  ItchHeader header;
  ItchStock stock = {};
  char open_eligibility_status = 0;
  uint32_t minimum_allowable_price = 0;
  uint32_t maximum_allowable_price = 0;
  uint32_t near_execution_price = 0;
  uint64_t near_execution_time_ns = 0;
  uint32_t lower_price_range_collar = 0;
  uint32_t upper_price_range_collar = 0;
};

// In the order of the specification; message_type.h lists them in the same order.
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
