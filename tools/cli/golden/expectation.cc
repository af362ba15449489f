#include "tools/cli/golden/expectation.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/digest.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "engine/base/status_macros.h"
#include "tools/cli/base/files.h"
#include "tools/cli/base/run_text.h"

namespace tools {
namespace {

constexpr absl::string_view kTitle = "ticktape golden ";
constexpr int kVersion = 1;

// Iterates over lines and counts them.
class Lines {
 public:
  explicit Lines(absl::string_view text) : lines_(absl::StrSplit(text, '\n')) {}

  // Reads the next line that is not a comment. Returns false at the end.
  bool Next(absl::string_view& line) {
    while (next_ < lines_.size()) {
      line = lines_[next_++];
      if (!absl::StartsWith(line, "#")) return true;
    }
    return false;
  }
  absl::Status Wrong(absl::string_view what) const {
    return absl::DataLossError(absl::StrCat("line ", next_, ": ", what));
  }

 private:
  const std::vector<absl::string_view> lines_;
  size_t next_ = 0;
};

absl::Status ParseTitle(Lines& lines) {
  absl::string_view line;
  int version = 0;
  if (!lines.Next(line) || !absl::ConsumePrefix(&line, kTitle) ||
      !engine::ParseInteger(line, version)) {
    return lines.Wrong(absl::StrCat("expected '", kTitle, kVersion, "'"));
  }
  if (version == kVersion) return absl::OkStatus();
  return absl::UnimplementedError(
      absl::StrCat("an expectation of version ", version, "; this build reads version ", kVersion));
}

absl::Status ParseField(Lines& lines, absl::string_view line, Expectation& into) {
  const std::pair<absl::string_view, absl::string_view> field =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  const auto [key, value] = field;
  if (key == "name") {
    into.name = std::string(value);
  } else if (key == "journal") {
    into.journal = std::string(value);
  } else if (key == "engine") {
    into.engine = std::string(value);
  } else {
    uint64_t number = 0;
    if (!engine::ParseInteger(value, number)) {
      return lines.Wrong(absl::StrCat("'", line, "': expected a field and its value"));
    }
    if (key == "semantics" && number <= UINT32_MAX) {
      into.semantics_version = static_cast<uint32_t>(number);
    } else if (key == "commands") {
      into.command_count = number;
    } else if (key == "events") {
      into.event_count = number;
    } else {
      return lines.Wrong(absl::StrCat("there is no field '", key,
                                      "'; expected name, journal, engine, semantics, commands or "
                                      "events"));
    }
  }
  return absl::OkStatus();
}

absl::Status ParseHistory(Lines& lines, absl::string_view line, Expectation& into) {
  const std::pair<absl::string_view, absl::string_view> date =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  const std::pair<absl::string_view, absl::string_view> rest =
      absl::StrSplit(date.second, absl::MaxSplits(": ", 1));
  if (rest.second.empty()) {
    return lines.Wrong(absl::StrCat("'", line, "': expected a date, what was done, ': ' and why"));
  }
  into.history.push_back({.date = std::string(date.first),
                          .what = std::string(rest.first),
                          .reason = std::string(rest.second)});
  return absl::OkStatus();
}

absl::Status ParseCheckpoint(Lines& lines, absl::string_view line, Expectation& into) {
  if (ParseCheckpointText(line, into.checkpoints)) return absl::OkStatus();
  return lines.Wrong(
      absl::StrCat("'", line,
                   "': expected a later sequence number, then log, trace and state digest of 32 "
                   "hexadecimal digits each"));
}

absl::Status ParseMarksLine(Lines& lines, absl::string_view line, Expectation& into) {
  const std::pair<absl::string_view, absl::string_view> split =
      absl::StrSplit(line, absl::MaxSplits(' ', 1));
  uint64_t first = 0;
  const bool good = engine::ParseInteger(split.first, first) && first == into.marks.size() + 1 &&
                    !split.second.empty() && split.second.size() % 4 == 0;
  if (good && ParseMarks(split.second, into.marks)) return absl::OkStatus();
  return lines.Wrong(absl::StrCat("expected the marks of the commands from ", into.marks.size() + 1,
                                  " on, 4 hexadecimal digits each"));
}

absl::Status ParseSection(Lines& lines, absl::string_view section, Expectation& into) {
  absl::Status (*parse)(Lines&, absl::string_view, Expectation&) = nullptr;
  if (section == "history") parse = ParseHistory;
  if (section == "checkpoints") parse = ParseCheckpoint;
  if (section == "marks") parse = ParseMarksLine;
  if (section == "events") {
    into.has_events = true;
    parse = [](Lines&, absl::string_view line, Expectation& expectation) {
      expectation.events.emplace_back(line);
      return absl::OkStatus();
    };
  }
  if (parse == nullptr) {
    return lines.Wrong(absl::StrCat("there is no section '", section,
                                    "'; expected history, checkpoints, marks or events"));
  }
  absl::string_view line;
  while (lines.Next(line) && !line.empty()) RETURN_IF_ERROR(parse(lines, line, into));
  return absl::OkStatus();
}

// Checks constraints that span several lines.
absl::Status CheckWhole(const Expectation& expectation) {
  const uint64_t last =
      expectation.checkpoints.empty() ? 0 : expectation.checkpoints.back().sequence.value();
  if (last != expectation.command_count) {
    return absl::DataLossError(absl::StrCat("the last checkpoint is at ", last, "; expected ",
                                            expectation.command_count, ", the last command"));
  }
  if (!expectation.marks.empty() && expectation.marks.size() != expectation.command_count) {
    return absl::DataLossError(absl::StrCat("there are ", expectation.marks.size(),
                                            " marks; expected ", expectation.command_count,
                                            ", one a command"));
  }
  if (expectation.has_events && expectation.events.size() != expectation.event_count) {
    return absl::DataLossError(absl::StrCat("there are ", expectation.events.size(),
                                            " events; expected ", expectation.event_count));
  }
  return absl::OkStatus();
}

}  // namespace

std::string FormatExpectation(const Expectation& expectation) {
  std::string text =
      absl::StrCat(kTitle, kVersion,
                   "\n# Made by 'ticktape golden'; 'ticktape golden update --reason' changes it.\n",
                   "name ", expectation.name, "\n");
  if (!expectation.journal.empty()) absl::StrAppend(&text, "journal ", expectation.journal, "\n");
  absl::StrAppend(&text, "engine ", expectation.engine, "\nsemantics ",
                  expectation.semantics_version, "\ncommands ", expectation.command_count,
                  "\nevents ", expectation.event_count, "\n\nhistory\n");
  for (const ExpectationChange& change : expectation.history) {
    absl::StrAppend(&text, change.date, " ", change.what, ": ", change.reason, "\n");
  }
  absl::StrAppend(&text, "\ncheckpoints\n");
  for (const journal::Checkpoint& checkpoint : expectation.checkpoints) {
    absl::StrAppend(&text, CheckpointText(checkpoint), "\n");
  }
  if (!expectation.marks.empty()) {
    absl::StrAppend(&text, "\nmarks\n");
    AppendMarks(text, expectation.marks, [](size_t i) { return absl::StrCat(i + 1, " "); });
  }
  if (expectation.has_events) {
    absl::StrAppend(&text, "\nevents\n");
    for (const std::string& event : expectation.events) absl::StrAppend(&text, event, "\n");
  }
  return text;
}

absl::StatusOr<Expectation> ParseExpectation(absl::string_view text) {
  Lines lines(text);
  RETURN_IF_ERROR(ParseTitle(lines));
  Expectation expectation;
  absl::string_view line;
  while (lines.Next(line) && !line.empty()) RETURN_IF_ERROR(ParseField(lines, line, expectation));
  while (lines.Next(line)) {
    if (!line.empty()) RETURN_IF_ERROR(ParseSection(lines, line, expectation));
  }
  RETURN_IF_ERROR(CheckWhole(expectation));
  return expectation;
}

absl::StatusOr<Expectation> ReadExpectation(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::StatusOr<Expectation> expectation = ParseExpectation(text);
  return expectation.ok() ? expectation : ErrorIn(path, expectation.status());
}

absl::Status WriteExpectation(const std::string& path, const Expectation& expectation,
                              bool replace) {
  return WriteFile(path, FormatExpectation(expectation), replace);
}

}  // namespace tools
