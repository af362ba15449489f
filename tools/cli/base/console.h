// Output of a verb: results to standard output, everything else to standard error.
//
// All text passes through ConsoleText, which escapes everything from outside before it reaches the
// terminal.

#ifndef TOOLS_CLI_BASE_CONSOLE_H_
#define TOOLS_CLI_BASE_CONSOLE_H_

#include <cstddef>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/time_zone.h"

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

  // Prints a result from pieces, as ConsoleText::Of() takes them; without their styles if standard
  // output is not a terminal, and with times of time_zone(). Buffered until Flush() or until 64 KiB
  // are pending.
  template <typename... What>
  void Print(What&&... what) {
    (Append(std::forward<What>(what)), ...);
    if (output_.bytes().size() > kFlushBytes) Flush();
  }
  template <typename... What>
  void PrintLine(What&&... what) {
    Print(std::forward<What>(what)..., "\n");
  }
  // Prints a result that is no text, or is known to have nothing to escape, as it is.
  void PrintBytes(absl::string_view bytes) {
    Flush();
    output_sink_(bytes);
  }
  void Flush() {
    if (!output_.bytes().empty()) {
      const bool is_utc = !time_zone_.has_value() || json();
      output_sink_(is_utc ? output_.bytes() : WithTimesIn(output_.bytes(), *time_zone_));
    }
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
    const ConsoleText text = ConsoleText::Of(std::forward<What>(what)...);
    error_sink_(time_zone_.has_value() ? WithTimesIn(text.bytes(), *time_zone_) : text.bytes());
  }

  bool json() const { return options_.json; }
  const Options& options() const { return options_; }
  void set_json(bool json) { options_.json = json; }
  void set_quiet(bool quiet) { options_.quiet = quiet; }
  // In which times are shown to people; nullopt is UTC, and so are times in JSON.
  const std::optional<absl::TimeZone>& time_zone() const { return time_zone_; }
  void set_time_zone(absl::TimeZone zone) { time_zone_ = zone; }

 private:
  static constexpr size_t kFlushBytes = 64 << 10;

  bool shows_styles() const { return options_.output_is_terminal && !options_.json; }

  template <typename Piece>
  void Append(Piece&& piece) {
    if constexpr (std::is_same_v<std::remove_cvref_t<Piece>, ConsoleText>) {
      output_.Append(shows_styles() ? piece : piece.WithoutStyles());
    } else {
      output_.Append(std::forward<Piece>(piece));
    }
  }

  const Sink output_sink_;
  const Sink error_sink_;
  Options options_;
  std::optional<absl::TimeZone> time_zone_;
  ConsoleText output_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CONSOLE_H_
