// The exchange and the reference, which validate attachments by separate code, agree on which are
// sound and on their values.

#include "engine/reference/reference_attachments.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "engine/base/prng.h"
#include "engine/messages/account_codecs.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/messages/note_codec.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/types/money.h"
#include "engine/types/note.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "gtest/gtest.h"

namespace engine {
namespace {

// Makes attachments that are mostly sound; each field is sometimes at an end of its range, or
// beyond.
class AnyAttachment {
 public:
  explicit AnyAttachment(uint64_t seed) : prng_(seed) {}

  MarketDefinition Definition() {
    MarketDefinition market;
    market.id = MarketId(prng_.Chance(98) ? 1 : 0);
    market.symbol = OneOf<std::string>({"A", "A", "A", "~!", std::string(32, 'x')});
    if (prng_.Chance(5)) {
      market.symbol = OneOf<std::string>({"", "#", "A B", "\x7f", "\x1f", std::string(33, 'x')});
    }
    market.price_decimals = OneOf({0, 2, 2, 4, 6, 9, 10});
    market.quantity_decimals = OneOf({0, 0, 1, 2, 4, 9, 10});
    market.tick = Tick();
    market.price_min = Bound();
    market.price_max = Bound();
    if (market.price_min > market.price_max && prng_.Chance(90)) {
      std::swap(market.price_min, market.price_max);
    }
    market.lot = Quantity::FromUnits(OneOf<uint64_t>({1, 1, 10, 7, kMost, kMost + 1, 0}));
    market.quantity_min = Limit();
    market.quantity_max = Limit();
    market.kind = static_cast<MarketKind>(OneOf({0, 0, 0, 1, 1, 1, 2}));
    market.starts_unopened = prng_.Chance(50);
    market.fok_becomes_ioc = prng_.Chance(50);
    market.post_only_change_cancels = prng_.Chance(50);
    if (prng_.Chance(40)) {
      Price from = prng_.Chance(90) ? market.price_min : Bound();
      for (uint64_t i = OneOf<uint64_t>({1, 2, 3, 16, 17}); i > 0; --i) {
        market.bands.push_back({.from = from, .tick = Tick()});
        const int64_t step = prng_.Between(prng_.Chance(97) ? 1 : -1, 9);
        from = Price::FromUnits(from.units() + step);
      }
    }
    return market;
  }

  // Changes some bits, or the number of bytes.
  std::vector<std::byte> Spoil(std::vector<std::byte> bytes) {
    for (uint64_t bits = prng_.Below(3); bits > 0 && !bytes.empty(); --bits) {
      bytes[prng_.Below(bytes.size())] ^= static_cast<std::byte>(1 << prng_.Below(8));
    }
    if (prng_.Chance(5)) bytes.resize(prng_.Below(bytes.size() + 9));
    return bytes;
  }

  RiskLimits Limits() {
    return {.open_orders_max = prng_.Next(),
            .order_quantity_max = Limit(),
            .order_notional_max = Money::FromMicros(prng_.Between(-1, 1)),
            .orders_per_second_max = prng_.Below(3)};
  }
  FeeSchedule Fees() {
    return {.taker_coefficient = OneOf<uint32_t>({0, 700, 9'999, 10'000, ~0u}),
            .maker_coefficient = OneOf<uint32_t>({0, 175, 9'999, 10'000, ~0u}),
            .multiplier = OneOf<uint32_t>({0, 1, 99, 100, 101, ~0u})};
  }
  Note ANote() {
    return {.name_space = OneOf<std::string>(
                {"a", "venue", "a-z.0_9", std::string(32, 'z'), "", "A", "`", "{", "/", ":", "a b",
                 "a\n", std::string(1, '\0'), std::string(33, 'z'), std::string(7, 'a')}),
            .version = OneOf<uint16_t>({0, 1, 1, 2, 65535}),
            .bytes = std::vector<std::byte>(
                prng_.Chance(98) ? prng_.Below(20)
                                 : OneOf({kNoteBytesMax - 1, kNoteBytesMax, kNoteBytesMax + 1}),
                static_cast<std::byte>(prng_.Below(256)))};
  }

 private:
  static constexpr uint64_t kMost = 10'000'000'000;
  static constexpr int64_t kFar = 1'000'000'000'000;

  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[prng_.Below(values.size())];
  }
  Price Tick() {
    return Price::FromUnits(OneOf<int64_t>({1, 1, 2, 5, 7, 10, 10, 1000, kFar, kFar + 1, 0, -1}));
  }
  Price Bound() {
    if (prng_.Chance(80)) return Price::FromUnits(prng_.Between(-12, 110));
    return Price::FromUnits(OneOf<int64_t>(
        {1, 99, 100, 9'999, 10'000, 999'999, 1'000'000, kFar, kFar + 1, -kFar, -kFar - 1}));
  }
  Quantity Limit() {
    return Quantity::FromUnits(
        OneOf<uint64_t>({0, 0, 0, 1, 9, 10, 11, 19, 20, kMost - 1, kMost, kMost + 1}));
  }

  Prng prng_;
};

TEST(ReferenceAttachments, BothAgreeWhichDefinitionsAreValid) {
  AnyAttachment any(1);
  int sound = 0;
  int without_price = 0;
  for (int i = 0; i < 200'000; ++i) {
    const MarketDefinition market = any.Definition();
    const absl::Status status = Validate(market);
    ASSERT_EQ(IsSoundForReference(market), status.ok())
        << "round " << i << ": " << status << ", prices " << market.price_min.units() << " to "
        << market.price_max.units() << " by " << market.tick.units() << ", " << market.bands.size()
        << " bands";
    if (status.ok()) ++sound;
    if (status.message().find("multiple of the tick") != std::string::npos) ++without_price;
  }
  EXPECT_GT(sound, 2'000);
  EXPECT_GT(without_price, 500);
}

TEST(ReferenceAttachments, BothReadTheSameFromBytesOfDefinitions) {
  AnyAttachment any(2);
  int sound = 0;
  for (int i = 0; i < 50'000; ++i) {
    const auto bytes = any.Spoil(EncodeMarketDefinition(any.Definition()));
    const auto decoded = DecodeMarketDefinition(bytes);
    const auto read = ReadReferenceDefinition(bytes);
    ASSERT_EQ(read.has_value(), decoded.ok()) << "round " << i << ": " << decoded.status();
    if (!decoded.ok()) continue;
    ASSERT_EQ(*read, *decoded) << "round " << i;
    ++sound;
  }
  EXPECT_GT(sound, 500);
}

TEST(ReferenceAttachments, BothReadTheSameFromBytesOfLimitsAndFees) {
  AnyAttachment any(3);
  for (int i = 0; i < 20'000; ++i) {
    const auto limits = any.Spoil(EncodeRiskLimits(any.Limits()));
    const auto decoded_limits = DecodeRiskLimits(limits);
    const auto read_limits = ReadReferenceLimits(limits);
    ASSERT_EQ(read_limits.has_value(), decoded_limits.ok()) << "round " << i;
    if (decoded_limits.ok()) {
      ASSERT_EQ(*read_limits, *decoded_limits) << "round " << i;
    }
    const auto fees = any.Spoil(EncodeFeeSchedule(any.Fees()));
    const auto decoded_fees = DecodeFeeSchedule(fees);
    const auto read_fees = ReadReferenceFees(fees);
    ASSERT_EQ(read_fees.has_value(), decoded_fees.ok()) << "round " << i;
    if (decoded_fees.ok()) {
      ASSERT_EQ(*read_fees, *decoded_fees) << "round " << i;
    }
  }
}

TEST(ReferenceAttachments, BothReadTheSameFromBytesOfNotes) {
  AnyAttachment any(4);
  int sound = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto bytes = any.Spoil(EncodeNote(any.ANote()));
    const auto decoded = DecodeNote(bytes);
    const auto read = ReadReferenceNote(bytes);
    ASSERT_EQ(read.has_value(), decoded.ok()) << "round " << i << ": " << decoded.status();
    if (!decoded.ok()) continue;
    ASSERT_EQ(*read, *decoded) << "round " << i;
    ++sound;
  }
  EXPECT_GT(sound, 2'000);
}

}  // namespace
}  // namespace engine
