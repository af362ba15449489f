#include "tools/cli/compare/event_file_diff.h"

#include <fstream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/integer_text.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

std::optional<uint64_t> SequenceOf(absl::string_view line) {
  constexpr absl::string_view kKey = "\"sequence\":";
  if (!line.empty() && line.front() == '{') {
    const size_t at = line.find(kKey);
    if (at == absl::string_view::npos) return std::nullopt;
    line.remove_prefix(at + kKey.size());
  }
  size_t digits = 0;
  while (digits < line.size() && absl::ascii_isdigit(static_cast<unsigned char>(line[digits]))) {
    ++digits;
  }
  uint64_t sequence = 0;
  if (!engine::ParseInteger(line.substr(0, digits), sequence)) return std::nullopt;
  return sequence;
}

class Groups {
 public:
  explicit Groups(std::string path) : path_(std::move(path)), file_(path_) {}

  absl::Status Open() {
    if (!file_) return absl::NotFoundError(absl::StrCat(path_, " cannot be opened"));
    return ReadLine();
  }

  // Returns nullopt at the end.
  absl::StatusOr<std::optional<EventFileDiff::Group>> Next() {
    if (!has_line_) return std::nullopt;
    EventFileDiff::Group group{.sequence = sequence_, .lines = {}};
    while (has_line_ && sequence_ == group.sequence) {
      group.lines.push_back(std::move(line_));
      RETURN_IF_ERROR(ReadLine());
    }
    return group;
  }

 private:
  absl::Status ReadLine() {
    do {
      has_line_ = static_cast<bool>(std::getline(file_, line_));
      ++number_;
    } while (has_line_ && line_.empty());
    if (!has_line_) return absl::OkStatus();
    const auto sequence = SequenceOf(line_);
    if (!sequence.has_value() || *sequence < sequence_) {
      return absl::DataLossError(
          absl::StrCat(path_, ":", number_, ": ",
                       sequence.has_value() ? "events go back"
                                            : "this is not an event of `ticktape replay --emit`",
                       "; expected the events of @", sequence_, " or a later command"));
    }
    sequence_ = *sequence;
    return absl::OkStatus();
  }

  const std::string path_;
  std::ifstream file_;
  std::string line_;
  bool has_line_ = false;
  uint64_t sequence_ = 0;
  uint64_t number_ = 0;
};

}  // namespace

absl::StatusOr<EventFileDiff> DiffEventFiles(const std::string& path_a, const std::string& path_b) {
  Groups a(path_a);
  Groups b(path_b);
  RETURN_IF_ERROR(a.Open());
  RETURN_IF_ERROR(b.Open());
  EventFileDiff diff;
  ASSIGN_OR_RETURN(auto next_a, a.Next());
  ASSIGN_OR_RETURN(auto next_b, b.Next());
  while (next_a.has_value() || next_b.has_value()) {
    const uint64_t sequence = !next_a                               ? next_b->sequence
                              : !next_b                             ? next_a->sequence
                              : next_a->sequence < next_b->sequence ? next_a->sequence
                                                                    : next_b->sequence;
    EventFileDiff::Difference here{.sequence = sequence, .a = {}, .b = {}};
    if (next_a && next_a->sequence == sequence) {
      here.a = std::move(next_a->lines);
      ASSIGN_OR_RETURN(next_a, a.Next());
    }
    if (next_b && next_b->sequence == sequence) {
      here.b = std::move(next_b->lines);
      ASSIGN_OR_RETURN(next_b, b.Next());
    }
    ++diff.compared;
    if (here.a == here.b) continue;
    ++diff.differing;
    if (!diff.first.has_value()) diff.first = std::move(here);
  }
  return diff;
}

}  // namespace tools
