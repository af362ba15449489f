#include "engine/wire/itch/message_json.h"

#include <variant>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/wire/field_json.h"

namespace engine {
namespace {

void PutFields(const ItchSystemEvent& m, FieldJson& to) { to.Put("event_code", m.event_code); }

void PutFields(const ItchStockDirectory& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("market_category", m.market_category);
  to.Put("financial_status_indicator", m.financial_status_indicator);
  to.Put("round_lot_size", m.round_lot_size);
  to.Put("round_lots_only", m.round_lots_only);
  to.Put("issue_classification", m.issue_classification);
  to.Put("issue_sub_type", m.issue_sub_type);
  to.Put("authenticity", m.authenticity);
  to.Put("short_sale_threshold_indicator", m.short_sale_threshold_indicator);
  to.Put("ipo_flag", m.ipo_flag);
  to.Put("luld_reference_price_tier", m.luld_reference_price_tier);
  to.Put("etp_flag", m.etp_flag);
  to.Put("etp_leverage_factor", m.etp_leverage_factor);
  to.Put("inverse_indicator", m.inverse_indicator);
}

void PutFields(const ItchStockTradingAction& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("trading_state", m.trading_state);
  to.Put("reserved", m.reserved);
  to.Put("reason", m.reason);
}

void PutFields(const ItchRegShoRestriction& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("reg_sho_action", m.reg_sho_action);
}

void PutFields(const ItchMarketParticipantPosition& m, FieldJson& to) {
  to.Put("participant", m.participant);
  to.Put("stock", m.stock);
  to.Put("primary_market_maker", m.primary_market_maker);
  to.Put("market_maker_mode", m.market_maker_mode);
  to.Put("participant_state", m.participant_state);
}

void PutFields(const ItchMwcbDeclineLevel& m, FieldJson& to) {
  to.Put("level_1", m.level_1);
  to.Put("level_2", m.level_2);
  to.Put("level_3", m.level_3);
}

void PutFields(const ItchMwcbStatus& m, FieldJson& to) {
  to.Put("breached_level", m.breached_level);
}

void PutFields(const ItchIpoQuotingPeriodUpdate& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("release_time_seconds", m.release_time_seconds);
  to.Put("release_qualifier", m.release_qualifier);
  to.Put("ipo_price", m.ipo_price);
}

void PutFields(const ItchLuldAuctionCollar& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("reference_price", m.reference_price);
  to.Put("upper_price", m.upper_price);
  to.Put("lower_price", m.lower_price);
  to.Put("extension_count", m.extension_count);
}

void PutFields(const ItchOperationalHalt& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("market_code", m.market_code);
  to.Put("halt_action", m.halt_action);
}

template <typename T>
void PutAddOrder(const T& m, FieldJson& to) {
  to.Put("order_reference", m.order_reference);
  to.Put("side", m.side.letter());
  to.Put("shares", m.shares);
  to.Put("stock", m.stock);
  to.Put("price", m.price);
}

void PutFields(const ItchAddOrder& m, FieldJson& to) { PutAddOrder(m, to); }

void PutFields(const ItchAddOrderWithParticipant& m, FieldJson& to) {
  PutAddOrder(m, to);
  to.Put("attribution", m.attribution);
}

void PutFields(const ItchOrderExecuted& m, FieldJson& to) {
  to.Put("order_reference", m.order_reference);
  to.Put("executed_shares", m.executed_shares);
  to.Put("match_number", m.match_number);
}

void PutFields(const ItchOrderExecutedWithPrice& m, FieldJson& to) {
  to.Put("order_reference", m.order_reference);
  to.Put("executed_shares", m.executed_shares);
  to.Put("match_number", m.match_number);
  to.Put("printable", m.printable);
  to.Put("execution_price", m.execution_price);
}

void PutFields(const ItchOrderCancel& m, FieldJson& to) {
  to.Put("order_reference", m.order_reference);
  to.Put("cancelled_shares", m.cancelled_shares);
}

void PutFields(const ItchOrderDelete& m, FieldJson& to) {
  to.Put("order_reference", m.order_reference);
}

void PutFields(const ItchOrderReplace& m, FieldJson& to) {
  to.Put("original_order_reference", m.original_order_reference);
  to.Put("new_order_reference", m.new_order_reference);
  to.Put("shares", m.shares);
  to.Put("price", m.price);
}

void PutFields(const ItchNonCrossTrade& m, FieldJson& to) {
  to.Put("order_reference", m.order_reference);
  to.Put("buy_sell_indicator", m.buy_sell_indicator);
  to.Put("shares", m.shares);
  to.Put("stock", m.stock);
  to.Put("price", m.price);
  to.Put("match_number", m.match_number);
}

void PutFields(const ItchCrossTrade& m, FieldJson& to) {
  to.Put("shares", m.shares);
  to.Put("stock", m.stock);
  to.Put("cross_price", m.cross_price);
  to.Put("match_number", m.match_number);
  to.Put("cross_type", m.cross_type);
}

void PutFields(const ItchBrokenTrade& m, FieldJson& to) { to.Put("match_number", m.match_number); }

void PutFields(const ItchNetOrderImbalance& m, FieldJson& to) {
  to.Put("paired_shares", m.paired_shares);
  to.Put("imbalance_shares", m.imbalance_shares);
  to.Put("imbalance_direction", m.imbalance_direction);
  to.Put("stock", m.stock);
  to.Put("far_price", m.far_price);
  to.Put("near_price", m.near_price);
  to.Put("current_reference_price", m.current_reference_price);
  to.Put("cross_type", m.cross_type);
  to.Put("price_variation_indicator", m.price_variation_indicator);
}

void PutFields(const ItchRetailPriceImprovement& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("interest_flag", m.interest_flag);
}

void PutFields(const ItchDirectListingWithCapitalRaise& m, FieldJson& to) {
  to.Put("stock", m.stock);
  to.Put("open_eligibility_status", m.open_eligibility_status);
  to.Put("minimum_allowable_price", m.minimum_allowable_price);
  to.Put("maximum_allowable_price", m.maximum_allowable_price);
  to.Put("near_execution_price", m.near_execution_price);
  to.Put("near_execution_time_ns", m.near_execution_time_ns);
  to.Put("lower_price_range_collar", m.lower_price_range_collar);
  to.Put("upper_price_range_collar", m.upper_price_range_collar);
}

}  // namespace

void AppendItchJson(const ItchMessage& message, std::string& out) {
  std::visit(
      [&out]<typename T>(const T& typed) {
        const char type = T::kType;
        absl::StrAppend(&out, "{\"type\":\"", absl::string_view(&type, 1), "\"");
        FieldJson to(out);
        to.Put("stock_locate", typed.header.stock_locate);
        to.Put("tracking_number", typed.header.tracking_number);
        to.Put("timestamp_ns", typed.header.timestamp_ns);
        PutFields(typed, to);
        out.push_back('}');
      },
      message);
}

}  // namespace engine
