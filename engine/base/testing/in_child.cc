#include "engine/base/testing/in_child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace engine {
namespace {

// Fits the pipe, so that the parent need not read before the end.
constexpr size_t kOutputBytesMax = 300;
constexpr unsigned kSecondsMax = 300;

[[noreturn]] void BeChild(int pipe_end, const std::function<std::string()>& work) {
  if (std::freopen("/dev/null", "w", stderr) == nullptr) std::_Exit(2);
  alarm(kSecondsMax);
  const std::string text = work().substr(0, kOutputBytesMax);
  const bool is_written =
      write(pipe_end, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  std::_Exit(is_written ? 0 : 2);
}

}  // namespace

std::string InChild(const std::function<std::string()>& work) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child == 0) BeChild(ends[1], work);
  close(ends[1]);
  std::string output;
  char buffer[kOutputBytesMax];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? output : "broken invariant";
}

}  // namespace engine
