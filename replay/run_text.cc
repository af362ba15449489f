#include "replay/run_text.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "engine/base/digest.h"
#include "engine/base/integer_text.h"

namespace replay {

std::string CheckpointText(const journal::Checkpoint& checkpoint) {
  const engine::Digest none;
  return absl::StrCat(checkpoint.sequence.value(), " ", checkpoint.log.value_or(none).ToString(),
                      " ", checkpoint.trace.value_or(none).ToString(), " ",
                      checkpoint.state.value_or(none).ToString());
}

bool ParseCheckpointText(absl::string_view text, std::vector<journal::Checkpoint>& checkpoints) {
  const std::vector<absl::string_view> words = absl::StrSplit(text, ' ');
  uint64_t sequence = 0;
  if (words.size() != 4 || !engine::ParseInteger(words[0], sequence)) return false;
  const auto log = engine::Digest::Parse(words[1]);
  const auto trace = engine::Digest::Parse(words[2]);
  const auto state = engine::Digest::Parse(words[3]);
  const uint64_t before = checkpoints.empty() ? 0 : checkpoints.back().sequence.value();
  if (!log.ok() || !trace.ok() || !state.ok() || sequence <= before) return false;
  checkpoints.push_back({.sequence = engine::SequenceNumber(sequence),
                         .log = *log,
                         .trace = *trace,
                         .state = *state});
  return true;
}

void AppendMarks(std::string& text, const std::vector<uint16_t>& marks,
                 const std::function<std::string(size_t)>& prefix_of) {
  constexpr size_t kMarksOfALine = 64;
  for (size_t i = 0; i < marks.size(); ++i) {
    if (i % kMarksOfALine == 0) absl::StrAppend(&text, i == 0 ? "" : "\n", prefix_of(i));
    absl::StrAppendFormat(&text, "%04x", marks[i]);
  }
  if (!marks.empty()) text += '\n';
}

bool ParseMarks(absl::string_view digits, std::vector<uint16_t>& marks) {
  constexpr size_t kDigits = 4;
  while (digits.size() >= kDigits) {
    uint32_t mark = 0;
    const bool good = engine::ParseInteger(digits.substr(0, kDigits), mark, 16);
    marks.push_back(static_cast<uint16_t>(mark));
    if (!good || mark > UINT16_MAX) return false;
    digits.remove_prefix(kDigits);
  }
  return digits.empty();
}

}  // namespace replay
