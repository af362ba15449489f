// A walk through a journal in both directions: the position, what is shown, and all moves.
//
//   Step ±n · Seek "@...", first, last · Find: a trade, a command of the market, an event of the
//   watched order, a match of a --where expression ─► the machine at another position ─► View()
//
// No terminal and no clock; travel_control.h maps keys to it, travel_screen.h draws it.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/types/ids.h"
#include "journal/reader.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/read/where.h"
#include "tools/cli/travel/travel_view.h"

namespace tools {

enum class Direction { kForward, kBack };

// Not thread-safe. After an error it is at its previous position, or, where documented, at the
// position it reached; it remains usable.
class TravelSession {
 public:
  // `travel_reader` and `position_reader` read the same journal; nothing else uses them.
  TravelSession(std::string path, journal::Reader& travel_reader, journal::Reader& position_reader,
                replay::TravelOptions options);
  TravelSession(const TravelSession&) = delete;
  TravelSession& operator=(const TravelSession&) = delete;

  // Called now and then during long operations, with the position reached and the last one to be
  // reached. Returning false ends the operation with CANCELLED, at that position.
  using ShouldContinue =
      std::function<bool(engine::SequenceNumber at, engine::SequenceNumber until, bool is_search)>;
  void set_should_continue(ShouldContinue should_continue) {
    should_continue_ = std::move(should_continue);
  }

  // Stops at the journal's ends; OUT_OF_RANGE if it is at the end already.
  absl::Status Step(int64_t by);
  absl::Status Seek(absl::string_view position);  // The syntax of the command line.
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
  LevelChoice& level_choice() { return level_choice_; }

  TravelView View(const TravelViewLimits& limits) const;

  engine::SequenceNumber position() const { return travel_.position(); }
  const replay::TravelMachine& travel() const { return travel_; }
  std::vector<std::string> TakeWarnings() { return travel_.TakeWarnings(); }

 private:
  using Matches = absl::FunctionRef<bool(const engine::Command&, bool has_attachment,
                                         std::span<const engine::Event>)>;

  absl::Status GoTo(engine::SequenceNumber target);
  absl::Status Find(Direction direction, Matches matches, absl::string_view what);
  absl::Status FindForward(Matches matches, absl::string_view what);
  absl::Status FindBack(Matches matches, absl::string_view what);
  bool Continues(engine::SequenceNumber at, engine::SequenceNumber until, bool is_search);
  void OnCommand(const engine::Command& command, std::span<const engine::Event> events);
  absl::Status Stopped();
  void ChooseBusiestMarket();

  const std::string path_;
  journal::Reader& position_reader_;
  replay::TravelMachine travel_;
  ShouldContinue should_continue_;
  uint64_t record_count_ = 0;
  bool is_stopped_ = false;

  std::optional<engine::MarketId> market_;
  LevelChoice level_choice_;
  std::optional<WatchedLife> watched_;
  std::string where_text_;
  Where where_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_
