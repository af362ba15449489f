#include "tools/os/network/testing/arrival_stamps.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <time.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace tools {

absl::Status KeepArrivalStamps(int descriptor) {
  const int on = 1;
  if (setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) == 0) {
    return absl::OkStatus();
  }
  return absl::ErrnoToStatus(errno, "no stamps of what arrives");
}

std::optional<int64_t> AwaitArrival(int descriptor, int64_t nanos_max) {
  constexpr int64_t kSecondNanos = 1'000'000'000;
  if (nanos_max > 0) {
    pollfd entry = {.fd = descriptor, .events = POLLIN, .revents = 0};
    const timespec wait = {.tv_sec = nanos_max / kSecondNanos, .tv_nsec = nanos_max % kSecondNanos};
    if (ppoll(&entry, 1, &wait, nullptr) <= 0) return std::nullopt;
  }
  std::byte byte = {};
  iovec into = {.iov_base = &byte, .iov_len = 1};
  alignas(cmsghdr) std::array<std::byte, 128> control;
  msghdr message = {};
  message.msg_iov = &into;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  if (recvmsg(descriptor, &message, MSG_PEEK | MSG_DONTWAIT) <= 0) return std::nullopt;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_TIMESTAMPNS) continue;
    timespec stamp = {};
    std::memcpy(&stamp, CMSG_DATA(part), sizeof(stamp));
    return stamp.tv_sec * kSecondNanos + stamp.tv_nsec;
  }
  return 0;
}

}  // namespace tools
