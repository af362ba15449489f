#include "engine/wire/itch/parser.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/wire/itch/message_type.h"

namespace engine {
namespace {

absl::string_view LetterText(const std::byte& letter) { return AsText(Bytes(&letter, 1)); }

// Reads the fields of a message whose size has been checked.
class Cursor {
 public:
  explicit Cursor(const std::byte* at) : at_(at) {}

  template <typename... Fields>
  void Take(Fields&... fields) {
    (TakeOne(fields), ...);
  }

  const std::byte* at() const { return at_; }
  bool side_is_wrong() const { return side_is_wrong_; }

 private:
  template <std::unsigned_integral T>
  void TakeOne(T& field) {
    field = LoadBigEndian<T>(at_);
    at_ += sizeof(T);
  }

  void TakeOne(char& field) {
    field = static_cast<char>(*at_);
    ++at_;
  }

  template <size_t kSize>
  void TakeOne(std::array<char, kSize>& field) {
    std::memcpy(field.data(), at_, kSize);
    at_ += kSize;
  }

  void TakeOne(Side& field) {
    side_is_wrong_ = *at_ != std::byte{'B'} && *at_ != std::byte{'S'};
    field = *at_ == std::byte{'B'} ? Side::kBid : Side::kAsk;
    ++at_;
  }

  void TakeOne(ItchHeader& field) {
    Take(field.stock_locate, field.tracking_number);
    const uint64_t high = LoadBigEndian<uint16_t>(at_);
    field.timestamp_ns = high << 32 | LoadBigEndian<uint32_t>(at_ + 2);
    at_ += 6;
  }

  const std::byte* at_;
  bool side_is_wrong_ = false;
};

void Read(Cursor& in, ItchSystemEvent& m) { in.Take(m.header, m.event_code); }

void Read(Cursor& in, ItchStockDirectory& m) {
  in.Take(m.header, m.stock, m.market_category, m.financial_status_indicator, m.round_lot_size,
          m.round_lots_only, m.issue_classification, m.issue_sub_type, m.authenticity,
          m.short_sale_threshold_indicator, m.ipo_flag, m.luld_reference_price_tier, m.etp_flag,
          m.etp_leverage_factor, m.inverse_indicator);
}

void Read(Cursor& in, ItchStockTradingAction& m) {
  in.Take(m.header, m.stock, m.trading_state, m.reserved, m.reason);
}

void Read(Cursor& in, ItchRegShoRestriction& m) { in.Take(m.header, m.stock, m.reg_sho_action); }

void Read(Cursor& in, ItchMarketParticipantPosition& m) {
  in.Take(m.header, m.participant, m.stock, m.primary_market_maker, m.market_maker_mode,
          m.participant_state);
}

void Read(Cursor& in, ItchMwcbDeclineLevel& m) {
  in.Take(m.header, m.level_1, m.level_2, m.level_3);
}

void Read(Cursor& in, ItchMwcbStatus& m) { in.Take(m.header, m.breached_level); }

void Read(Cursor& in, ItchIpoQuotingPeriodUpdate& m) {
  in.Take(m.header, m.stock, m.release_time_seconds, m.release_qualifier, m.ipo_price);
}

void Read(Cursor& in, ItchLuldAuctionCollar& m) {
  in.Take(m.header, m.stock, m.reference_price, m.upper_price, m.lower_price, m.extension_count);
}

void Read(Cursor& in, ItchOperationalHalt& m) {
  in.Take(m.header, m.stock, m.market_code, m.halt_action);
}

void Read(Cursor& in, ItchAddOrder& m) {
  in.Take(m.header, m.order_reference, m.side, m.shares, m.stock, m.price);
}

void Read(Cursor& in, ItchAddOrderWithParticipant& m) {
  in.Take(m.header, m.order_reference, m.side, m.shares, m.stock, m.price, m.attribution);
}

void Read(Cursor& in, ItchOrderExecuted& m) {
  in.Take(m.header, m.order_reference, m.executed_shares, m.match_number);
}

void Read(Cursor& in, ItchOrderExecutedWithPrice& m) {
  in.Take(m.header, m.order_reference, m.executed_shares, m.match_number, m.printable,
          m.execution_price);
}

void Read(Cursor& in, ItchOrderCancel& m) {
  in.Take(m.header, m.order_reference, m.cancelled_shares);
}

void Read(Cursor& in, ItchOrderDelete& m) { in.Take(m.header, m.order_reference); }

void Read(Cursor& in, ItchOrderReplace& m) {
  in.Take(m.header, m.original_order_reference, m.new_order_reference, m.shares, m.price);
}

void Read(Cursor& in, ItchNonCrossTrade& m) {
  in.Take(m.header, m.order_reference, m.buy_sell_indicator, m.shares, m.stock, m.price,
          m.match_number);
}

void Read(Cursor& in, ItchCrossTrade& m) {
  in.Take(m.header, m.shares, m.stock, m.cross_price, m.match_number, m.cross_type);
}

void Read(Cursor& in, ItchBrokenTrade& m) { in.Take(m.header, m.match_number); }

void Read(Cursor& in, ItchNetOrderImbalance& m) {
  in.Take(m.header, m.paired_shares, m.imbalance_shares, m.imbalance_direction, m.stock,
          m.far_price, m.near_price, m.current_reference_price, m.cross_type,
          m.price_variation_indicator);
}

void Read(Cursor& in, ItchRetailPriceImprovement& m) {
  in.Take(m.header, m.stock, m.interest_flag);
}

void Read(Cursor& in, ItchDirectListingWithCapitalRaise& m) {
  in.Take(m.header, m.stock, m.open_eligibility_status, m.minimum_allowable_price,
          m.maximum_allowable_price, m.near_execution_price, m.near_execution_time_ns,
          m.lower_price_range_collar, m.upper_price_range_collar);
}

template <typename T>
absl::StatusOr<ItchMessage> Parse(const ItchFrame& frame) {
  const Bytes message = frame.message;
  absl::StatusOr<ItchMessage> result(absl::in_place, std::in_place_type<T>);
  Cursor in(message.data() + 1);
  Read(in, *std::get_if<T>(&*result));
  CHECK(in.at() == message.data() + message.size())
      << "the fields of '" << T::kType << "' do not sum";
  if (in.side_is_wrong()) {
    constexpr size_t kSideAt = 19;
    return absl::InvalidArgumentError(
        absl::StrCat("message ", frame.number, " at byte ", frame.offset,
                     ": the buy/sell indicator of ", kItchTypes[kItchIndexOf<T>].name, " is '",
                     absl::CHexEscape(LetterText(message[kSideAt])), "', expected 'B' or 'S'"));
  }
  return result;
}

using ParseFunction = absl::StatusOr<ItchMessage> (*)(const ItchFrame&);

template <size_t... kIndex>
constexpr std::array<ParseFunction, kItchTypeCount> MakeParsers(std::index_sequence<kIndex...>) {
  return {&Parse<std::variant_alternative_t<kIndex, ItchMessage>>...};
}

constexpr auto kParsers = MakeParsers(std::make_index_sequence<kItchTypeCount>());

}  // namespace

absl::StatusOr<ItchMessage> ParseItchMessage(const ItchFrame& frame) {
  const std::optional<size_t> index = ItchTypeIndex(AsText(frame.message).front());
  CHECK(index.has_value());
  return kParsers[*index](frame);
}

}  // namespace engine
