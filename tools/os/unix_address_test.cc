#include "tools/os/unix_address.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

void ExpectToListenAndConnect(const std::string& path) {
  const int listener = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int client = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const UnixAddress address(path);
  ASSERT_EQ(address.error(), 0) << path;
  EXPECT_EQ(::bind(listener, address.get(), address.size()), 0) << path;
  EXPECT_EQ(::listen(listener, 1), 0);
  EXPECT_EQ(::connect(client, UnixAddress(path).get(), address.size()), 0) << path;
  EXPECT_TRUE(std::filesystem::is_socket(path));
  ::close(client);
  ::close(listener);
}

TEST(UnixAddress, MayBeLongerThanTheSystems) {
  const std::unique_ptr<TemporaryDirectory> folder = TemporaryDirectory::Make().value();
  ExpectToListenAndConnect(folder->path() + "/socket");
  const std::string long_folder =
      folder->path() + "/" + std::string(200, 'f') + "/" + std::string(200, 'g');
  std::filesystem::create_directories(long_folder);
  ExpectToListenAndConnect(long_folder + "/socket");
  // Of every length around the limit.
  for (size_t bytes = 100; bytes < 115; ++bytes) {
    const std::string prefix = folder->path() + "/";
    ASSERT_LT(prefix.size(), 90u);
    const std::string near = prefix + std::string(bytes - prefix.size() - 2, 'n');
    std::filesystem::create_directory(near);
    ExpectToListenAndConnect(near + "/s");
  }
}

TEST(UnixAddress, HasAnErrorOtherwise) {
  EXPECT_EQ(UnixAddress("/" + std::string(200, 'x')).error(), ENAMETOOLONG);
  EXPECT_EQ(UnixAddress("/" + std::string(200, 'x') + "/socket").error(), ENOENT);
}

}  // namespace
}  // namespace tools
