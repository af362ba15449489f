// A condition on events, given by a user: an event kind, optionally with comparisons of its fields.
//
//   trade                             any trade
//   trade.quantity > 1000
//   rejected.reason == price_off_tick
//   cancelled.market == AAPL && cancelled.quantity >= 500
//
// Fields: order, counter (the taker of a trade, the order that a replace ended), price, quantity,
// remaining, account, market, side, reason, priority. Prices and quantities are decimal numbers in
// the units of the event's market; with a '#' prefix, counts of units.

#ifndef REPLAY_COMPARE_EVENT_CONDITION_H_
#define REPLAY_COMPARE_EVENT_CONDITION_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"

namespace replay {

// A regular value type.
class EventCondition {
 public:
  // Errors: INVALID_ARGUMENT that names the wrong word and what was expected.
  static absl::StatusOr<EventCondition> Parse(absl::string_view text);

  // A comparison with a decimal number is false if the market is unknown.
  bool Matches(const engine::Event& event, const engine::MarketDirectory& markets) const;

 private:
  enum class Comparison : uint8_t { kEqual, kNotEqual, kLess, kLessEqual, kGreater, kGreaterEqual };
  struct Term {
    engine::EventKind kind = {};
    std::string field;  // Empty: any event of the kind.
    Comparison comparison = Comparison::kEqual;
    std::string value;
  };

  static absl::StatusOr<Term> ParseTerm(absl::string_view text);
  static absl::Status CheckValue(const Term& term);
  static bool Holds(const Term& term, const engine::Event& event,
                    const engine::MarketDirectory& markets);

  std::vector<Term> terms_;  // All must hold.
};

}  // namespace replay

#endif  // REPLAY_COMPARE_EVENT_CONDITION_H_
