// What a word is in the file of a venue.

#ifndef TOOLS_CLI_SERVE_WORDS_H_
#define TOOLS_CLI_SERVE_WORDS_H_

#include <cstddef>

#include "absl/algorithm/container.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"

namespace tools {

// Printable ASCII without spaces, of so many bytes.
inline bool IsGraphicWord(absl::string_view text, size_t bytes_min, size_t bytes_max) {
  return text.size() >= bytes_min && text.size() <= bytes_max &&
         absl::c_all_of(text, [](unsigned char c) { return absl::ascii_isgraph(c); });
}

}  // namespace tools

#endif  // TOOLS_CLI_SERVE_WORDS_H_
