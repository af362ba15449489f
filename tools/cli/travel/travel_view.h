// The contents of the screen at one position of a log, as text and numbers, without layout.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/time/time.h"
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
  // Best first.
  std::vector<TravelLevel> asks;
  std::vector<TravelLevel> bids;
  uint64_t ask_level_count = 0;
  uint64_t bid_level_count = 0;

  std::string queue_title;  // Empty: no level is selected.
  std::vector<TravelPlace> queue;
  uint64_t queue_order_count = 0;

  std::vector<std::string> trades;  // In this market, the latest first.
  std::optional<TravelOrder> order;

  friend bool operator==(const TravelView&, const TravelView&) = default;
};

// The level whose queue is shown, as a rung of the ladder: 0 is the best ask, -1 the best bid.
struct LevelChoice {
  static constexpr int kBestAsk = 0;
  static constexpr int kBestBid = -1;

  int rung = kBestBid;
  // Shows the watched order's level instead, while the order rests in the market shown.
  bool follows_order = false;

  engine::Side side() const { return rung >= 0 ? engine::Side::kAsk : engine::Side::kBid; }
  // Counted from 0, the best of its side.
  size_t index() const { return static_cast<size_t>(rung >= 0 ? rung : kBestBid - rung); }
};

// What is known of the watched order's life. Not thread-safe: owned by the session.
class WatchedLife {
 public:
  // REQUIRES: `order` is not zero. Nothing happens to it before its own command.
  explicit WatchedLife(engine::OrderId order) : whole_(order), known_up_to_(order.value() - 1) {}

  // Commands may arrive in any order; only the next unknown one is added.
  void OnCommand(const engine::Command& command, std::span<const engine::Event> events);

  engine::OrderId order() const { return whole_.order(); }
  std::span<const engine::OrderHistory::Entry> entries() const { return whole_.entries(); }
  bool has_ended() const;

  // Returns the record after which commands must be heard so that everything up to `place` is
  // known; `place` if it is known already.
  engine::SequenceNumber MissingFrom(engine::SequenceNumber place) const {
    return has_ended() ? place : std::min(place, known_up_to_);
  }

  // Returns its life up to and including `place`.
  engine::OrderHistory UpTo(engine::SequenceNumber place) const;

 private:
  engine::OrderHistory whole_;
  engine::SequenceNumber known_up_to_;
};

// Returns the defined markets; empty for a machine without markets.
const engine::MarketDirectory& MarketsOf(const replay::Machine& machine);

// Returns the market that is shown where none is named: the one with the most orders, of those the
// one with the lowest number; zero if none is defined.
engine::MarketId MarketWithMostOrders(const replay::Machine& machine);

// Walks the book of `market`, zero for none. `watched` is null if no order is watched. Each list
// has at most `limit` levels, places or trades. Times are of `zone`, or else UTC. Fills the whole
// view except `path`.
TravelView DescribePlace(const replay::TravelMachine& travel, engine::MarketId market,
                         const LevelChoice& choice, const WatchedLife* watched, size_t limit,
                         const std::optional<absl::TimeZone>& zone);

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_
