// The contents of the screen at one position of a log, as text and numbers, without layout.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/types/ids.h"

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

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_VIEW_H_
