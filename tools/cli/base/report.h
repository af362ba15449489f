// The result of a verb as one value: rows for people, or with --json one object for programs.
//
//   Report report("ticktape.verify/1");
//   report.Field("path", path);                          in JSON only
//   report.Line(Styled(Style::kGreen, "CLEAN"), "  ", path);         for people only
//   report.Fact("state digest", "state_digest", digest);             both
//   report.PrintTo(console);
//
// Rows and fields each appear in the order of the calls.

#ifndef TOOLS_CLI_BASE_REPORT_H_
#define TOOLS_CLI_BASE_REPORT_H_

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "journal/digest_sidecar.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/console_text.h"
#include "tools/cli/base/format.h"
#include "tools/cli/base/json.h"

namespace tools {

// A value type: built up, then printed once. As a JsonObject it takes the fields.
class Report : public JsonObject {
 public:
  using JsonObject::JsonObject;

  // Adds a line from pieces, as ConsoleText::Of() takes them.
  template <typename... What>
  void Line(What&&... what) {
    if (has_all_lines_) return;
    (text_.Append(std::forward<What>(what)), ...);
    text_.Append("\n");
  }

  // Adds a line with a title in dim type; the values of all rows are aligned.
  template <typename... What>
  void Row(absl::string_view title, What&&... what) {
    Line("  ", Styled(Style::kDim, absl::StrFormat("%-16s", title)), " ",
         std::forward<What>(what)...);
  }

  // Adds a row and a field of the same value; people see a count with commas. Nothing for nullopt.
  template <typename Value>
  void Fact(absl::string_view title, absl::string_view name, const Value& value) {
    if constexpr (std::unsigned_integral<Value>) {
      Row(title, WithCommas(value));
    } else {
      Row(title, value);
    }
    Field(name, value);
  }
  template <typename Value>
  void Fact(absl::string_view title, absl::string_view name, const std::optional<Value>& value) {
    if (value.has_value()) Fact(title, name, *value);
  }

  // Adds a remark for people that is not a result: it goes to standard error.
  template <typename... What>
  void Note(What&&... what) {
    (notes_.Append(std::forward<What>(what)), ...);
    notes_.Append("\n");
  }

  // Adds several lines in one call, with their line ends.
  void Lines(const ConsoleText& lines) { text_.Append(lines); }

  // Ignores lines from here on: the rest is only in JSON.
  void EndLines() { has_all_lines_ = true; }

  const ConsoleText& lines() const { return text_; }

  // Prints the lines, or with --json the object. REQUIRES: called once.
  void PrintTo(Console& console) {
    if (console.json()) return console.PrintLine(ConsoleText(Take()));
    if (!notes_.bytes().empty() && !console.options().quiet) console.Error(notes_);
    console.Print(text_);
  }

 private:
  ConsoleText text_;
  ConsoleText notes_;
  bool has_all_lines_ = false;
};

// Adds the digests that the checkpoint has.
inline void AddDigests(Report& report, const journal::Checkpoint& last) {
  report.Fact("log digest", "log_digest", last.log);
  report.Fact("trace digest", "trace_digest", last.trace);
  report.Fact("state digest", "state_digest", last.state);
}

// "EQUAL" or "DIFFERENT", in its colour.
inline ConsoleText EqualOrDifferent(bool is_equal) {
  return is_equal ? Styled(Style::kGreen, "EQUAL") : Styled(Style::kRed, "DIFFERENT");
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_REPORT_H_
