// The terminal: keys in, pictures out. The only file that knows ncurses.

#ifndef TOOLS_CLI_TRAVEL_CURSES_TERMINAL_H_
#define TOOLS_CLI_TRAVEL_CURSES_TERMINAL_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "tools/cli/travel/cell_grid.h"
#include "tools/cli/travel/travel_control.h"

namespace tools {

// One at a time in a process; while it lives, nobody else writes to the terminal. Gives the
// terminal back as it was, also where a polite kill ends the program. Not thread-safe.
class CursesTerminal {
 public:
  // Errors: INVALID_ARGUMENT where standard input or output is no terminal, or one that cannot
  // place its cursor.
  static absl::StatusOr<std::unique_ptr<CursesTerminal>> Open();

  // For Open().
  explicit CursesTerminal(void* screen);
  ~CursesTerminal();
  CursesTerminal(const CursesTerminal&) = delete;
  CursesTerminal& operator=(const CursesTerminal&) = delete;

  // As it is now: a window may be resized at any time.
  size_t rows() const;
  size_t columns() const;

  // In ASCII where the locale is not one of UTF-8.
  void Show(const CellGrid& picture);

  // The next key; nullopt when the size has changed, so that a new picture is due. Where nobody is
  // there any more, Ctrl-C.
  std::optional<TravelKey> WaitForKey();

  // Without waiting: whether Escape or Ctrl-C was pressed. Other keys that wait are dropped.
  bool WantsToStop();

 private:
  void* const screen_;
  bool speaks_utf8_ = false;
  bool has_colours_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_CURSES_TERMINAL_H_
