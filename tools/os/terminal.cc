#include "tools/os/terminal.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace tools {
namespace {

bool IsColourTerminal(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::strcmp(term, "dumb") == 0) return false;
  return isatty(descriptor) == 1;
}

}  // namespace

bool StandardOutputIsTerminal() { return IsColourTerminal(STDOUT_FILENO); }

bool StandardErrorIsTerminal() { return IsColourTerminal(STDERR_FILENO); }

}  // namespace tools
