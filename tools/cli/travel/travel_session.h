// A walk through a journal in both directions: where one is, what one looks at, and every way on.
//
//   Step ±n · Seek "@...", first, last · Find: trade, command of the market, event of the watched
//   order, what a --where expression says ─► the machine at another place ─► View()
//
// No terminal and no clock; control.h makes keys of it, screen.h a picture.

#ifndef TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_
#define TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
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
#include "tools/cli/travel/level_choice.h"
#include "tools/cli/travel/travel_view.h"
#include "tools/cli/travel/watched_life.h"

namespace tools {

enum class Direction { kForward, kBack };

// Not thread-safe. After an error it is where it was, or, where that says so, where it came to; it
// can be used on.
class TravelSession {
 public:
  // `travel_reader` and `position_reader` read the same journal, and nobody else uses them.
  TravelSession(std::string path, journal::Reader& travel_reader, journal::Reader& position_reader,
                replay::TravelOptions options);
  TravelSession(const TravelSession&) = delete;
  TravelSession& operator=(const TravelSession&) = delete;

  // Asked now and then while something takes long, with the place come to and the last one it may
  // take: false ends it with CANCELLED, at that place.
  using GoesOn =
      std::function<bool(engine::SequenceNumber at, engine::SequenceNumber until, bool is_search)>;
  void set_goes_on(GoesOn goes_on) { goes_on_ = std::move(goes_on); }

  // No further than the journal's ends; OUT_OF_RANGE at the end itself.
  absl::Status Step(int64_t by);
  absl::Status Seek(absl::string_view position);  // As on the command line.
  absl::Status SeekFirst();
  absl::Status SeekLast();

  // The next place, or the one before, with ... NOT_FOUND where there is none.
  absl::Status FindTrade(Direction direction);          // in the market shown.
  absl::Status FindMarketCommand(Direction direction);  // a command to the market shown.
  absl::Status FindOrderEvent(Direction direction);     // an event of the watched order.
  absl::Status FindWhere(Direction direction);          // what SetWhere() said.

  absl::Status SetWhere(absl::string_view expression);
  absl::Status WatchOrder(absl::string_view id);  // Empty: none any more.
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
  bool Ticks(engine::SequenceNumber at, engine::SequenceNumber until, bool is_search);
  void Hear(const engine::Command& command, std::span<const engine::Event> events);
  absl::Status Stopped();
  void ChooseBusiestMarket();

  const std::string path_;
  journal::Reader& position_reader_;
  replay::TravelMachine travel_;
  GoesOn goes_on_;
  uint64_t ticks_ = 0;
  bool is_stopped_ = false;

  std::optional<engine::MarketId> market_;
  LevelChoice level_choice_;
  std::optional<WatchedLife> watched_;
  std::string where_text_;
  Where where_;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_TRAVEL_SESSION_H_
