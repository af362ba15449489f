// The word that a mistyped one was meant to be.

#ifndef TOOLS_CLI_BASE_NEAREST_WORD_H_
#define TOOLS_CLI_BASE_NEAREST_WORD_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace tools {

// Returns the word of `words` that takes the fewest edits (a letter more, less or other, or two
// neighbours exchanged) to become `typed`, the first of equals; empty if it takes more than one for
// each three letters, or if `typed` is longer than any word could be.
std::string NearestWord(absl::string_view typed, const std::vector<std::string>& words);

// "there is no WHAT 'typed'; did you mean 'word'?", or all words where none is near.
std::string NoSuchWord(absl::string_view what, absl::string_view typed,
                       const std::vector<std::string>& words);

}  // namespace tools

#endif  // TOOLS_CLI_BASE_NEAREST_WORD_H_
