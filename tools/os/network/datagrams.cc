#include "tools/os/network/datagrams.h"

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"

namespace tools {
namespace {

// Bounds of the system: segments of a datagram, and bytes of all.
constexpr size_t kSegmentsMax = 64;
constexpr size_t kSegmentedBytesMax = 65'487;
// Datagrams of one system call.
constexpr size_t kPartsMax = 256;

// As interfaces are named to the system: by index or by address, or not at all.
struct Interface {
  int index = 0;
  in_addr ip = {};
};

absl::StatusOr<Interface> FindInterface(const std::string& name) {
  Interface interface;
  if (name.empty()) return interface;
  if (inet_pton(AF_INET, name.c_str(), &interface.ip) == 1) return interface;
  interface.index = static_cast<int>(if_nametoindex(name.c_str()));
  if (interface.index == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", name, "' is no interface: expected its name or its IPv4 address"));
  }
  return interface;
}

absl::StatusOr<SystemAddress> ToAddress(const Endpoint& endpoint, const Interface& interface) {
  if (endpoint.family == Endpoint::Family::kUnix) {
    return absl::InvalidArgumentError(
        absl::StrCat("'", endpoint.ToString(), "' is no address of datagrams: expected IP:PORT"));
  }
  SystemAddress address = SystemAddress::Of(endpoint);
  if (endpoint.family == Endpoint::Family::kIp6 && address.is_multicast()) {
    address.as<sockaddr_in6>().sin6_scope_id = static_cast<uint32_t>(interface.index);
  }
  return address;
}

// Returns 0, or the errno.
template <typename T>
int SetOption(int socket, int level, int option, const T& value) {
  return ::setsockopt(socket, level, option, &value, sizeof(value)) == 0 ? 0 : errno;
}

// The first failure of some calls, each of which returns 0 or the errno.
int FirstError(std::initializer_list<int> errors) {
  const auto* const found = std::ranges::find_if(errors, [](int error) { return error != 0; });
  return found == errors.end() ? 0 : *found;
}

int SetMulticastOutput(int socket, const Endpoint& destination, const Interface& interface,
                       const DatagramSenderOptions& options) {
  const int is_looped = options.is_looped ? 1 : 0;
  if (destination.family == Endpoint::Family::kIp6) {
    return FirstError({SetOption(socket, IPPROTO_IPV6, IPV6_MULTICAST_IF, interface.index),
                       SetOption(socket, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, options.hops),
                       SetOption(socket, IPPROTO_IPV6, IPV6_MULTICAST_LOOP, is_looped)});
  }
  const ip_mreqn from = {
      .imr_multiaddr = {}, .imr_address = interface.ip, .imr_ifindex = interface.index};
  return FirstError({SetOption(socket, IPPROTO_IP, IP_MULTICAST_IF, from),
                     SetOption(socket, IPPROTO_IP, IP_MULTICAST_TTL, options.hops),
                     SetOption(socket, IPPROTO_IP, IP_MULTICAST_LOOP, is_looped)});
}

int Join(int socket, const SystemAddress& group, const Interface& interface) {
  if (group.storage.ss_family == AF_INET6) {
    const ipv6_mreq membership = {.ipv6mr_multiaddr = group.as<sockaddr_in6>().sin6_addr,
                                  .ipv6mr_interface = static_cast<unsigned int>(interface.index)};
    return SetOption(socket, IPPROTO_IPV6, IPV6_JOIN_GROUP, membership);
  }
  const ip_mreqn membership = {.imr_multiaddr = group.as<sockaddr_in>().sin_addr,
                               .imr_address = interface.ip,
                               .imr_ifindex = interface.index};
  return SetOption(socket, IPPROTO_IP, IP_ADD_MEMBERSHIP, membership);
}

int OpenSocket(const SystemAddress& address) {
  return ::socket(address.storage.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

iovec PartOf(engine::Bytes bytes) {
  // sendmsg(2) does not write to it.
  return {.iov_base = const_cast<std::byte*>(bytes.data()), .iov_len = bytes.size()};
}

// Whether the system refuses segments, not what they carry.
bool IsRefusalOfSegments(int error) {
  return error == EIO || error == EINVAL || error == EMSGSIZE || error == EOPNOTSUPP;
}

}  // namespace

// Says how long the segments are.
struct DatagramSender::Control {
  alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(uint16_t))> bytes = {};
};

absl::StatusOr<std::unique_ptr<DatagramSender>> DatagramSender::Open(
    const Endpoint& destination, const DatagramSenderOptions& options) {
  ASSIGN_OR_RETURN(const Interface interface, FindInterface(options.interface));
  ASSIGN_OR_RETURN(const SystemAddress address, ToAddress(destination, interface));
  if (destination.port == 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("cannot send datagrams to ", destination.ToString(), ", which has no port"));
  }
  const auto failure = [&](int error) {
    return absl::ErrnoToStatus(
        error, absl::StrCat("cannot send datagrams to ", destination.ToString(),
                            options.interface.empty() ? "" : " by ", options.interface));
  };
  const int socket = OpenSocket(address);
  if (socket < 0) return failure(errno);
  auto close = absl::MakeCleanup([&] { ::close(socket); });
  if (address.is_multicast()) {
    const int error = SetMulticastOutput(socket, destination, interface, options);
    if (error != 0) return failure(error);
  }
  if (options.buffer_bytes > 0) {
    const int error = SetOption(socket, SOL_SOCKET, SO_SNDBUF, options.buffer_bytes);
    if (error != 0) return failure(error);
  }
  if (::connect(socket, address.get(), address.size) != 0) return failure(errno);
  // Sets nothing that is not set already: asks whether the system knows segments.
  const bool is_segmented =
      options.is_segmented && SetOption(socket, IPPROTO_UDP, UDP_SEGMENT, 0) == 0;
  std::move(close).Cancel();
  return std::unique_ptr<DatagramSender>(new DatagramSender(socket, destination, is_segmented));
}

DatagramSender::DatagramSender(int socket, const Endpoint& destination, bool is_segmented)
    : socket_(socket),
      destination_(destination),
      is_segmented_(is_segmented),
      controls_(kPartsMax) {
  parts_.reserve(kPartsMax);
  units_.reserve(kPartsMax);
}

DatagramSender::~DatagramSender() { ::close(socket_); }

void DatagramSender::Send(std::span<const engine::Bytes> datagrams) {
  while (!datagrams.empty()) {
    Prepare(datagrams.first(std::min(datagrams.size(), kPartsMax)));
    datagrams = datagrams.subspan(Transmit());
  }
}

size_t DatagramSender::CountSegments(std::span<const engine::Bytes> datagrams) const {
  const size_t bytes = datagrams.front().size();
  if (!is_segmented_ || bytes == 0) return 1;
  const size_t count_max =
      std::min({datagrams.size(), kSegmentsMax, std::max<size_t>(kSegmentedBytesMax / bytes, 1)});
  size_t count = 1;
  while (count < count_max && datagrams[count].size() == bytes) ++count;
  // The last one may be shorter, but not empty.
  const bool has_shorter =
      count < count_max && !datagrams[count].empty() && datagrams[count].size() < bytes;
  return has_shorter ? count + 1 : count;
}

void DatagramSender::Prepare(std::span<const engine::Bytes> datagrams) {
  parts_.clear();
  for (const engine::Bytes each : datagrams) parts_.push_back(PartOf(each));
  units_.clear();
  for (size_t at = 0; at < datagrams.size();) {
    const size_t count = CountSegments(datagrams.subspan(at));
    mmsghdr unit = {};
    unit.msg_hdr.msg_iov = &parts_[at];
    unit.msg_hdr.msg_iovlen = count;
    if (count > 1) {
      Control& control = controls_[units_.size()];
      unit.msg_hdr.msg_control = control.bytes.data();
      unit.msg_hdr.msg_controllen = control.bytes.size();
      cmsghdr* const header = CMSG_FIRSTHDR(&unit.msg_hdr);
      header->cmsg_level = IPPROTO_UDP;
      header->cmsg_type = UDP_SEGMENT;
      header->cmsg_len = CMSG_LEN(sizeof(uint16_t));
      const auto bytes = static_cast<uint16_t>(datagrams[at].size());
      std::memcpy(CMSG_DATA(header), &bytes, sizeof(bytes));
    }
    units_.push_back(unit);
    at += count;
  }
}

size_t DatagramSender::Transmit() {
  size_t done = 0;
  bool is_repeated = false;
  for (size_t at = 0; at < units_.size();) {
    const int count = ::sendmmsg(socket_, &units_[at],
                                 static_cast<unsigned int>(units_.size() - at), MSG_NOSIGNAL);
    ++counters_.calls;
    if (count > 0) {
      for (const mmsghdr& unit : std::span(units_).subspan(at, static_cast<size_t>(count))) {
        counters_.sent += unit.msg_hdr.msg_iovlen;
        done += unit.msg_hdr.msg_iovlen;
      }
      at += static_cast<size_t>(count);
      is_repeated = false;
      continue;
    }
    if (errno == EINTR) continue;
    // No one listened to an earlier datagram.
    if (errno == ECONNREFUSED && !std::exchange(is_repeated, true)) continue;
    const size_t parts = units_[at].msg_hdr.msg_iovlen;
    if (parts > 1 && IsRefusalOfSegments(errno)) {
      is_segmented_ = false;
      return done;
    }
    counters_.dropped += parts;
    done += parts;
    ++at;
    is_repeated = false;
  }
  return done;
}

// What the system says of a datagram besides its bytes.
struct DatagramReceiver::Control {
  alignas(cmsghdr)
      std::array<std::byte, CMSG_SPACE(sizeof(uint32_t)) + CMSG_SPACE(sizeof(timespec))> bytes = {};
};

absl::StatusOr<std::unique_ptr<DatagramReceiver>> DatagramReceiver::Open(
    const Endpoint& address, const DatagramReceiverOptions& options) {
  CHECK_GT(options.batch_max, 0u);
  ASSIGN_OR_RETURN(const Interface interface, FindInterface(options.interface));
  ASSIGN_OR_RETURN(const SystemAddress wanted, ToAddress(address, interface));
  const auto failure = [&](int error) {
    return absl::ErrnoToStatus(
        error, absl::StrCat("cannot receive datagrams at ", address.ToString(),
                            options.interface.empty() ? "" : " by ", options.interface));
  };
  const int socket = OpenSocket(wanted);
  if (socket < 0) return failure(errno);
  auto close = absl::MakeCleanup([&] { ::close(socket); });
  if (wanted.is_multicast()) {
    const int error = SetOption(socket, SOL_SOCKET, SO_REUSEADDR, 1);
    if (error != 0) return failure(error);
  }
  if (options.buffer_bytes > 0) {
    const int error = SetOption(socket, SOL_SOCKET, SO_RCVBUF, options.buffer_bytes);
    if (error != 0) return failure(error);
  }
  if (const int error = SetOption(socket, SOL_SOCKET, SO_RXQ_OVFL, 1); error != 0) {
    return failure(error);
  }
  if (options.is_stamped) {
    const int error = SetOption(socket, SOL_SOCKET, SO_TIMESTAMPNS, 1);
    if (error != 0) return failure(error);
  }
  // Bound to a group, the socket receives what is sent to it only.
  if (::bind(socket, wanted.get(), wanted.size) != 0) return failure(errno);
  if (wanted.is_multicast()) {
    if (const int error = Join(socket, wanted, interface); error != 0) return failure(error);
  }
  SystemAddress bound;
  CHECK_EQ(::getsockname(socket, bound.get(), &bound.size), 0);
  std::move(close).Cancel();
  return std::unique_ptr<DatagramReceiver>(
      new DatagramReceiver(socket, bound.ToEndpoint(), options));
}

DatagramReceiver::DatagramReceiver(int socket, const Endpoint& address,
                                   const DatagramReceiverOptions& options)
    : socket_(socket),
      address_(address),
      datagram_bytes_max_(options.datagram_bytes_max),
      parts_(options.batch_max),
      controls_(options.batch_max),
      sources_(options.batch_max),
      units_(options.batch_max),
      used_(options.batch_max) {
  // One cache line more than a datagram, so that the buffers do not share the sets of the caches.
  constexpr size_t kCacheLineBytes = 64;
  const size_t stride = (datagram_bytes_max_ / kCacheLineBytes + 2) * kCacheLineBytes;
  buffers_ = std::make_unique_for_overwrite<std::byte[]>(stride * options.batch_max);
  for (size_t place = 0; place < options.batch_max; ++place) {
    parts_[place] = {.iov_base = &buffers_[stride * place], .iov_len = datagram_bytes_max_};
  }
  datagrams_.reserve(options.batch_max);
}

DatagramReceiver::~DatagramReceiver() { ::close(socket_); }

std::span<const DatagramReceiver::Datagram> DatagramReceiver::Receive() {
  datagrams_.clear();
  do {
    ReceiveBatch();
    for (size_t place = 0; place < used_; ++place) {
      Datagram datagram;
      if (Take(place, datagram)) datagrams_.push_back(datagram);
    }
  } while (used_ > 0 && datagrams_.empty());
  return datagrams_;
}

void DatagramReceiver::ReceiveBatch() {
  for (size_t place = 0; place < used_; ++place) Prepare(place);
  int count = 0;
  do {
    count = ::recvmmsg(socket_, units_.data(), static_cast<unsigned int>(units_.size()),
                       MSG_DONTWAIT, nullptr);
  } while (count < 0 && errno == EINTR);
  // None has arrived, or the system has no memory for it.
  used_ = count < 0 ? 0 : static_cast<size_t>(count);
}

void DatagramReceiver::Prepare(size_t place) {
  Control& control = controls_[place];
  SystemAddress& source = sources_[place];
  units_[place] = {.msg_hdr = {.msg_name = &source.storage,
                               .msg_namelen = sizeof(source.storage),
                               .msg_iov = &parts_[place],
                               .msg_iovlen = 1,
                               .msg_control = control.bytes.data(),
                               .msg_controllen = control.bytes.size(),
                               .msg_flags = 0},
                   .msg_len = 0};
}

bool DatagramReceiver::Take(size_t place, Datagram& datagram) {
  mmsghdr& unit = units_[place];
  for (cmsghdr* header = CMSG_FIRSTHDR(&unit.msg_hdr); header != nullptr;
       header = CMSG_NXTHDR(&unit.msg_hdr, header)) {
    if (header->cmsg_level != SOL_SOCKET) continue;
    if (header->cmsg_type == SO_RXQ_OVFL) {
      uint32_t dropped = 0;
      std::memcpy(&dropped, CMSG_DATA(header), sizeof(dropped));
      NoteDropped(dropped);
    } else if (header->cmsg_type == SCM_TIMESTAMPNS) {
      timespec time = {};
      std::memcpy(&time, CMSG_DATA(header), sizeof(time));
      datagram.arrived = engine::Timestamp::FromNanos(time.tv_sec * 1'000'000'000 + time.tv_nsec);
    }
  }
  if ((unit.msg_hdr.msg_flags & MSG_TRUNC) != 0) {
    ++counters_.oversized;
    return false;
  }
  ++counters_.received;
  sources_[place].size = unit.msg_hdr.msg_namelen;
  datagram.source = &sources_[place];
  datagram.payload = {static_cast<const std::byte*>(parts_[place].iov_base), unit.msg_len};
  return true;
}

void DatagramReceiver::NoteDropped(uint32_t dropped) {
  counters_.dropped_by_system += static_cast<uint32_t>(dropped - dropped_by_system_);
  dropped_by_system_ = dropped;
}

bool DatagramReceiver::SendTo(const SystemAddress& to, engine::Bytes payload) {
  ssize_t count = 0;
  do {
    count = ::sendto(socket_, payload.data(), payload.size(), MSG_NOSIGNAL | MSG_DONTWAIT, to.get(),
                     to.size);
  } while (count < 0 && errno == EINTR);
  ++(count < 0 ? counters_.answers_dropped : counters_.answers);
  return count >= 0;
}

}  // namespace tools
