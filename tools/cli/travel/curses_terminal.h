// The terminal: reads keys, shows pictures. The only file that uses ncurses.

#ifndef TOOLS_CLI_TRAVEL_CURSES_TERMINAL_H_
#define TOOLS_CLI_TRAVEL_CURSES_TERMINAL_H_

#include <cstddef>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "tools/cli/travel/cell_grid.h"
#include "tools/cli/travel/travel_control.h"

namespace tools {

// At most one per process; while it exists, nothing else writes to the terminal. The destructor
// restores the terminal, and so does SIGTERM. Not thread-safe.
class CursesTerminal {
 public:
  // Errors: INVALID_ARGUMENT if standard input or output is not a terminal, or the terminal cannot
  // position its cursor.
  static absl::StatusOr<std::unique_ptr<CursesTerminal>> Open();

  // For Open().
  explicit CursesTerminal(void* screen);
  ~CursesTerminal();
  CursesTerminal(const CursesTerminal&) = delete;
  CursesTerminal& operator=(const CursesTerminal&) = delete;

  // The current size: the window may be resized at any time.
  size_t rows() const;
  size_t columns() const;

  // Draws in ASCII if the locale is not UTF-8.
  void Show(const CellGrid& picture);

  // Returns the next key; nullopt if the size has changed and a new picture is needed; Ctrl-C if
  // the terminal is gone.
  std::optional<TravelKey> WaitForKey();

  // Returns immediately: whether Escape or Ctrl-C was pressed. Drops other pending keys.
  bool WantsToStop();

 private:
  void* const screen_;
  bool speaks_utf8_ = false;
  bool has_colours_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_TRAVEL_CURSES_TERMINAL_H_
