// Lines that are typed at a prompt of a terminal, with keys to edit them and a history.
//
// Uses libedit. What it shows is printable ASCII: other characters are not taken from the terminal.

#ifndef TOOLS_CLI_RECORD_LINE_EDITOR_H_
#define TOOLS_CLI_RECORD_LINE_EDITOR_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tools/cli/base/console.h"

namespace tools {

// At most one per process, on standard input and output. Not thread-safe. The terminal is as it was
// whenever no line is being read, and after SIGTERM.
class LineEditor {
 public:
  // Whether standard input and output are a terminal that can move its cursor.
  static bool IsPossible();

  // `await_key` is called before a key is read, and returns when one can be read, or false: the
  // input ends. `prompt` and `console` outlive the editor.
  LineEditor(const char* prompt, Console& console, std::function<bool()> await_key);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  // Returns the next line without its end; nullopt at the end of the input, which is Ctrl-D on an
  // empty line, or a terminal that is gone. Ctrl-C drops the line, and another is read.
  std::optional<std::string> ReadLine();

  // Adds a line to the history.
  void Remember(const std::string& line);

  // Call in `await_key` before something is printed: it begins on a line of its own, and what was
  // typed so far is drawn again after it.
  void MakeRoom();

  struct State;

 private:
  const std::unique_ptr<State> state_;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_LINE_EDITOR_H_
