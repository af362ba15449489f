// The address of a Unix socket. The system limits an address to 107 bytes; a path may be longer.
//
//   short path ─► the address
//   long path ──► its folder, held open ─► /proc/self/fd/N/NAME is the address

#ifndef TOOLS_OS_UNIX_ADDRESS_H_
#define TOOLS_OS_UNIX_ADDRESS_H_

#include <sys/socket.h>
#include <sys/un.h>

#include <string>

namespace tools {

// Not thread-safe. Valid as long as it exists.
class UnixAddress {
 public:
  explicit UnixAddress(const std::string& path);
  ~UnixAddress();
  UnixAddress(const UnixAddress&) = delete;
  UnixAddress& operator=(const UnixAddress&) = delete;

  // 0, or the errno: ENAMETOOLONG if the file's name is too long; the system's for the folder.
  // REQUIRES of what follows: it is 0.
  int error() const { return error_; }

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address_); }
  socklen_t size() const { return sizeof(address_); }

 private:
  sockaddr_un address_ = {};
  int folder_ = -1;
  int error_ = 0;
};

}  // namespace tools

#endif  // TOOLS_OS_UNIX_ADDRESS_H_
