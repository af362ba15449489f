// What a venue remembers beside the exchange: the client ids and group numbers that were ever used,
// and which of its settings the log holds already.
//
//   command, events ─► VenueMemory ─► Save() ─► parts ─► Load() ─► VenueMemory
//
// It is folded from the records alone, so every program that reads the log folds the same. Client
// ids cost what used_ids.h says.

#ifndef ENGINE_VIEWS_VENUE_MEMORY_H_
#define ENGINE_VIEWS_VENUE_MEMORY_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/kinds.h"
#include "engine/state/snapshot_io.h"
#include "engine/types/fee_schedule.h"
#include "engine/types/ids.h"
#include "engine/types/quantity.h"
#include "engine/types/risk_limits.h"
#include "engine/views/used_ids.h"
#include "engine/views/used_texts.h"

namespace engine {

// Not thread-safe: owned by the thread that applies. Can be moved.
class VenueMemory {
 public:
  // A command that was applied, with its attachment and its events: all, or part after part.
  void OnApplied(const Command& command, Bytes attachment, std::span<const Event> events);

  // The ids of the account's orders that were accepted.
  const UsedIds& IdsOf(AccountId account) const;
  // The ids that it gave them as text (order_note.h).
  const UsedTexts& TextsOf(AccountId account) const;

  // What the log says of an account.
  struct Account {
    bool is_open = false;
    bool is_funded = false;  // A deposit was made.
    RiskLimits limits = {};
    GroupId group_last = {};  // The highest number of a group that was ever defined.
    // How many groups it has. Groups are counted that had the highest number when they were
    // defined: a number that was deleted and is defined again is not.
    uint32_t group_count = 0;

    friend bool operator==(const Account&, const Account&) = default;
  };
  Account AccountOf(AccountId account) const;
  // Its position limits, none of them zero.
  std::map<MarketId, Quantity> PositionLimitsOf(AccountId account) const;

  // Whether the market was ever opened, closed, determined or settled by such a command.
  bool IsDone(MarketId market, CommandKind kind) const { return done_.contains({market, kind}); }

  // Whether the end of a session of that login cancels its orders, as the log says last; empty if
  // the log says nothing.
  std::optional<bool> CancelsAtEnd(absl::string_view login) const;

  // The fees that were set for the market last; empty if none were.
  std::optional<FeeSchedule> FeesOf(MarketId market) const;

  // Equal for equal memories.
  Digest MemoryDigest() const;

  // In parts of at most kSnapshotPartBytesMax. Errors: the sink's.
  absl::Status Save(SnapshotSink sink) const;
  // REQUIRES: nothing was applied. Accepts any bytes. Errors: the source's; DATA_LOSS, after which
  // the memory is unusable.
  absl::Status Load(SnapshotSource source);

 private:
  class Loader;

  void OnNote(Bytes attachment);
  // Remembers the client's id if the attachment is an order note.
  void AddText(AccountId account, Bytes attachment);
  UsedIds& MutableIdsOf(AccountId account) {
    std::unique_ptr<UsedIds>& ids = ids_[account];
    if (ids == nullptr) ids = std::make_unique<UsedIds>();
    return *ids;
  }

  std::map<AccountId, Account> accounts_;  // Those about which the log says something.
  std::map<std::pair<AccountId, MarketId>, Quantity> position_limits_;
  absl::flat_hash_map<AccountId, std::unique_ptr<UsedIds>> ids_;
  std::map<AccountId, UsedTexts> texts_;
  std::set<std::pair<MarketId, CommandKind>> done_;
  std::map<std::string, bool> cancels_at_end_;  // By login.
  std::map<MarketId, FeeSchedule> fees_;        // Of market 0: the default.
};

}  // namespace engine

#endif  // ENGINE_VIEWS_VENUE_MEMORY_H_
