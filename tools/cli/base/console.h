// What a verb says, and to whom: results on standard output, everything else on standard error.

#ifndef TOOLS_CLI_BASE_CONSOLE_H_
#define TOOLS_CLI_BASE_CONSOLE_H_

#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

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

  // Results. Buffered until Flush() or until much has gathered.
  template <typename... What>
  void Print(const What&... what) {
    absl::StrAppend(&output_, what...);
    if (output_.size() > kFlushBytes) Flush();
  }
  template <typename... What>
  void PrintLine(const What&... what) {
    Print(what..., "\n");
  }
  void Flush();

  // A remark that is not a result; silent when quiet.
  template <typename... What>
  void Note(const What&... what) {
    if (!options_.quiet) Error(absl::StrCat(what..., "\n"));
  }
  // Always shown, on standard error, as it is.
  void Error(absl::string_view text);

  // `text` in that style where standard output is a terminal, else as it is.
  std::string Styled(Style style, absl::string_view text) const;

  bool json() const { return options_.json; }
  const Options& options() const { return options_; }
  void set_json(bool json) { options_.json = json; }
  void set_quiet(bool quiet) { options_.quiet = quiet; }

 private:
  static constexpr size_t kFlushBytes = 64 << 10;

  const Sink output_sink_;
  const Sink error_sink_;
  Options options_;
  std::string output_;
};

}  // namespace tools

#endif  // TOOLS_CLI_BASE_CONSOLE_H_
