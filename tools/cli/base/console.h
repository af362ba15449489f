// Output of a verb: results to standard output, everything else to standard error.
//
// All text passes through ConsoleText, which escapes everything from outside before it reaches the
// terminal.

#ifndef TOOLS_CLI_BASE_CONSOLE_H_
#define TOOLS_CLI_BASE_CONSOLE_H_

#include <cstddef>
#include <functional>
#include <utility>

#include "absl/strings/string_view.h"
#include "tools/cli/base/console_text.h"

namespace tools {

// Not thread-safe: owned by main(), passed to the verb.
class Console {
 public:
  using Sink = std::function<void(absl::string_view)>;

  struct Options {
    bool json = false;   // Results as JSON, one object per line.
    bool quiet = false;  // No notes and no progress; errors are still shown.
    bool output_is_terminal = false;
    bool error_is_terminal = false;
  };

  Console(Sink output, Sink error, Options options)
      : output_sink_(std::move(output)), error_sink_(std::move(error)), options_(options) {}
  ~Console() { Flush(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  // Prints a result from pieces, as ConsoleText::Of() takes them. Buffered until Flush() or until
  // 64 KiB are pending.
  template <typename... What>
  void Print(What&&... what) {
    (output_.Append(std::forward<What>(what)), ...);
    if (output_.bytes().size() > kFlushBytes) Flush();
  }
  template <typename... What>
  void PrintLine(What&&... what) {
    Print(std::forward<What>(what)..., "\n");
  }
  void Flush() {
    if (!output_.bytes().empty()) output_sink_(output_.bytes());
    output_.Clear();
  }

  // Prints a remark that is not a result; silent with `quiet`.
  template <typename... What>
  void Note(What&&... what) {
    if (!options_.quiet) Error(std::forward<What>(what)..., "\n");
  }
  // Prints to standard error, even with `quiet`.
  template <typename... What>
  void Error(What&&... what) {
    Flush();  // Keeps the two streams in the order of the calls.
    error_sink_(ConsoleText::Of(std::forward<What>(what)...).bytes());
  }

  // Prints a result that contains styles; without them if standard output is not a terminal.
  void PrintStyled(const ConsoleText& text) { Print(shows_styles() ? text : text.WithoutStyles()); }

  // Returns `text` in `style` if standard output is a terminal and not JSON, else unchanged.
  ConsoleText Styled(Style style, const ConsoleText& text) const {
    return shows_styles() ? tools::Styled(style, text) : text;
  }

  bool json() const { return options_.json; }
  const Options& options() const { return options_; }
  void set_json(bool json) { options_.json = json; }
  void set_quiet(bool quiet) { options_.quiet = quiet; }

 private:
  static constexpr size_t kFlushBytes = 64 << 10;

  bool shows_styles() const { return options_.output_is_terminal && !options_.json; }

  const Sink output_sink_;
  const Sink error_sink_;
  Options options_;
  ConsoleText output_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CONSOLE_H_
