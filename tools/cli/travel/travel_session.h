// A walk through a journal in both directions: the position, what is shown, and all moves.
//
//   Step ±n · Seek "@...", first, last · Find: a trade, a command of the market, an event of the
//   watched order, a match of a --where expression ─► the machine at another position ─► View()
//
// No terminal and no clock; travel_control.h maps keys to it, travel_screen.h draws it.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/filter.h"
#include "engine/types/ids.h"
#include "journal/reader.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {

enum class Direction { kForward, kBack };

// Not thread-safe. After an error it is at its previous position, or, where documented, at the
// position it reached; it remains usable.
class TravelSession {
 public:
  // `reader` outlives it, and is not used elsewhere meanwhile.
  TravelSession(journal::Reader& reader, replay::TravelOptions options)
      : travel_(reader, std::move(options)) {}
  TravelSession(const TravelSession&) = delete;
  TravelSession& operator=(const TravelSession&) = delete;

  // Called now and then during long operations, with the position reached and the last one to be
  // reached. Returning false ends the operation with CANCELLED, at that position.
  using ShouldContinue =
      std::function<bool(engine::SequenceNumber at, engine::SequenceNumber until, bool is_search)>;
  void set_should_continue(ShouldContinue should_continue) {
    should_continue_ = std::move(should_continue);
  }

  // Shows the times of this zone, and reads those without an offset in it.
  void set_time_zone(const std::optional<absl::TimeZone>& zone) { zone_ = zone; }

  // Stops at the journal's ends; OUT_OF_RANGE if it is at the end already.
  absl::Status Step(int64_t by);
  absl::Status Seek(absl::string_view position);  // MarkedPosition().
  absl::Status SeekFirst();
  absl::Status SeekLast();

  // Each goes to the next or previous position with a match. NOT_FOUND if there is none.
  absl::Status FindTrade(Direction direction);          // A trade in the market shown.
  absl::Status FindMarketCommand(Direction direction);  // A command to the market shown.
  absl::Status FindOrderEvent(Direction direction);     // An event of the watched order.
  absl::Status FindWhere(Direction direction);          // A match of SetWhere().

  absl::Status SetWhere(absl::string_view expression);
  absl::Status WatchOrder(absl::string_view id);  // Empty: stops watching.
  absl::Status ChooseMarket(absl::string_view symbol_or_id);
  absl::Status NextMarket(Direction direction);
  // Shows the market of the watched order, else with `is_of_command` that of the command here, else
  // the one with the most orders.
  void ChooseMarketOfPlace(bool is_of_command);

  // Shows the queue of that rung of the ladder.
  void ChooseLevel(int rung) { level_ = {.rung = rung}; }
  void MoveLevel(int rungs) { ChooseLevel(level_.rung + rungs); }

  // At most `limit` levels of each side, orders of a queue, and trades; without the path.
  TravelView View(size_t limit) const {
    return DescribePlace(travel_, market_, level_, watched_.has_value() ? &*watched_ : nullptr,
                         limit, zone_);
  }

  engine::SequenceNumber position() const { return travel_.position(); }
  const replay::TravelMachine& travel() const { return travel_; }
  std::vector<std::string> TakeWarnings() { return travel_.TakeWarnings(); }

 private:
  using Matches = replay::TravelMachine::Seen;

  absl::Status GoTo(engine::SequenceNumber target);
  absl::Status Find(Direction direction, Matches matches, absl::string_view what);
  absl::Status FindBack(Matches matches, absl::string_view what);
  bool Continues(engine::SequenceNumber at, engine::SequenceNumber until, bool is_search);
  absl::Status Stopped();
  void ChooseMarket(engine::MarketId market);
  void ChooseMarketIfNone();

  replay::TravelMachine travel_;
  ShouldContinue should_continue_;
  uint64_t record_count_ = 0;
  bool is_stopped_ = false;
  std::optional<absl::TimeZone> zone_;

  engine::MarketId market_;  // The one that is shown; zero: none is defined yet.
  LevelChoice level_;
  std::optional<WatchedLife> watched_;
  std::string where_text_;
  engine::Filter where_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_
