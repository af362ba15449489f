#include "tools/os/web/web_stream.h"

#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>
#include <poll.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"

namespace tools {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// A deadline beyond it does not fit the timer; no connection lasts as long.
constexpr int64_t kDeadlineNanosMax = int64_t{365} * 24 * 3600 * 1'000'000'000;

bool IsNumber(const std::string& host) {
  error_code error;
  asio::ip::make_address(host, error);
  return !error;
}

// Says which host the certificate has to be of; the server may have several. False: out of memory.
bool NameHost(SSL& connection, const std::string& host) {
  if (IsNumber(host)) {
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(&connection), host.c_str()) == 1;
  }
  SSL_set_hostflags(&connection, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  return SSL_set1_host(&connection, host.c_str()) == 1 &&
         SSL_set_tlsext_host_name(&connection, host.c_str()) == 1;
}

// Why the handshake failed; a certificate that is refused has a reason of its own.
std::string TlsReason(const SSL& connection, const error_code& error) {
  const long verified = SSL_get_verify_result(&connection);
  if (verified == X509_V_OK) return error.message();
  return absl::StrCat("its certificate is refused: ", X509_verify_cert_error_string(verified));
}

}  // namespace

absl::Status EndOf(const error_code& error, absl::string_view what) {
  const bool is_end = error == asio::error::eof || error == asio::ssl::error::stream_truncated;
  return absl::UnavailableError(
      absl::StrCat(what, ": ", is_end ? "the server ended the connection" : error.message()));
}

struct WebStream::Sockets {
  explicit Sockets(asio::io_context& loop) : resolver(loop), socket(loop), timer(loop) {}

  tcp::resolver resolver;
  tcp::socket socket;
  std::optional<asio::ssl::stream<tcp::socket&>> tls;
  asio::steady_timer timer;
  uint64_t deadline_number = 0;  // A timer that has expired may be called back after it is cleared.
  bool is_closed = false;
};

WebStream::WebStream(asio::io_context& loop, asio::ssl::context& tls)
    : loop_(loop), tls_(tls), sockets_(std::make_unique<Sockets>(loop)) {}

WebStream::~WebStream() = default;

void WebStream::Connect(const WebAddress& address, Connected connected) {
  const auto connect = [this, address](const auto& endpoints, Connected then) {
    asio::async_connect(
        sockets_->socket, endpoints,
        [this, address, then = std::move(then)](error_code error, const tcp::endpoint&) mutable {
          if (!error && sockets_->is_closed) error = asio::error::operation_aborted;
          if (error) {
            return then(EndOf(error, absl::StrCat("cannot connect to ", HostAndPort(address))));
          }
          sockets_->socket.set_option(tcp::no_delay(true), error);
          if (address.is_tls) return StartTls(address, std::move(then));
          then(absl::OkStatus());
        });
  };
  if (IsNumber(address.host)) {
    const std::vector<tcp::endpoint> endpoint = {
        {asio::ip::make_address(address.host), address.port}};
    return connect(endpoint, std::move(connected));
  }
  sockets_->resolver.async_resolve(
      address.host, absl::StrCat(address.port),
      tcp::resolver::numeric_service | tcp::resolver::address_configured,
      [this, address, connect, then = std::move(connected)](
          error_code error, const tcp::resolver::results_type& found) mutable {
        if (!error && sockets_->is_closed) error = asio::error::operation_aborted;
        if (error) {
          return then(EndOf(error, absl::StrCat("cannot find the host of ", HostAndPort(address))));
        }
        connect(found, std::move(then));
      });
}

void WebStream::StartTls(const WebAddress& address, Connected connected) {
  auto& tls = sockets_->tls.emplace(sockets_->socket, tls_);
  SSL* const connection = tls.native_handle();
  const std::string what = absl::StrCat("no TLS with ", HostAndPort(address));
  SSL_set_verify(connection, SSL_VERIFY_PEER, nullptr);
  if (!NameHost(*connection, address.host)) {
    return connected(absl::UnavailableError(absl::StrCat(what, ": out of memory")));
  }
  tls.async_handshake(
      asio::ssl::stream_base::client,
      [this, connection, what, then = std::move(connected)](error_code error) mutable {
        if (!error && sockets_->is_closed) error = asio::error::operation_aborted;
        if (!error) return then(absl::OkStatus());
        then(absl::UnavailableError(absl::StrCat(what, ": ", TlsReason(*connection, error))));
      });
}

void WebStream::ReadSome(const FirstBuffers<asio::mutable_buffer>& buffers, Moved moved) {
  if (sockets_->tls) return sockets_->tls->async_read_some(buffers, std::move(moved));
  sockets_->socket.async_read_some(buffers, std::move(moved));
}

void WebStream::WriteSome(const FirstBuffers<asio::const_buffer>& buffers, Moved moved) {
  if (sockets_->tls) return sockets_->tls->async_write_some(buffers, std::move(moved));
  sockets_->socket.async_write_some(buffers, std::move(moved));
}

void WebStream::Close() {
  sockets_->is_closed = true;
  ClearDeadline();
  sockets_->resolver.cancel();
  error_code ignored;
  sockets_->socket.close(ignored);
}

bool WebStream::HasEnded() const {
  pollfd entry = {.fd = sockets_->socket.native_handle(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&entry, 1, 0) != 0;
}

int WebStream::descriptor() const { return sockets_->socket.native_handle(); }

void WebStream::SetDeadline(int64_t nanos, Expired expired) {
  sockets_->timer.expires_after(std::chrono::nanoseconds(std::min(nanos, kDeadlineNanosMax)));
  const uint64_t number = ++sockets_->deadline_number;
  sockets_->timer.async_wait(
      [this, number, expired = std::move(expired)](const error_code& error) mutable {
        if (!error && number == sockets_->deadline_number) expired();
      });
}

void WebStream::ClearDeadline() {
  ++sockets_->deadline_number;
  sockets_->timer.cancel();
}

}  // namespace tools
