// What markets have in common: all of their definitions but id and symbol, and what follows from
// it.
//
//   market ─┐
//   market ─┼─► terms: definition, fees, quantities, money    one for all markets that agree
//   market ─┘
//
// A venue defines thousands of markets that differ in nothing but their names. What they read at an
// order is then in the cache, and each of them is small.

#ifndef ENGINE_CORE_MARKET_TERMS_H_
#define ENGINE_CORE_MARKET_TERMS_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/container/flat_hash_set.h"
#include "engine/core/contract_money.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/grid.h"
#include "engine/types/market_definition.h"
#include "engine/types/price.h"

namespace engine {

// The definition with neither id nor symbol.
MarketDefinition WithoutName(MarketDefinition definition);

// What makes the terms of two markets the same.
struct TermsKey {
  MarketDefinition definition;  // WithoutName.
  FeeSchedule fees = {};
  Price settlement_value = {};  // Zero before it is determined.

  friend bool operator==(const TermsKey&, const TermsKey&) = default;
};

// Owned by TermsTable; does not change.
struct MarketTerms : TermsKey {
  explicit MarketTerms(const TermsKey& key);
  virtual ~MarketTerms() = default;

  bool is_binary() const { return definition.kind == MarketKind::kBinary; }
  bool has_money() const { return is_binary() && !definition.mirrored; }

  Grid quantities;   // The allowed ones.
  int64_t micros;    // RiskControl::MicrosOf.
  uint64_t markets;  // That have these terms.
};

// The terms of a binary market.
struct BinaryTerms : MarketTerms {
  explicit BinaryTerms(const TermsKey& key);

  ContractMoney money;
};

// The terms in use. Not thread-safe: owned by the market table.
class TermsTable {
 public:
  // For one more market. Valid until as many calls of Release.
  const MarketTerms* Share(const TermsKey& key);
  // For one market less.
  void Release(const MarketTerms* terms);

  size_t size() const { return all_.size(); }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(const TermsKey& key) const;
    size_t operator()(const std::unique_ptr<MarketTerms>& terms) const { return (*this)(*terms); }
  };
  struct Equal {
    using is_transparent = void;
    static const TermsKey& KeyOf(const TermsKey& key) { return key; }
    static const TermsKey& KeyOf(const std::unique_ptr<MarketTerms>& terms) { return *terms; }
    bool operator()(const auto& a, const auto& b) const { return KeyOf(a) == KeyOf(b); }
  };

  absl::flat_hash_set<std::unique_ptr<MarketTerms>, Hash, Equal> all_;  // Never iterated.
};

}  // namespace engine

#endif  // ENGINE_CORE_MARKET_TERMS_H_
