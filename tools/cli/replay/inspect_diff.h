// What changed in the exchange between two moments of a log.
//
//   @a ─────────────────────── records ───────────────────────► @b
//   orders, money               trades, why orders left          orders, money
//
// An order is entered when it rests at @b and not at @a, left when it rests at @a and not at @b.
// What came and went between is only counted.

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
  Size before;  // Zero: there was no such level.
  Size after;
};

enum class HowItLeft : uint8_t { kFilled, kCancelled, kReplaced };

struct MarketChange {
  std::vector<LevelChange> levels;  // The highest price first.
  std::vector<engine::RestingOrder> entered;
  struct Left {
    engine::RestingOrder order;  // As it was.
    HowItLeft how = {};
  };
  std::vector<Left> left;
  struct Amended {
    engine::RestingOrder before;
    engine::RestingOrder after;
  };
  std::vector<Amended> amended;  // What remains, its price or its place is another.
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
  std::map<engine::MarketId, MarketChange> markets;     // That changed.
  std::map<engine::AccountId, AccountChange> accounts;  // The same.
};

// `start` stands at or before `from`; its machine, one of replay/engines.h, is after `to` then.
// Errors: the reader's.
absl::StatusOr<InspectDiff> DiffMoments(replay::StartingPoint& start, journal::Reader& reader,
                                        engine::SequenceNumber from, engine::SequenceNumber to,
                                        Progress& progress);

}  // namespace tools

#endif  // TOOLS_CLI_REPLAY_INSPECT_DIFF_H_
