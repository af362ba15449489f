// The contents of the screen at one position of a log, as text and numbers, without layout.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/market_directory.h"
#include "engine/types/ids.h"
#include "engine/types/side.h"
#include "engine/views/order_history.h"
#include "replay/machine.h"
#include "replay/travel/travel_machine.h"

namespace tools {

// Regular value types, from here on.
struct TravelLevel {
  std::string price;
  std::string quantity;
  uint64_t quantity_units = 0;
  uint64_t order_count = 0;
  bool is_selected = false;  // Its queue is shown.
  bool is_watched = false;   // The watched order rests there.

  friend bool operator==(const TravelLevel&, const TravelLevel&) = default;
};

struct TravelPlace {
  engine::OrderId order;
  engine::AccountId account;
  std::string quantity;
  std::string up_to_here;  // The sum of the quantities up to and including it.
  bool is_watched = false;

  friend bool operator==(const TravelPlace&, const TravelPlace&) = default;
};

struct TravelOrder {
  engine::OrderId order;
  std::string standing;           // "live, 60 filled, 40 remaining; AAPL bid 320.1400, ..."
  std::vector<std::string> life;  // Its events up to the position, oldest first.

  friend bool operator==(const TravelOrder&, const TravelOrder&) = default;
};

struct TravelView {
  std::string path;
  engine::SequenceNumber position;
  engine::SequenceNumber oldest;
  engine::SequenceNumber last;
  std::string time;     // Empty at the oldest position, where no command is known.
  std::string command;  // As `time`.
  std::vector<std::string> events;

  std::string market;  // Empty: no market is defined yet.
  // Best first, limited by TravelViewLimits.
  std::vector<TravelLevel> asks;
  std::vector<TravelLevel> bids;
  uint64_t ask_level_count = 0;
  uint64_t bid_level_count = 0;

  std::string queue_title;  // Empty: no level is selected.
  std::vector<TravelPlace> queue;
  uint64_t queue_order_count = 0;

  std::vector<std::string> trades;  // In this market, the latest first.
  std::optional<TravelOrder> order;
  std::string where;  // The search expression; empty: none yet.

  friend bool operator==(const TravelView&, const TravelView&) = default;
};

// Limits of the lists in a view.
struct TravelViewLimits {
  size_t levels = 50;  // Per side.
  size_t places = 50;
  size_t trades = 50;
};

// A regular value type. Levels are counted from 0, the best of their side; the ladder shows them
// with the highest price at the top: ask 1, ask 0, bid 0, bid 1.
class LevelChoice {
 public:
  engine::Side side() const { return side_; }
  size_t index() const { return index_; }

  // Shows the watched order's level instead, while the order rests in the market shown.
  bool follows_order() const { return follows_order_; }

  void FollowOrder() { follows_order_ = true; }
  void Best(engine::Side side) { *this = LevelChoice(side, 0); }
  void Up() {
    if (side_ == engine::Side::kAsk) {
      *this = LevelChoice(side_, index_ + 1);
    } else {
      *this = index_ == 0 ? LevelChoice(engine::Side::kAsk, 0) : LevelChoice(side_, index_ - 1);
    }
  }
  void Down() {
    if (side_ == engine::Side::kBid) {
      *this = LevelChoice(side_, index_ + 1);
    } else {
      *this = index_ == 0 ? LevelChoice(engine::Side::kBid, 0) : LevelChoice(side_, index_ - 1);
    }
  }

  LevelChoice() = default;
  friend bool operator==(const LevelChoice&, const LevelChoice&) = default;

 private:
  LevelChoice(engine::Side side, size_t index) : side_(side), index_(index) {}

  engine::Side side_ = engine::Side::kBid;
  size_t index_ = 0;
  bool follows_order_ = false;
};

// Not thread-safe: owned by the session.
class WatchedLife {
 public:
  // Events up to `oldest` cannot be known.
  WatchedLife(engine::OrderId order, engine::SequenceNumber oldest);

  // Commands may arrive in any order; only the next unknown one is added.
  void OnCommand(const engine::Command& command, std::span<const engine::Event> events);

  engine::OrderId order() const { return whole_.order(); }

  // Returns the record after which commands must be heard so that everything up to `place` is
  // known; `place` if it is known already.
  engine::SequenceNumber MissingFrom(engine::SequenceNumber place) const;

  // Returns its life up to and including `place`.
  engine::OrderHistory UpTo(engine::SequenceNumber place) const;

  // The command of the nearest known event before (after) `place`; nullopt if there is none.
  std::optional<engine::SequenceNumber> EventBefore(engine::SequenceNumber place) const;
  std::optional<engine::SequenceNumber> EventAfter(engine::SequenceNumber place) const;

  bool has_ended() const;

 private:
  engine::OrderHistory whole_;
  engine::SequenceNumber known_up_to_;
};

struct PlaceQuestion {
  engine::MarketId market;  // Zero: no market.
  LevelChoice level;
  const WatchedLife* watched = nullptr;
  TravelViewLimits limits;
};

// Returns the defined markets; empty for a machine without markets.
const engine::MarketDirectory& MarketsOf(const replay::Machine& machine);

// Walks the book of the market. Fills the whole view except `path` and `where`.
TravelView DescribePlace(const replay::TravelMachine& travel, const PlaceQuestion& question);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_
