#include "tools/cli/travel/curses_terminal.h"

#include <langinfo.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

// The macros of ncurses have common words as names.
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <ncursesw/curses.h>
#include <ncursesw/termcap.h>

namespace tools {
namespace {

using Kind = TravelKey::Kind;

// Numbers of colour pairs.
constexpr short kGreenPair = 1;
constexpr short kRedPair = 2;
constexpr short kYellowPair = 3;

// Reads from a terminal that is gone fail immediately, every time.
constexpr int kFailuresMax = 100;

// A signal reports a new size, and may arrive just before the wait begins.
constexpr int kLookAgainMilliseconds = 200;

attr_t AttributesOf(CellStyle style, bool has_colours) {
  const auto colour = [&](short pair, attr_t otherwise) {
    return has_colours ? static_cast<attr_t>(COLOR_PAIR(pair)) : otherwise;
  };
  switch (style) {
    case CellStyle::kPlain:
      return A_NORMAL;
    case CellStyle::kBold:
      return A_BOLD;
    case CellStyle::kDim:
      return A_DIM;
    case CellStyle::kGreen:
      return colour(kGreenPair, A_NORMAL);
    case CellStyle::kRed:
      return colour(kRedPair, A_NORMAL);
    case CellStyle::kYellow:
      return colour(kYellowPair, A_BOLD);
    case CellStyle::kReverse:
      return A_REVERSE;
  }
  return A_NORMAL;
}

std::optional<Kind> KindOfCode(wint_t code) {
  constexpr std::array<std::pair<wint_t, Kind>, 10> kKinds = {{{KEY_LEFT, Kind::kLeft},
                                                               {KEY_RIGHT, Kind::kRight},
                                                               {KEY_UP, Kind::kUp},
                                                               {KEY_DOWN, Kind::kDown},
                                                               {KEY_PPAGE, Kind::kPageUp},
                                                               {KEY_NPAGE, Kind::kPageDown},
                                                               {KEY_HOME, Kind::kHome},
                                                               {KEY_END, Kind::kEnd},
                                                               {KEY_ENTER, Kind::kEnter},
                                                               {KEY_BACKSPACE, Kind::kBackspace}}};
  for (const auto& [known, kind] : kKinds) {
    if (known == code) return kind;
  }
  return std::nullopt;
}

std::optional<TravelKey> KeyOfCharacter(wint_t character) {
  constexpr wint_t kControlC = 3;
  constexpr wint_t kBackspace = 8;
  constexpr wint_t kEscape = 27;
  constexpr wint_t kDelete = 127;
  if (character == kControlC) return TravelKey{.kind = Kind::kInterrupt};
  if (character == kEscape) return TravelKey{.kind = Kind::kEscape};
  if (character == kBackspace || character == kDelete) return TravelKey{.kind = Kind::kBackspace};
  if (character == '\n' || character == '\r') return TravelKey{.kind = Kind::kEnter};
  if (character < ' ') return std::nullopt;
  return TravelKey{.kind = Kind::kCharacter, .character = static_cast<char32_t>(character)};
}

}  // namespace

absl::StatusOr<std::unique_ptr<CursesTerminal>> CursesTerminal::Open() {
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
                     ", a terminal that is not described here; expected e.g. "
                     "xterm-256color"));
  }
  if (tigetstr("cup") == nullptr) {
    endwin();
    delscreen(screen);
    return absl::InvalidArgumentError(
        absl::StrCat("-i: TERM is ", name, ", a terminal that cannot place its cursor"));
  }
  return std::make_unique<CursesTerminal>(screen);
}

CursesTerminal::CursesTerminal(void* screen)
    : screen_(screen), speaks_utf8_(absl::string_view(nl_langinfo(CODESET)) == "UTF-8") {
  raw();  // Ctrl-C is a key: it ends a search, or quits and restores the terminal.
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  set_escdelay(25);
  curs_set(0);
  const char* const no_colour = std::getenv("NO_COLOR");
  has_colours_ = has_colors() && (no_colour == nullptr || *no_colour == '\0');
  if (!has_colours_) return;
  start_color();
  use_default_colors();
  init_pair(kGreenPair, COLOR_GREEN, -1);
  init_pair(kRedPair, COLOR_RED, -1);
  init_pair(kYellowPair, COLOR_YELLOW, -1);
}

CursesTerminal::~CursesTerminal() {
  endwin();
  delscreen(static_cast<SCREEN*>(screen_));
}

size_t CursesTerminal::rows() const { return static_cast<size_t>(getmaxy(stdscr)); }
size_t CursesTerminal::columns() const { return static_cast<size_t>(getmaxx(stdscr)); }

void CursesTerminal::Show(const CellGrid& picture) {
  const CellGrid shown = speaks_utf8_ ? picture : picture.ToAscii();
  werase(stdscr);
  for (size_t row = 0; row < shown.rows(); ++row) {
    for (size_t column = 0; column < shown.columns(); ++column) {
      const CellGrid::Cell& cell = shown.at(row, column);
      if (cell == CellGrid::Cell()) continue;
      const wchar_t text[2] = {static_cast<wchar_t>(cell.glyph), L'\0'};
      wattr_set(stdscr, AttributesOf(cell.style, has_colours_), 0, nullptr);
      const attr_t attributes = AttributesOf(cell.style, has_colours_);
      cchar_t character;
      setcchar(&character, text, attributes, static_cast<short>(PAIR_NUMBER(attributes)), nullptr);
      mvwadd_wch(stdscr, static_cast<int>(row), static_cast<int>(column), &character);
    }
  }
  wrefresh(stdscr);
}

std::optional<TravelKey> CursesTerminal::WaitForKey() {
  nodelay(stdscr, TRUE);
  for (int failures = 0; failures < kFailuresMax;) {
    wint_t code = 0;
    const int result = wget_wch(stdscr, &code);
    if (result == ERR) {
      pollfd input = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
      if (poll(&input, 1, kLookAgainMilliseconds) > 0) ++failures;
      continue;
    }
    failures = 0;
    if (result == KEY_CODE_YES) {
      if (code == KEY_RESIZE) return std::nullopt;
      if (const auto kind = KindOfCode(code); kind.has_value()) return TravelKey{.kind = *kind};
      continue;
    }
    if (const auto key = KeyOfCharacter(code); key.has_value()) return key;
  }
  return TravelKey{.kind = Kind::kInterrupt};
}

bool CursesTerminal::WantsToStop() {
  nodelay(stdscr, TRUE);
  wint_t code = 0;
  while (true) {
    const int result = wget_wch(stdscr, &code);
    if (result == ERR) return false;
    if (result == KEY_CODE_YES) continue;
    const auto key = KeyOfCharacter(code);
    if (key.has_value() && (key->kind == Kind::kEscape || key->kind == Kind::kInterrupt)) {
      return true;
    }
  }
}

}  // namespace tools
