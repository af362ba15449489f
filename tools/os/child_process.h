// A program that runs beside this one, spoken to over its standard input and output.
//
//   we ── Write ──► its standard input            its standard error ──► kept, for last_words()
//   we ◄── Read ─── its standard output

#ifndef TOOLS_OS_CHILD_PROCESS_H_
#define TOOLS_OS_CHILD_PROCESS_H_

#include <sys/types.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"

namespace tools {

// Not thread-safe. Killed, if it still runs, when the object goes.
class ChildProcess {
 public:
  // `command` is a program, found in $PATH where it has no slash, and its arguments.
  // Errors: NOT_FOUND, PERMISSION_DENIED and others, with the program's name.
  static absl::StatusOr<std::unique_ptr<ChildProcess>> Start(
      const std::vector<std::string>& command);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // All of it. Errors: ABORTED where the program has ended.
  absl::Status Write(engine::Bytes bytes);

  // At least one byte; 0 where it has ended with exit code 0. Errors: ABORTED with how it ended
  // and what it said last.
  absl::StatusOr<size_t> Read(engine::MutableBytes into);

  // Closes its input and waits for its end: its exit code, 128 + the signal that ended it.
  int Wait();

  // Everything it wrote to its standard error, the last 4 KiB of it.
  std::string last_words() const;

 private:
  ChildProcess(std::string name, pid_t pid, int input, int output, int error)
      : name_(std::move(name)), pid_(pid), input_(input), output_(output), error_(error) {}

  const std::string name_;
  pid_t pid_;  // 0 once it has been waited for.
  int input_;  // -1 once closed.
  int output_;
  int error_;
  int exit_code_ = 0;
};

// "killed by signal 6 (Aborted)", "exit code 3".
std::string DescribeExit(int exit_code);

}  // namespace tools

#endif  // TOOLS_OS_CHILD_PROCESS_H_
