// ticktape: the only file that touches the process: arguments, streams, exit code.

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "tools/cli/base/console.h"
#include "tools/cli/base/exit_code.h"
#include "tools/cli/command_line.h"
#include "tools/os/standard_streams.h"

namespace {

// If the reader of a pipe is gone, SIGPIPE ends the program silently; a full disk must be reported.
tools::Console::Sink WriteTo(FILE* stream) {
  return [stream](absl::string_view text) {
    if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() &&
        std::fflush(stream) == 0) {
      return;
    }
    std::perror("ticktape: cannot write");
    std::_Exit(static_cast<int>(tools::ExitCode::kIo));
  };
}

}  // namespace

int main(int argument_count, char** arguments) {
  tools::Console console(WriteTo(stdout), WriteTo(stderr),
                         {.output_is_terminal = tools::StandardOutputIsTerminal(),
                          .error_is_terminal = tools::StandardErrorIsTerminal()});
  const std::vector<std::string> words(arguments + 1, arguments + argument_count);
  return static_cast<int>(tools::RunCommandLine(words, console));
}
