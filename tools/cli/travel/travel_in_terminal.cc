#include "tools/cli/travel/travel_in_terminal.h"

#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "journal/journal_info.h"
#include "journal/prefix_digests.h"
#include "journal/reader.h"
#include "replay/snapshot/snapshot_store.h"
#include "replay/snapshot/state_source.h"
#include "replay/travel/travel_machine.h"
#include "tools/cli/base/format.h"
#include "tools/cli/read/selector.h"
#include "tools/cli/read/snapshots.h"
#include "tools/cli/travel/travel_control.h"
#include "tools/cli/travel/travel_screen.h"
#include "tools/cli/travel/travel_session.h"
#include "tools/cli/travel/travel_view.h"
#include "tools/os/clocks.h"

// The macros of ncurses have common words as names.
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>
#include <ncursesw/termcap.h>

namespace tools {
namespace {

using engine::SequenceNumber;

constexpr double kProgressSeconds = 0.1;

// Reads from a terminal that is gone fail immediately, every time.
constexpr int kFailuresMax = 100;

// A signal reports a new size, and may arrive just before the wait begins.
constexpr int kLookAgainMilliseconds = 200;

// How a style looks: in its colour, if it has one and the terminal has colours; else by attributes.
struct Look {
  attr_t attributes;
  short colour;  // Also the number of its pair; 0: none.
};

// By CellStyle.
constexpr std::array<Look, 7> kLooks = {{{A_NORMAL, 0},
                                         {A_BOLD, 0},
                                         {A_DIM, 0},
                                         {A_NORMAL, COLOR_GREEN},
                                         {A_NORMAL, COLOR_RED},
                                         {A_BOLD, COLOR_YELLOW},
                                         {A_REVERSE, 0}}};

// Returns the key of a code of ncurses.
std::optional<char32_t> KeyOfCode(wint_t code) {
  constexpr std::array<std::pair<wint_t, char32_t>, 10> kKeys = {{
      {KEY_LEFT, TravelKey::kLeft},
      {KEY_RIGHT, TravelKey::kRight},
      {KEY_UP, TravelKey::kUp},
      {KEY_DOWN, TravelKey::kDown},
      {KEY_PPAGE, TravelKey::kPageUp},
      {KEY_NPAGE, TravelKey::kPageDown},
      {KEY_HOME, TravelKey::kHome},
      {KEY_END, TravelKey::kEnd},
      {KEY_ENTER, TravelKey::kEnter},
      {KEY_BACKSPACE, TravelKey::kBackspace},
  }};
  for (const auto& [known, key] : kKeys) {
    if (known == code) return key;
  }
  return std::nullopt;
}

std::optional<char32_t> KeyOfCharacter(wint_t character) {
  if (character == '\b') return TravelKey::kBackspace;
  if (character == '\r') return TravelKey::kEnter;
  const auto key = static_cast<char32_t>(character);
  const bool is_known = key >= U' ' || key == TravelKey::kInterrupt || key == TravelKey::kEscape ||
                        key == TravelKey::kEnter;
  return is_known ? std::optional(key) : std::nullopt;
}

// Takes over the terminal. Errors: INVALID_ARGUMENT if standard input or output is not a terminal,
// or the terminal cannot position its cursor.
absl::StatusOr<SCREEN*> OpenScreen() {
  if (isatty(STDIN_FILENO) != 1 || isatty(STDOUT_FILENO) != 1) {
    return absl::InvalidArgumentError(
        "-i needs a terminal on standard input and output; without -i, and with --json, inspect "
        "prints");
  }
  std::setlocale(LC_CTYPE, "");
  const char* const term = std::getenv("TERM");
  const std::string name = term == nullptr ? "not set" : absl::StrCat("'", term, "'");
  // Checked first: newterm() leaks memory if there is no description.
  const bool is_described = term != nullptr && tgetent(nullptr, term) == 1;
  SCREEN* const screen = is_described ? newterm(nullptr, stdout, stdin) : nullptr;
  if (screen == nullptr) {
    return absl::InvalidArgumentError(
        absl::StrCat("-i: TERM is ", name,
                     ", a terminal that is not described here; expected e.g. xterm-256color"));
  }
  if (tigetstr("cup") != nullptr) return screen;
  endwin();
  delscreen(screen);
  return absl::InvalidArgumentError(
      absl::StrCat("-i: TERM is ", name, ", a terminal that cannot place its cursor"));
}

// At most one per process; while it exists, nothing else writes to the terminal. The destructor
// restores the terminal, and so does SIGTERM. Not thread-safe.
class Terminal {
 public:
  // `screen` is that of OpenScreen().
  explicit Terminal(SCREEN* screen)
      : screen_(screen), speaks_utf8_(absl::string_view(nl_langinfo(CODESET)) == "UTF-8") {
    raw();  // Ctrl-C is a key: it ends a search, or quits and restores the terminal.
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    const char* const no_colour = std::getenv("NO_COLOR");
    has_colours_ = has_colors() && (no_colour == nullptr || *no_colour == '\0');
    if (!has_colours_) return;
    start_color();
    use_default_colors();
    for (const Look& look : kLooks) {
      if (look.colour != 0) init_pair(look.colour, look.colour, -1);
    }
  }
  ~Terminal() {
    endwin();
    delscreen(screen_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  // The current size: the window may be resized at any time.
  size_t rows() const { return static_cast<size_t>(getmaxy(stdscr)); }
  size_t columns() const { return static_cast<size_t>(getmaxx(stdscr)); }

  // Draws in ASCII if the locale is not UTF-8.
  void Show(const CellGrid& picture) {
    const CellGrid shown = speaks_utf8_ ? picture : picture.ToAscii();
    werase(stdscr);
    for (size_t row = 0; row < shown.rows(); ++row) {
      for (size_t column = 0; column < shown.columns(); ++column) {
        const CellGrid::Cell& cell = shown.at(row, column);
        if (cell == CellGrid::Cell()) continue;
        const wchar_t text[2] = {static_cast<wchar_t>(cell.glyph), L'\0'};
        const attr_t attributes = AttributesOf(cell.style);
        wattr_set(stdscr, attributes, 0, nullptr);
        cchar_t character;
        setcchar(&character, text, attributes, static_cast<short>(PAIR_NUMBER(attributes)),
                 nullptr);
        mvwadd_wch(stdscr, static_cast<int>(row), static_cast<int>(column), &character);
      }
    }
    wrefresh(stdscr);
  }

  // Returns the next key; nullopt if the size has changed and a new picture is needed; Ctrl-C if
  // the terminal is gone.
  std::optional<char32_t> WaitForKey() {
    for (int failures = 0; failures < kFailuresMax;) {
      wint_t code = 0;
      const int result = wget_wch(stdscr, &code);
      if (result == ERR) {
        pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        if (poll(&input, 1, kLookAgainMilliseconds) > 0) ++failures;
        continue;
      }
      failures = 0;
      const bool is_code = result == KEY_CODE_YES;
      if (is_code && code == KEY_RESIZE) return std::nullopt;
      const auto key = is_code ? KeyOfCode(code) : KeyOfCharacter(code);
      if (key.has_value()) return key;
    }
    return TravelKey::kInterrupt;
  }

  // Returns immediately: whether Escape or Ctrl-C was pressed. Drops other pending keys.
  bool WantsToStop() {
    wint_t code = 0;
    for (int result = 0; (result = wget_wch(stdscr, &code)) != ERR;) {
      if (result == KEY_CODE_YES) continue;
      if (code == TravelKey::kEscape || code == TravelKey::kInterrupt) return true;
    }
    return false;
  }

 private:
  attr_t AttributesOf(CellStyle style) const {
    const Look& look = kLooks[static_cast<size_t>(style)];
    if (look.colour == 0 || !has_colours_) return look.attributes;
    return static_cast<attr_t>(COLOR_PAIR(look.colour));
  }

  SCREEN* const screen_;
  const bool speaks_utf8_;
  bool has_colours_ = false;
};

// Returns options that let the session start from the journal's stored snapshots.
absl::StatusOr<replay::TravelOptions> OptionsFor(const OpenedJournal& opened,
                                                 const journal::Directory* snapshots,
                                                 replay::EngineKind engine) {
  const journal::JournalInfo& info = opened.reader->info();
  replay::TravelOptions options;
  options.make_machine = [engine] { return replay::MakeEngine(engine); };
  // Shared by all jumps, so that digests are computed only once.
  const auto digests = std::make_shared<journal::PrefixDigests>(*opened.directory);
  options.find_start = [=, &info](SequenceNumber at_most) {
    return replay::FindStart(snapshots, *digests, info, at_most,
                             [&] { return replay::MakeEngine(engine); });
  };
  ASSIGN_OR_RETURN(options.oldest, OldestStart(*opened.directory, info));
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

// Connects a session, a control and a terminal.
class Loop {
 public:
  Loop(const TravelRequest& request, TravelSession& session, Terminal& terminal)
      : request_(request), session_(session), control_(session), terminal_(terminal) {
    session_.set_should_continue([this](SequenceNumber at, SequenceNumber until, bool is_search) {
      return ShouldContinue(at, until, is_search);
    });
  }

  // Goes to the requested position, and from there to where keys lead, until one quits.
  void Run() {
    stopwatch_.Restart();
    control_.ShowMessage(session_.Seek(request_.position));
    if (!request_.market.empty()) control_.ShowMessage(session_.ChooseMarket(request_.market));
    if (!request_.order.empty()) control_.ShowMessage(session_.WatchOrder(request_.order));
    if (request_.market.empty()) {
      session_.ChooseMarketOfPlace(request_.shows_market_of_command);
    }
    for (bool goes_on = true; goes_on;) {
      Show(control_.status());
      const std::optional<char32_t> key = terminal_.WaitForKey();
      if (!key.has_value()) continue;
      stopwatch_.Restart();
      goes_on = control_.Press(*key);
    }
  }

 private:
  void Show(TravelStatus status) {
    if (status.message.empty() && !session_.travel().can_save()) {
      status.message = "this engine has no snapshots: each step back replays from the start";
    }
    // A selected level or a watched order may be below the last row, and scrolls into it.
    const size_t limit = terminal_.rows() + 200;
    TravelView view = session_.View(limit);
    view.path = request_.path;
    terminal_.Show(DrawTravel(view, status, terminal_.rows(), terminal_.columns()));
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

  const TravelRequest& request_;
  TravelSession& session_;
  TravelControl control_;
  Terminal& terminal_;
  Stopwatch stopwatch_;
};

}  // namespace

absl::Status TravelInTerminal(const OpenedJournal& opened, const TravelRequest& request) {
  ASSIGN_OR_RETURN(const std::unique_ptr<journal::Directory> snapshots,
                   OpenSnapshots(opened.directory->path()));
  // Rejects invalid requests before taking over the terminal.
  RETURN_IF_ERROR(ResolvePosition(MarkedPosition(request.position), *opened.reader).status());
  ASSIGN_OR_RETURN(replay::TravelOptions options,
                   OptionsFor(opened, snapshots.get(), request.engine));
  TravelSession session(*opened.reader, std::move(options));
  session.set_time_zone(request.time_zone);
  RETURN_IF_ERROR(session.SeekFirst());

  ASSIGN_OR_RETURN(SCREEN* const screen, OpenScreen());
  Terminal terminal(screen);
  Loop(request, session, terminal).Run();
  return absl::OkStatus();
}

}  // namespace tools
