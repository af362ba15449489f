// A client of a Unix socket that speaks in lines.

#ifndef TOOLS_OS_LOCAL_CLIENT_H_
#define TOOLS_OS_LOCAL_CLIENT_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tools {

// Not thread-safe: owned by its user. A call fails with DEADLINE_EXCEEDED once nothing has moved
// for the time of Connect(). No call raises SIGPIPE.
class LocalClient {
 public:
  // Errors, with the path: NOT_FOUND if no process listens there; INVALID_ARGUMENT if the file's
  // name is too long; others of the system.
  static absl::StatusOr<std::unique_ptr<LocalClient>> Connect(const std::string& path, int seconds);
  ~LocalClient();
  LocalClient(const LocalClient&) = delete;
  LocalClient& operator=(const LocalClient&) = delete;

  absl::Status Send(absl::string_view bytes);

  // The next line, without its line feed. Errors: UNAVAILABLE if the connection ends before it.
  absl::StatusOr<std::string> ReadLine();

 private:
  LocalClient(int socket, std::string path, int seconds);
  absl::Status Failure(int error) const;

  const int socket_;
  const std::string path_;  // For messages.
  const int seconds_;
  std::string received_;  // What follows the last line.
};

}  // namespace tools

#endif  // TOOLS_OS_LOCAL_CLIENT_H_
