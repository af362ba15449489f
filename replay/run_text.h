// Checkpoints and marks of a run as text, for files that expect a run's results.

#ifndef REPLAY_RUN_TEXT_H_
#define REPLAY_RUN_TEXT_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "journal/digest_sidecar.h"

namespace replay {

// "4096 <log digest> <trace digest> <state digest>"; a missing digest is zero.
std::string CheckpointText(const journal::Checkpoint& checkpoint);

// Parses a checkpoint and appends it. Returns false if the text is malformed or not of a later
// record than the last one.
bool ParseCheckpointText(absl::string_view text, std::vector<journal::Checkpoint>& checkpoints);

// A mark is 16 bits of the digest of a command's events: four hexadecimal digits. Appends lines of
// 64 marks; `prefix_of` returns what precedes the mark with this index.
void AppendMarks(std::string& text, const std::vector<uint16_t>& marks,
                 const std::function<std::string(size_t)>& prefix_of);

// Appends the marks of a line, without its prefix. Returns false if the digits are malformed.
bool ParseMarks(absl::string_view digits, std::vector<uint16_t>& marks);

}  // namespace replay

#endif  // REPLAY_RUN_TEXT_H_
