#include "engine/state/state_digest.h"

#include <array>
#include <cstddef>

#include "engine/base/bytes.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/order_flags.h"
#include "engine/types/side.h"
#include "engine/types/time_in_force.h"

namespace engine {
namespace {

// The first word names the kind of entity, so that no order has the digest of a market; its last
// character is the version of the layout.
constexpr uint64_t Tag(const char (&text)[9]) {
  uint64_t word = 0;
  for (int i = 7; i >= 0; --i) word = word << 8 | static_cast<uint8_t>(text[i]);
  return word;
}
constexpr uint64_t kPlainOrderTag = Tag("order  1");
constexpr uint64_t kOrderTag = Tag("order  2");
constexpr uint64_t kMarketStatusTag = Tag("mstate 1");
constexpr uint64_t kAccountTag = Tag("account1");
constexpr uint64_t kStandingTag = Tag("standin1");
constexpr uint64_t kPositionTag = Tag("positio1");
constexpr uint64_t kPositionLimitTag = Tag("poslimi1");
constexpr uint64_t kGroupTag = Tag("group  1");
constexpr uint64_t kGroupFillTag = Tag("gfill  1");
constexpr uint64_t kExchangeTag = Tag("exchang1");
constexpr uint64_t kDefaultFeesTag = Tag("fees   1");
constexpr uint64_t kTotalsTag = Tag("totals 1");
constexpr uint64_t kMarketTag = Tag("market 1");
constexpr uint64_t kStateTag = Tag("state  1");

template <typename... Words>
Digest DigestOfWords(Words... words) {
  return DigestOf(AsBytes(std::array<uint64_t, sizeof...(words)>{words...}));
}

constexpr uint64_t Word(uint64_t low32, uint64_t high32) { return low32 | high32 << 32; }
uint64_t Word(Money money) { return static_cast<uint64_t>(money.micros()); }

// The two coefficients fill a word, so the multiplier has its own.
std::array<uint64_t, 2> Words(const FeeSchedule& fees) {
  return {Word(fees.taker_coefficient, fees.maker_coefficient), fees.multiplier};
}

bool IsPlain(const RestingOrder& order) {
  return order.tif == TimeInForce::kGoodTillCancelled && order.flags == OrderFlags() &&
         order.group == GroupId() && order.expires_at == Timestamp() && order.credit == Money();
}

bool Counts(const MarketStatus& status) {
  return status.state != MarketState::kOpen || status.fees != FeeSchedule();
}

Digest DigestOfStatus(const MarketStatus& status) {
  const auto fees = Words(status.fees);
  return DigestOfWords(kMarketStatusTag, status.market.value(), static_cast<uint64_t>(status.state),
                       static_cast<uint64_t>(status.settlement_value.units()), fees[0], fees[1]);
}

}  // namespace

Digest DigestOfOrder(const RestingOrder& order) {
  const auto digest_of = [&](uint64_t tag, auto... terms) {
    return DigestOfWords(tag, order.id.value(), order.priority.value(),
                         static_cast<uint64_t>(order.price.units()),
                         order.quantity_remaining.units(), order.quantity_filled.units(),
                         Word(order.account.value(), order.market.value()),
                         static_cast<uint64_t>(order.side), terms...);
  };
  if (IsPlain(order)) return digest_of(kPlainOrderTag);
  const uint64_t terms = static_cast<uint64_t>(order.tif) | uint64_t{order.flags.bits()} << 8 |
                         uint64_t{order.group.value()} << 16;
  return digest_of(kOrderTag, terms, static_cast<uint64_t>(order.expires_at.nanos()),
                   Word(order.credit));
}

Digest DigestOfMarket(const MarketDefinition& definition) {
  const Digest digest = DigestOf(EncodeMarketDefinition(definition));
  return DigestOfWords(kMarketTag, digest.low, digest.high);
}

Digest DigestOfState(const StateSummary& state) {
  constexpr uint64_t kReserved = 0;
  return DigestOfWords(kStateTag, state.last_applied.value(),
                       static_cast<uint64_t>(state.now.nanos()), state.market_count,
                       state.live_order_count, kReserved, state.sum.low, state.sum.high);
}

void AddMarketStatus(const MarketStatus& status, DigestSum& sum) {
  if (Counts(status)) sum.Add(DigestOfStatus(status));
}

void SubtractMarketStatus(const MarketStatus& status, DigestSum& sum) {
  if (Counts(status)) sum.Subtract(DigestOfStatus(status));
}

void AddAccountStatus(const AccountStatus& status, DigestSum& sum) {
  if (!status.is_open && status.limits == RiskLimits()) return;
  const RiskLimits& limits = status.limits;
  sum.Add(DigestOfWords(
      kAccountTag, Word(status.account.value(), status.is_open ? 1 : 0), Word(status.balance),
      limits.open_orders_max, limits.order_quantity_max.units(), Word(limits.order_notional_max),
      limits.orders_per_second_max, static_cast<uint64_t>(status.rate_second), status.rate_count));
  if (status.standing == AccountStanding::kActive) return;
  sum.Add(DigestOfWords(kStandingTag,
                        Word(status.account.value(), static_cast<uint64_t>(status.standing))));
}

void AddPosition(AccountId account, MarketId market, int64_t position, DigestSum& sum) {
  if (position == 0) return;
  sum.Add(DigestOfWords(kPositionTag, Word(account.value(), market.value()),
                        static_cast<uint64_t>(position)));
}

void AddPositionLimit(const PositionLimitStatus& status, DigestSum& sum) {
  if (status.limit.is_zero()) return;
  sum.Add(DigestOfWords(kPositionLimitTag, Word(status.account.value(), status.market.value()),
                        status.limit.units(), static_cast<uint64_t>(status.traded)));
}

void AddGroupStatus(const GroupStatus& status, DigestSum& sum) {
  sum.Add(DigestOfWords(kGroupTag, Word(status.account.value(), status.group.value()),
                        status.limit.units(), static_cast<uint64_t>(status.window_nanos),
                        status.is_tripped ? uint64_t{1} : 0));
}

void AddGroupFill(AccountId account, GroupId group, Timestamp time, Quantity quantity,
                  DigestSum& sum) {
  sum.Add(DigestOfWords(kGroupFillTag, Word(account.value(), group.value()),
                        static_cast<uint64_t>(time.nanos()), quantity.units()));
}

void AddExchangeStatus(const ExchangeStatus& status, DigestSum& sum) {
  if (status.state != ExchangeState::kActive) {
    sum.Add(DigestOfWords(kExchangeTag, static_cast<uint64_t>(status.state)));
  }
  if (status.default_fees != FeeSchedule()) {
    const auto fees = Words(status.default_fees);
    sum.Add(DigestOfWords(kDefaultFeesTag, fees[0], fees[1]));
  }
  if (status.held != Money() || status.fees_collected != Money()) {
    sum.Add(DigestOfWords(kTotalsTag, Word(status.held), Word(status.fees_collected)));
  }
}

}  // namespace engine
