// What changed in the exchange between two moments of a log.
//
//   @a ─────────────────────── records ───────────────────────► @b
//   orders, money               trades, why orders left          orders, money
//
// An order has entered if it rests at @b but not at @a, and has left if it rests at @a but not at
// @b. Orders that entered and left in between are only counted.

#ifndef TOOLS_CLI_REPLAY_INSPECT_DIFF_H_
#define TOOLS_CLI_REPLAY_INSPECT_DIFF_H_

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/base/sequence_number.h"
#include "engine/book/resting_order.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/price.h"
#include "engine/types/quantity.h"
#include "engine/types/side.h"
#include "journal/reader.h"
#include "replay/snapshot/state_source.h"
#include "tools/cli/base/progress.h"
#include "tools/cli/replay/inspect_accounts.h"

namespace tools {

// Regular value types, from here on.
struct LevelChange {
  struct Size {
    engine::Quantity quantity;
    uint64_t orders = 0;

    friend bool operator==(const Size&, const Size&) = default;
  };
  engine::Side side = {};
  engine::Price price;
  Size before;  // Zero: the level did not exist.
  Size after;
};

enum class HowItLeft : uint8_t { kFilled, kCancelled, kReplaced };

struct MarketChange {
  std::vector<LevelChange> levels;  // Highest price first.
  std::vector<engine::RestingOrder> entered;
  struct Left {
    engine::RestingOrder order;  // As of @a.
    HowItLeft how = {};
  };
  std::vector<Left> left;
  struct Amended {
    engine::RestingOrder before;
    engine::RestingOrder after;
  };
  std::vector<Amended> amended;  // Orders whose remaining quantity, price or priority differs.
  uint64_t came_and_went = 0;
  uint64_t trades = 0;
  engine::Quantity volume;

  bool is_empty() const {
    return levels.empty() && entered.empty() && left.empty() && amended.empty() &&
           came_and_went == 0 && trades == 0;
  }
};

struct AccountChange {
  AccountMoney before;
  AccountMoney after;
};

struct InspectDiff {
  engine::SequenceNumber from;
  engine::SequenceNumber to;
  uint64_t rejected = 0;
  std::map<engine::MarketId, MarketChange> markets;     // Only those that changed.
  std::map<engine::AccountId, AccountChange> accounts;  // Only those that changed.
};

// REQUIRES: `start` is at or before `from`; its machine is one of replay/engines.h, and is at `to`
// afterwards. Errors: the reader's.
absl::StatusOr<InspectDiff> DiffMoments(replay::StartingPoint& start, journal::Reader& reader,
                                        engine::SequenceNumber from, engine::SequenceNumber to,
                                        Progress& progress);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_DIFF_H_
