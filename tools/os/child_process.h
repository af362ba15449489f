// A child process that this program talks to over the child's standard input and output.
//
//   Write ──► its standard input            its standard error ──► kept, for last_words()
//   Read ◄─── its standard output

#ifndef TOOLS_OS_CHILD_PROCESS_H_
#define TOOLS_OS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// Not thread-safe, but one thread may Read while another writes and ends the input. The destructor
// kills the process if it is still running.
class ChildProcess {
 public:
  // Starts `command`: a program, searched in $PATH if it contains no slash, and its arguments.
  // Errors: INVALID_ARGUMENT (`command` is empty); NOT_FOUND, PERMISSION_DENIED and others, with
  // the program's name.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Writes all bytes. Errors: ABORTED if the process has ended.
  absl::Status Write(engine::Bytes bytes);

  // Ends the process's input. It can still be read from.
  void EndInput();

  // From now on Read() waits for `patience` in all, then returns DEADLINE_EXCEEDED.
  void SetPatience(std::chrono::milliseconds patience) {
    deadline_ = std::chrono::steady_clock::now() + patience;
  }

  // Reads at least one byte. Returns 0 when the process has ended with exit code 0. Errors: ABORTED
  // with the exit code or signal and last_words().
  absl::StatusOr<size_t> Read(engine::MutableBytes into);

  // Closes the process's input and waits for it to end. Returns its exit code, or 128 + the signal
  // that ended it.
  int Wait();

  pid_t pid() const { return pid_; }

  // Returns the last 4 KiB of its standard error.
  std::string last_words() const;

 private:
  ChildProcess(std::string name, pid_t pid, int input, int output, int error)
      : name_(std::move(name)), pid_(pid), input_(input), output_(output), error_(error) {}

  // Return immediately without a deadline. Errors: DEADLINE_EXCEEDED.
  absl::Status AwaitEnd() const;
  absl::Status AwaitReadable(int descriptor) const;

  const std::string name_;
  pid_t pid_;  // 0 after waitpid().
  int input_;  // -1 after close().
  int output_;
  int error_;
  int exit_code_ = 0;
  std::optional<std::chrono::steady_clock::time_point> deadline_;
};

// Runs `command` in place of this program, which ends: same process, standard files, environment
// and folder. Returns only with an error, as of ChildProcess::Start().
absl::Status ReplaceProgram(const std::vector<std::string>& command);

// "killed by signal 6 (Aborted)", "exit code 3".
std::string DescribeExit(int exit_code);

}  // namespace tools

#endif  // TOOLS_OS_CHILD_PROCESS_H_
