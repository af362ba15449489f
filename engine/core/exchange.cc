#include "engine/core/exchange.h"

#include "engine/base/check.h"
#include "engine/core/fast_path/fast_path.h"
#include "engine/core/invariants.h"
#include "engine/core/rules.h"
#include "engine/core/snapshot.h"
#include "engine/state/state_digest.h"

namespace engine {
void Exchange::CheckIsNext(const Command& command) const {
  CHECK_EQ(command.sequence, venue_.last_applied.Next()) << "(J1)";
  if (venue_.last_applied != SequenceNumber()) CHECK_GE(command.timestamp, venue_.now);
}

void Exchange::ApplyPlain(const Command& command, EventBuffer& events) {
  AdvanceTo(command);
  if constexpr (fast_path::kIsOn) {
    fast_path::Apply(venue_, command, events);
  } else {
    ApplyRules(venue_, command, events);
  }
}

void Exchange::ApplyWithAttachment(const Command& command, Bytes attachment, EventBuffer& events) {
  AdvanceTo(command);
  ApplyRules(venue_, command, attachment, events);
}

Digest Exchange::StateDigest() const {
  DigestSum sum = venue_.market_sum;
  const OrderSum::Total orders =
      venue_.order_sum.BroughtUpTo(venue_.last_applied, venue_.storage, venue_.index);
  sum.Add(orders.sum);
  sum.Add(venue_.account_digest.Update(venue_.ledger, venue_.risk, venue_.groups, venue_.now));
  sum.Add(venue_.position_limits.Sum());
  AddExchangeStatus(venue_.status(), sum);
  return DigestOfState({.last_applied = venue_.last_applied,
                        .now = venue_.now,
                        .market_count = venue_.directory.all().size(),
                        .live_order_count = orders.count,
                        .sum = sum.value()});
}

uint64_t Exchange::live_order_count() const {
  const std::optional<uint64_t> known = venue_.order_sum.CountAt(venue_.last_applied);
  return known.has_value() ? *known : venue_.index.Count();
}

absl::Status Exchange::Save(SnapshotSink sink) const { return SaveSnapshot(venue_, sink); }
absl::Status Exchange::Load(SnapshotSource source) { return LoadSnapshot(venue_, source); }

std::optional<AccountState> Exchange::FindAccount(AccountId account) const {
  if (!venue_.ledger.IsOpen(account)) return std::nullopt;
  return venue_.ledger.StateOf(account);
}

MarketState Exchange::StateOf(MarketId market) const {
  const Market* const found = venue_.markets.Find(market);
  CHECK(found != nullptr) << "market " << market;
  return found->state;
}

void Exchange::CheckInvariants() const { engine::CheckInvariants(venue_); }

}  // namespace engine
