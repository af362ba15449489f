#include "tools/os/unix_address.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "absl/strings/str_cat.h"

namespace tools {

UnixAddress::UnixAddress(const std::string& path) {
  address_.sun_family = AF_UNIX;
  std::string text = path;
  if (path.size() >= sizeof(address_.sun_path)) {
    const size_t slash = path.rfind('/');
    const bool has_folder = slash != std::string::npos;
    const std::string folder = has_folder ? path.substr(0, slash + 1) : ".";
    folder_ = ::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder_ < 0) {
      error_ = errno;
      return;
    }
    text = absl::StrCat("/proc/self/fd/", folder_, "/", path.substr(has_folder ? slash + 1 : 0));
  }
  if (text.size() >= sizeof(address_.sun_path)) {
    error_ = ENAMETOOLONG;
    return;
  }
  std::memcpy(address_.sun_path, text.c_str(), text.size() + 1);
}

UnixAddress::~UnixAddress() {
  if (folder_ >= 0) ::close(folder_);
}

}  // namespace tools
