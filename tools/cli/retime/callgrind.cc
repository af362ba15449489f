#include "tools/cli/retime/callgrind.h"

#include <array>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

// What each event of callgrind counts to.
constexpr std::array<std::pair<absl::string_view, uint64_t WorkCounts::*>, 11> kEvents = {{
    {"Ir", &WorkCounts::instructions},
    {"Bc", &WorkCounts::branches},
    {"Bi", &WorkCounts::branches},
    {"Bcm", &WorkCounts::mispredicted},
    {"Bim", &WorkCounts::mispredicted},
    {"I1mr", &WorkCounts::l1_misses},
    {"D1mr", &WorkCounts::l1_misses},
    {"D1mw", &WorkCounts::l1_misses},
    {"ILmr", &WorkCounts::last_level_misses},
    {"DLmr", &WorkCounts::last_level_misses},
    {"DLmw", &WorkCounts::last_level_misses},
}};

class ProfileReader {
 public:
  explicit ProfileReader(const std::function<std::optional<size_t>(absl::string_view)>& index_of)
      : index_of_(index_of) {}

  absl::StatusOr<CountsByIndex> Read(absl::string_view profile) {
    size_t number = 0;
    for (const absl::string_view line : absl::StrSplit(profile, '\n')) {
      ++number;
      if (!ReadLine(line)) {
        return absl::DataLossError(
            absl::StrCat("line ", number, " of the profile is none of callgrind's"));
      }
    }
    if (events_.empty()) return absl::DataLossError("the profile names no events");
    return std::move(counts_);
  }

 private:
  // Returns false for what is no such line. Lines of other meanings, such as files, are passed
  // over.
  bool ReadLine(absl::string_view line) {
    if (absl::ConsumePrefix(&line, "events:")) return ReadEvents(line);
    if (absl::ConsumePrefix(&line, "fn=")) return Name(line, current_);
    if (absl::ConsumePrefix(&line, "cfn=")) {
      std::optional<size_t> called;
      return Name(line, called);
    }
    // The cost of a call is that of all that it called, on the next line.
    if (!line.empty() && (IsDigit(line[0]) || absl::StrContains("+-*", line[0]))) return Add(line);
    return true;
  }

  bool ReadEvents(absl::string_view line) {
    events_.clear();
    for (const absl::string_view name : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
      uint64_t WorkCounts::*field = nullptr;
      for (const auto& [event, its_field] : kEvents) {
        if (event == name) field = its_field;
      }
      events_.push_back(field);
    }
    return !events_.empty();
  }

  // "(12) name", and later "(12)"; or the name alone.
  bool Name(absl::string_view text, std::optional<size_t>& index) {
    if (!absl::ConsumePrefix(&text, "(")) {
      index = index_of_(text);
      return true;
    }
    const size_t end = text.find(')');
    uint64_t id = 0;
    if (end == absl::string_view::npos || !engine::ParseInteger(text.substr(0, end), id)) {
      return false;
    }
    text.remove_prefix(end + 1);
    if (absl::ConsumePrefix(&text, " ")) names_[id] = index_of_(text);
    const auto found = names_.find(id);
    if (found == names_.end()) return false;
    index = found->second;
    return true;
  }

  // A position, then a count for each event; zeros at the end are left out.
  bool Add(absl::string_view line) {
    if (!current_.has_value()) return true;
    WorkCounts& counts = counts_[*current_];
    size_t column = 0;
    for (const absl::string_view word : absl::StrSplit(line, ' ', absl::SkipEmpty())) {
      if (column++ == 0) continue;
      uint64_t value = 0;
      if (column - 2 >= events_.size() || !engine::ParseInteger(word, value)) return false;
      if (events_[column - 2] != nullptr) counts.*events_[column - 2] += value;
    }
    return true;
  }

  static bool IsDigit(char byte) { return byte >= '0' && byte <= '9'; }

  const std::function<std::optional<size_t>(absl::string_view)>& index_of_;
  std::vector<uint64_t WorkCounts::*> events_;       // By column; null: not counted.
  std::map<uint64_t, std::optional<size_t>> names_;  // By callgrind's number of a function.
  std::optional<size_t> current_;                    // Of the function that lines are about.
  CountsByIndex counts_;
};

}  // namespace

WorkCounts& WorkCounts::operator+=(const WorkCounts& other) {
  instructions += other.instructions;
  branches += other.branches;
  mispredicted += other.mispredicted;
  l1_misses += other.l1_misses;
  last_level_misses += other.last_level_misses;
  return *this;
}

std::vector<std::string> CallgrindCommand(const std::string& profile, absl::string_view functions,
                                          const std::vector<std::string>& program) {
  std::vector<std::string> command = {"valgrind",
                                      "--quiet",
                                      "--tool=callgrind",
                                      "--cache-sim=yes",
                                      "--branch-sim=yes",
                                      "--I1=32768,8,64",
                                      "--D1=32768,8,64",
                                      "--LL=8388608,16,64",
                                      "--collect-atstart=no",
                                      absl::StrCat("--toggle-collect=", functions),
                                      absl::StrCat("--callgrind-out-file=", profile)};
  command.insert(command.end(), program.begin(), program.end());
  return command;
}

absl::StatusOr<CountsByIndex> ReadCallgrindProfile(
    absl::string_view profile,
    const std::function<std::optional<size_t>(absl::string_view)>& index_of) {
  return ProfileReader(index_of).Read(profile);
}

}  // namespace tools
