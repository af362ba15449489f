// One connection to a server, plain or TLS, over Asio: for this room, which so compiles the code
// above it once. Asio's sockets are in the source only.

#ifndef TOOLS_OS_WEB_WEB_STREAM_H_
#define TOOLS_OS_WEB_WEB_STREAM_H_

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/system/error_code.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "tools/os/web/web_address.h"

namespace boost::asio::ssl {
class context;
}

namespace tools {

// The first of the buffers of a sequence: a read or write of some bytes needs no more.
template <typename Buffer>
class FirstBuffers {
 public:
  FirstBuffers() = default;
  template <typename Buffers>
  explicit FirstBuffers(const Buffers& buffers) {
    auto next = boost::asio::buffer_sequence_begin(buffers);
    const auto end = boost::asio::buffer_sequence_end(buffers);
    for (; next != end && count_ < buffers_.size(); ++next) buffers_[count_++] = *next;
  }

  const Buffer* begin() const { return buffers_.data(); }
  const Buffer* end() const { return begin() + count_; }

 private:
  std::array<Buffer, 8> buffers_;
  size_t count_ = 0;
};

// Not thread-safe: owned by the loop's thread. Calls back from the loop only, never from within a
// call; what it calls back keeps it alive. One read and one write at a time.
class WebStream {
 public:
  using Connected = absl::AnyInvocable<void(const absl::Status&)>;
  using Moved = absl::AnyInvocable<void(const boost::system::error_code&, size_t)>;
  using Expired = absl::AnyInvocable<void()>;

  // Both outlive it. `tls` has the trusted certificates.
  WebStream(boost::asio::io_context& loop, boost::asio::ssl::context& tls);
  ~WebStream();
  WebStream(const WebStream&) = delete;
  WebStream& operator=(const WebStream&) = delete;

  // Once. Errors: UNAVAILABLE with the host, the port and the reason, among others that the
  // certificate is not trusted or not the host's.
  void Connect(const WebAddress& address, Connected connected);

  // REQUIRES of these two: it is connected.
  void ReadSome(const FirstBuffers<boost::asio::mutable_buffer>& buffers, Moved moved);
  void WriteSome(const FirstBuffers<boost::asio::const_buffer>& buffers, Moved moved);

  // What is in progress ends with an error.
  void Close();

  // Whether the server has ended the connection, perhaps after bytes that were not read yet.
  bool HasEnded() const;

  // Of the socket. REQUIRES: it is connected.
  int descriptor() const;

  // Calls `expired` after `nanos`, unless it is set again or cleared before.
  void SetDeadline(int64_t nanos, Expired expired);
  void ClearDeadline();

  boost::asio::io_context& loop() { return loop_; }

 private:
  struct Sockets;

  void StartTls(const WebAddress& address, Connected connected);

  boost::asio::io_context& loop_;
  boost::asio::ssl::context& tls_;
  const std::unique_ptr<Sockets> sockets_;
};

// Why a connection ended: UNAVAILABLE, "`what`: " and the reason.
absl::Status EndOf(const boost::system::error_code& error, absl::string_view what);

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_STREAM_H_
