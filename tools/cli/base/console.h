// What a verb says, and to whom: results on standard output, everything else on standard error.
//
// All that is printed passes through ConsoleText: nothing that comes from outside reaches the
// terminal as it is.

#ifndef TOOLS_CLI_BASE_CONSOLE_H_
#define TOOLS_CLI_BASE_CONSOLE_H_

#include <cstddef>
#include <functional>
#include <utility>

#include "absl/strings/string_view.h"
#include "tools/cli/base/console_text.h"

namespace tools {

enum class Style { kPlain, kBold, kDim, kGreen, kRed, kYellow };

// Not thread-safe: owned by main(), passed to the verb.
class Console {
 public:
  using Sink = std::function<void(absl::string_view)>;

  struct Options {
    bool json = false;   // Results as JSON, one object a line.
    bool quiet = false;  // No notes and no progress; errors still show.
    bool output_is_terminal = false;
    bool error_is_terminal = false;
  };

  Console(Sink output, Sink error, Options options)
      : output_sink_(std::move(output)), error_sink_(std::move(error)), options_(options) {}
  ~Console() { Flush(); }
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

  // Results, made of pieces as ConsoleText::Of() takes them. Buffered until Flush() or until much
  // has gathered.
  template <typename... What>
  void Print(What&&... what) {
    (output_.Append(std::forward<What>(what)), ...);
    if (output_.bytes().size() > kFlushBytes) Flush();
  }
  template <typename... What>
  void PrintLine(What&&... what) {
    Print(std::forward<What>(what)..., "\n");
  }
  void Flush();

  // A remark that is not a result; silent when quiet.
  template <typename... What>
  void Note(What&&... what) {
    if (!options_.quiet) Error(std::forward<What>(what)..., "\n");
  }
  // Always shown, on standard error.
  template <typename... What>
  void Error(What&&... what) {
    ShowError(ConsoleText::Of(std::forward<What>(what)...));
  }

  // `text` in that style where standard output is a terminal, else as it is.
  ConsoleText Styled(Style style, const ConsoleText& text) const;

  bool json() const { return options_.json; }
  const Options& options() const { return options_; }
  void set_json(bool json) { options_.json = json; }
  void set_quiet(bool quiet) { options_.quiet = quiet; }

 private:
  static constexpr size_t kFlushBytes = 64 << 10;

  void ShowError(const ConsoleText& text);

  const Sink output_sink_;
  const Sink error_sink_;
  Options options_;
  ConsoleText output_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CONSOLE_H_
