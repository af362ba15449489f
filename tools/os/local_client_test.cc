#include "tools/os/local_client.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "tools/os/output_folder.h"

namespace tools {
namespace {

// Listens, and keeps the other end of each connection in the test.
class LocalClientTest : public testing::Test {
 protected:
  ~LocalClientTest() override {
    for (const int socket : {listener_, peer_}) {
      if (socket >= 0) ::close(socket);
    }
  }
  void Listen() {
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path_.size(), sizeof(address.sun_path));
    std::memcpy(address.sun_path, path_.c_str(), path_.size());
    listener_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ASSERT_EQ(::bind(listener_, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    ASSERT_EQ(::listen(listener_, 1), 0);
  }
  void ConnectWithPeer(int seconds) {
    Listen();
    auto client = LocalClient::Connect(path_, seconds);
    ASSERT_TRUE(client.ok()) << client.status();
    client_ = *std::move(client);
    peer_ = ::accept(listener_, nullptr, nullptr);
    ASSERT_GE(peer_, 0);
  }
  void Answer(const std::string& bytes) const {
    ASSERT_EQ(::send(peer_, bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  }

  const std::unique_ptr<TemporaryDirectory> folder_ = TemporaryDirectory::Make().value();
  const std::string path_ = folder_->path() + "/socket";
  int listener_ = -1;
  int peer_ = -1;
  std::unique_ptr<LocalClient> client_;
};

TEST_F(LocalClientTest, SpeaksInLines) {
  ConnectWithPeer(/*seconds=*/60);
  ASSERT_TRUE(client_->Send("ask\n").ok());
  char asked[4] = {};
  ASSERT_EQ(::recv(peer_, asked, sizeof(asked), MSG_WAITALL), 4);
  EXPECT_EQ(std::string(asked, 4), "ask\n");
  Answer("one\n\ntw");
  EXPECT_EQ(client_->ReadLine().value(), "one");
  EXPECT_EQ(client_->ReadLine().value(), "");
  Answer("o\nrest");
  EXPECT_EQ(client_->ReadLine().value(), "two");
  ::shutdown(peer_, SHUT_RDWR);
  EXPECT_TRUE(absl::IsUnavailable(client_->ReadLine().status()));
  EXPECT_FALSE(client_->Send("ask\n").ok()) << "and no SIGPIPE";
}

TEST_F(LocalClientTest, SilenceEnds) {
  ConnectWithPeer(/*seconds=*/1);
  Answer("no end of a line");
  const absl::Status late = client_->ReadLine().status();
  EXPECT_TRUE(absl::IsDeadlineExceeded(late)) << late;
  EXPECT_EQ(late.message(), path_ + ": no answer within 1 seconds");
  const absl::Status full = client_->Send(std::string(8 << 20, 'x'));
  EXPECT_TRUE(absl::IsDeadlineExceeded(full)) << full;
}

TEST_F(LocalClientTest, NothingListens) {
  EXPECT_TRUE(absl::IsNotFound(LocalClient::Connect(path_, 1).status()));
  Listen();
  ::close(listener_);
  listener_ = -1;
  EXPECT_TRUE(absl::IsNotFound(LocalClient::Connect(path_, 1).status())) << "its file is left";
  EXPECT_TRUE(
      absl::IsInvalidArgument(LocalClient::Connect("/" + std::string(200, 'x'), 1).status()));
}

}  // namespace
}  // namespace tools
