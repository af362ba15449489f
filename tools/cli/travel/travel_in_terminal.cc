#include "tools/cli/travel/travel_in_terminal.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/state_source.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/base/applications.h"
#include "tools/cli/base/format.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/travel/curses_terminal.h"
#include "tools/cli/travel/travel_control.h"
#include "tools/cli/travel/travel_screen.h"
#include "tools/cli/travel/travel_session.h"
#include "tools/os/stopwatch.h"

namespace tools {
namespace {

using engine::SequenceNumber;

constexpr double kProgressSeconds = 0.1;

// Returns options that let the session start from the journal's stored snapshots.
absl::StatusOr<replay::TravelOptions> OptionsFor(const journal::Directory& directory,
                                                 const journal::JournalInfo& info,
                                                 const journal::Directory* snapshots,
                                                 replay::EngineKind engine) {
  replay::TravelOptions options;
  options.make_machine = [engine] { return replay::MakeEngine(engine); };
  // Shared by all jumps, so that digests are computed only once.
  const auto digests = std::make_shared<journal::PrefixDigests>(directory);
  options.find_start = [=](SequenceNumber at_most) {
    return replay::FindStart(snapshots, *digests, info, at_most,
                             [&] { return replay::MakeEngine(engine); });
  };
  ASSIGN_OR_RETURN(options.oldest, OldestStart(directory, info));
  if (snapshots != nullptr) {
    ASSIGN_OR_RETURN(const std::vector<replay::Snapshot> stored,
                     replay::ListSnapshots(*snapshots, info.uuid));
    for (const replay::Snapshot& snapshot : stored) {
      if (snapshot.is_proven_and_whole() && snapshot.sequence >= options.oldest &&
          snapshot.sequence <= info.last_sequence) {
        options.snapshots.push_back(snapshot.sequence);
      }
    }
  }
  return options;
}

class Loop {
 public:
  Loop(TravelSession& session, CursesTerminal& terminal)
      : session_(session), control_(session), terminal_(terminal) {
    session_.set_should_continue([this](SequenceNumber at, SequenceNumber until, bool is_search) {
      return ShouldContinue(at, until, is_search);
    });
  }

  // Goes to the requested position.
  void Begin(const TravelRequest& request) {
    stopwatch_.Restart();
    control_.ShowMessage(session_.Seek(request.position));
    if (!request.market.empty()) control_.ShowMessage(session_.ChooseMarket(request.market));
    if (!request.order.empty()) control_.ShowMessage(session_.WatchOrder(request.order));
  }

  void Run() {
    while (true) {
      Show(control_.status());
      const std::optional<TravelKey> key = terminal_.WaitForKey();
      if (!key.has_value()) continue;
      stopwatch_.Restart();
      if (!control_.Press(*key)) return;
    }
  }

 private:
  void Show(TravelStatus status) {
    if (status.message.empty() && !session_.travel().can_save()) {
      status.message = "this engine has no snapshots: each step back replays from the start";
    }
    const size_t rows = terminal_.rows();
    const TravelViewLimits limits{.levels = rows + 200, .places = rows + 200, .trades = rows};
    terminal_.Show(DrawTravel(session_.View(limits), status, rows, terminal_.columns()));
  }

  bool ShouldContinue(SequenceNumber at, SequenceNumber until, bool is_search) {
    if (stopwatch_.Seconds() < kProgressSeconds) return true;
    stopwatch_.Restart();
    TravelStatus status;
    status.message = absl::StrCat(is_search ? "searching" : "on the way", ": @",
                                  WithCommas(at.value()), is_search ? ", at most to @" : " to @",
                                  WithCommas(until.value()), "   Esc stops");
    Show(status);
    return !terminal_.WantsToStop();
  }

  TravelSession& session_;
  TravelControl control_;
  CursesTerminal& terminal_;
  Stopwatch stopwatch_;
};

}  // namespace

absl::Status TravelInTerminal(const journal::Directory& directory, const TravelRequest& request) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> reader, journal::Reader::Open(directory));
  RETURN_IF_ERROR(CheckIsOfExchange(reader->info()));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Reader> position_reader,
                   journal::Reader::Open(directory));
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(directory.path()));
  // Rejects invalid requests before taking over the terminal.
  ASSIGN_OR_RETURN(const Position position, ParsePosition(request.position));
  RETURN_IF_ERROR(Resolve(position, *position_reader).status());
  ASSIGN_OR_RETURN(replay::TravelOptions options,
                   OptionsFor(directory, reader->info(), snapshots.get(), request.engine));
  TravelSession session(request.path, *reader, *position_reader, std::move(options));
  RETURN_IF_ERROR(session.SeekFirst());

  ASSIGN_OR_RETURN(const std::unique_ptr<CursesTerminal> terminal, CursesTerminal::Open());
  Loop loop(session, *terminal);
  loop.Begin(request);
  loop.Run();
  return absl::OkStatus();
}

}  // namespace tools
