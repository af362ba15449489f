#include "tools/cli/golden/expectation.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"
#include "journal/digest_sidecar.h"
#include "replay/run_results.h"
#include "tools/cli/base/files.h"

namespace tools {
namespace {

constexpr absl::string_view kTitle = "ticktape golden ";
constexpr int kVersion = 1;

// Splits at the first `delimiter`; the second part is empty without one.
std::pair<absl::string_view, absl::string_view> SplitAt(absl::string_view text,
                                                        absl::string_view delimiter) {
  return absl::StrSplit(text, absl::MaxSplits(delimiter, 1));
}

class Parser {
 public:
  explicit Parser(absl::string_view text) : lines_(absl::StrSplit(text, '\n')) {}

  absl::StatusOr<Expectation> Parse() {
    RETURN_IF_ERROR(ParseTitle());
    while (Next() && !line_.empty()) RETURN_IF_ERROR(ParseField());
    while (Next()) {
      if (!line_.empty()) RETURN_IF_ERROR(ParseSection());
    }
    RETURN_IF_ERROR(CheckWhole());
    return std::move(into_);
  }

 private:
  // Reads the next line that is not a comment. Returns false at the end.
  bool Next() {
    while (next_ < lines_.size()) {
      line_ = lines_[next_++];
      if (!absl::StartsWith(line_, "#")) return true;
    }
    return false;
  }

  // Returns an error in the current line.
  template <typename... What>
  absl::Status Wrong(const What&... what) const {
    return absl::DataLossError(absl::StrCat("line ", next_, ": ", what...));
  }

  absl::Status ParseTitle() {
    int version = 0;
    if (!Next() || !absl::ConsumePrefix(&line_, kTitle) || !engine::ParseInteger(line_, version)) {
      return Wrong("expected '", kTitle, kVersion, "'");
    }
    if (version == kVersion) return absl::OkStatus();
    return absl::UnimplementedError(absl::StrCat("an expectation of version ", version,
                                                 "; this build reads version ", kVersion));
  }

  absl::Status ParseField() {
    const auto [key, value] = SplitAt(line_, " ");
    uint64_t number = 0;
    if (key == "name") {
      into_.name = std::string(value);
    } else if (key == "journal") {
      into_.journal = std::string(value);
    } else if (key == "engine") {
      into_.engine = std::string(value);
    } else if (!engine::ParseInteger(value, number)) {
      return Wrong("'", line_, "': expected a field and its value");
    } else if (key == "semantics" && number <= UINT32_MAX) {
      into_.results.semantics_version = static_cast<uint32_t>(number);
    } else if (key == "commands") {
      command_count_ = number;
    } else if (key == "events") {
      into_.results.output_count = number;
    } else {
      return Wrong("there is no field '", key,
                   "'; expected name, journal, engine, semantics, commands or events");
    }
    return absl::OkStatus();
  }

  absl::Status ParseSection() {
    absl::Status (Parser::*parse)() = nullptr;
    if (line_ == "history") parse = &Parser::ParseChange;
    if (line_ == "checkpoints") parse = &Parser::ParseCheckpoint;
    if (line_ == "marks") parse = &Parser::ParseMarksLine;
    if (line_ == "events") {
      into_.results.outputs.emplace();
      parse = &Parser::TakeEvent;
    }
    if (parse == nullptr) {
      return Wrong("there is no section '", line_,
                   "'; expected history, checkpoints, marks or events");
    }
    while (Next() && !line_.empty()) RETURN_IF_ERROR((this->*parse)());
    return absl::OkStatus();
  }

  absl::Status ParseChange() {
    if (SplitAt(SplitAt(line_, " ").second, ": ").second.empty()) {
      return Wrong("'", line_, "': expected a date, what was done, ': ' and why");
    }
    into_.history.emplace_back(line_);
    return absl::OkStatus();
  }

  absl::Status ParseCheckpoint() {
    if (replay::ParseCheckpointText(line_, into_.results.checkpoints)) return absl::OkStatus();
    return Wrong("'", line_,
                 "': expected a later sequence number, then log, trace and state digest of 32 "
                 "hexadecimal digits each");
  }

  absl::Status ParseMarksLine() {
    const auto [number, digits] = SplitAt(line_, " ");
    uint64_t first = 0;
    const bool good = engine::ParseInteger(number, first) &&
                      first == into_.results.marks.size() + 1 && !digits.empty() &&
                      digits.size() % 4 == 0;
    if (good && replay::ParseMarks(digits, into_.results.marks)) return absl::OkStatus();
    return Wrong("expected the marks of the commands from ", into_.results.marks.size() + 1,
                 " on, 4 hexadecimal digits each");
  }

  absl::Status TakeEvent() {
    into_.results.outputs->emplace_back(line_);
    return absl::OkStatus();
  }

  // Checks constraints that span several lines.
  absl::Status CheckWhole() const {
    const replay::RunResults& results = into_.results;
    if (results.last() != command_count_) {
      return absl::DataLossError(absl::StrCat("the last checkpoint is at ", results.last(),
                                              "; expected ", command_count_, ", the last command"));
    }
    if (!results.marks.empty() && results.marks.size() != command_count_) {
      return absl::DataLossError(absl::StrCat("there are ", results.marks.size(),
                                              " marks; expected ", command_count_,
                                              ", one a command"));
    }
    if (results.outputs.has_value() && results.outputs->size() != results.output_count) {
      return absl::DataLossError(absl::StrCat("there are ", results.outputs->size(),
                                              " events; expected ", results.output_count));
    }
    return absl::OkStatus();
  }

  const std::vector<absl::string_view> lines_;
  size_t next_ = 0;
  absl::string_view line_;
  Expectation into_;
  uint64_t command_count_ = 0;
};

}  // namespace

std::string FormatExpectation(const Expectation& expectation) {
  const replay::RunResults& results = expectation.results;
  std::string text =
      absl::StrCat(kTitle, kVersion,
                   "\n# Made by 'ticktape golden'; 'ticktape golden update --reason' changes it.\n",
                   "name ", expectation.name, "\n");
  if (!expectation.journal.empty()) absl::StrAppend(&text, "journal ", expectation.journal, "\n");
  absl::StrAppend(&text, "engine ", expectation.engine, "\nsemantics ", results.semantics_version,
                  "\ncommands ", results.last(), "\nevents ", results.output_count,
                  "\n\nhistory\n");
  for (const std::string& change : expectation.history) absl::StrAppend(&text, change, "\n");
  absl::StrAppend(&text, "\ncheckpoints\n");
  for (const journal::Checkpoint& checkpoint : results.checkpoints) {
    absl::StrAppend(&text, replay::CheckpointText(checkpoint), "\n");
  }
  if (!results.marks.empty()) {
    absl::StrAppend(&text, "\nmarks\n");
    replay::AppendMarks(text, results.marks, [](size_t i) { return absl::StrCat(i + 1, " "); });
  }
  if (results.outputs.has_value()) {
    absl::StrAppend(&text, "\nevents\n");
    for (const std::string& event : *results.outputs) absl::StrAppend(&text, event, "\n");
  }
  return text;
}

absl::StatusOr<Expectation> ParseExpectation(absl::string_view text) {
  return Parser(text).Parse();
}

absl::StatusOr<Expectation> ReadExpectation(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  absl::StatusOr<Expectation> expectation = ParseExpectation(text);
  return expectation.ok() ? expectation : ErrorIn(path, expectation.status());
}

}  // namespace tools
