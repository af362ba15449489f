#include "tools/os/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"

extern char** environ;

namespace tools {
namespace {

constexpr off_t kLastWordsBytes = 4096;
constexpr int kSignalBase = 128;

void CloseAll(std::initializer_list<int> files) {
  for (const int file : files) {
    if (file >= 0) close(file);
  }
}

// The words as exec() takes them; valid as long as `command`.
std::vector<char*> ArgumentsOf(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  return arguments;
}

absl::Status CannotStart(const std::string& program, int why) {
  return absl::ErrnoToStatus(why, absl::StrCat(program, " cannot be started"));
}

// Starts `command` with these standard files. Returns 0, or the errno.
int Spawn(const std::vector<std::string>& command, int input, int output, int error, pid_t& pid) {
  const std::vector<char*> arguments = ArgumentsOf(command);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, error, STDERR_FILENO);
  const int why =
      posix_spawnp(&pid, arguments.front(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  return why;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ChildProcess>> ChildProcess::Start(
    const std::vector<std::string>& command) {
  if (command.empty()) return absl::InvalidArgumentError("no program to start");
  // Input is a socket, because writing to a pipe without a reader would raise SIGPIPE.
  int input[2] = {-1, -1};
  int output[2] = {-1, -1};
  const int error = memfd_create("standard error", MFD_CLOEXEC);
  pid_t pid = 0;
  const bool has_files = error >= 0 &&
                         socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) == 0 &&
                         pipe2(output, O_CLOEXEC) == 0;
  const int why = has_files ? Spawn(command, input[1], output[1], error, pid) : errno;
  CloseAll({input[1], output[1]});
  if (why != 0) {
    CloseAll({error, input[0], output[0]});
    return CannotStart(command.front(), why);
  }
  return std::unique_ptr<ChildProcess>(
      new ChildProcess(command.front(), pid, input[0], output[0], error));
}

ChildProcess::~ChildProcess() {
  if (pid_ != 0) {
    kill(pid_, SIGKILL);
    Wait();
  }
  CloseAll({input_, output_, error_});
}

absl::Status ChildProcess::Write(engine::Bytes bytes) {
  while (!bytes.empty()) {
    const ssize_t written = send(input_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return absl::AbortedError(absl::StrCat(name_, " has ended"));
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return absl::OkStatus();
}

void ChildProcess::EndInput() { shutdown(input_, SHUT_WR); }

absl::StatusOr<size_t> ChildProcess::Read(engine::MutableBytes into) {
  while (true) {
    RETURN_IF_ERROR(AwaitReadable(output_));
    const ssize_t got = read(output_, into.data(), into.size());
    if (got > 0) return static_cast<size_t>(got);
    if (got < 0 && errno == EINTR) continue;
    break;
  }
  RETURN_IF_ERROR(AwaitEnd());
  const int exit_code = Wait();
  if (exit_code == 0) return 0;
  const std::string words = last_words();
  return absl::AbortedError(
      absl::StrCat(DescribeExit(exit_code), words.empty() ? "" : ": ", words));
}

absl::Status ChildProcess::AwaitEnd() const {
  if (pid_ == 0 || !deadline_.has_value()) return absl::OkStatus();
  const int process = static_cast<int>(syscall(SYS_pidfd_open, pid_, 0));
  if (process < 0) return absl::ErrnoToStatus(errno, absl::StrCat("waiting for ", name_));
  const absl::Status status = AwaitReadable(process);
  close(process);
  return status;
}

absl::Status ChildProcess::AwaitReadable(int descriptor) const {
  if (!deadline_.has_value()) return absl::OkStatus();
  pollfd entry = {.fd = descriptor, .events = POLLIN, .revents = 0};
  while (true) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*deadline_ - std::chrono::steady_clock::now());
    // Also checked if there is always more to read.
    if (left.count() <= 0) {
      return absl::DeadlineExceededError(absl::StrCat(name_, " does not answer"));
    }
    const int ready = poll(&entry, 1, static_cast<int>(left.count()));
    if (ready > 0) return absl::OkStatus();
    if (ready < 0 && errno != EINTR) {
      return absl::ErrnoToStatus(errno, absl::StrCat("waiting for ", name_));
    }
  }
}

int ChildProcess::Wait() {
  if (input_ >= 0) close(input_);
  input_ = -1;
  if (pid_ == 0) return exit_code_;
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
  exit_code_ = WIFSIGNALED(status) ? kSignalBase + WTERMSIG(status) : WEXITSTATUS(status);
  return exit_code_;
}

std::string ChildProcess::last_words() const {
  const off_t end = lseek(error_, 0, SEEK_END);
  const off_t begin = end > kLastWordsBytes ? end - kLastWordsBytes : 0;
  std::string words(static_cast<size_t>(end - begin), '\0');
  const ssize_t got = pread(error_, words.data(), words.size(), begin);
  words.resize(got < 0 ? 0 : static_cast<size_t>(got));
  return std::string(absl::StripSuffix(words, "\n"));
}

absl::Status ReplaceProgram(const std::vector<std::string>& command) {
  if (command.empty()) return absl::InvalidArgumentError("no program to start");
  execvp(command.front().c_str(), ArgumentsOf(command).data());
  return CannotStart(command.front(), errno);
}

std::string DescribeExit(int exit_code) {
  if (exit_code <= kSignalBase) return absl::StrCat("exit code ", exit_code);
  const int signal = exit_code - kSignalBase;
  return absl::StrCat("killed by signal ", signal, " (", strsignal(signal), ")");
}

}  // namespace tools
