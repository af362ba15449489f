// A client of one web server: requests over connections that are kept, and one WebSocket, plain or
// over TLS.
//
//   Send() ─► waiting ─► a connection, one request at a time ─► OnReply, OnRequestFailed
//   OpenFeed() ─► upgrade ─► OnFeedOpen ─► OnFrame ... ─► OnFeedClosed

#ifndef TOOLS_OS_WEB_WEB_CLIENT_H_
#define TOOLS_OS_WEB_WEB_CLIENT_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "tools/os/web/web_address.h"
#include "tools/os/web/web_reply.h"
#include "tools/os/web/web_request.h"

namespace tools {

// What a client hears, from RunFor() only. It may call the client, except for RunFor(), and may not
// destroy it. Views are valid during the call.
class WebHandler {
 public:
  virtual ~WebHandler() = default;

  virtual void OnReply(uint64_t id, const WebReply& reply) = 0;

  // No reply will come. `may_have_arrived`: some of its bytes were sent. Errors: INVALID_ARGUMENT,
  // if the request is none of HTTP; UNAVAILABLE, if the server cannot be reached or ended the
  // connection; DEADLINE_EXCEEDED; DATA_LOSS, if the reply is none of HTTP; RESOURCE_EXHAUSTED, if
  // it is too large, or if too many requests wait.
  virtual void OnRequestFailed(uint64_t id, const absl::Status& why, bool may_have_arrived) = 0;

  virtual void OnFeedOpen() = 0;

  // One text message, which is UTF-8.
  virtual void OnFrame(absl::string_view text) = 0;

  // Once for each OpenFeed() without a CloseFeed(), also if it could not be opened. Errors:
  // INVALID_ARGUMENT, if the headers are none of HTTP; PERMISSION_DENIED, if the server refused the
  // upgrade with 401 or 403; UNAVAILABLE, if it refused it otherwise (both with the status and up
  // to 512 bytes of the body, which may be any), cannot be reached, or ended the connection;
  // DEADLINE_EXCEEDED; DATA_LOSS, if it broke the protocol or sent no text; RESOURCE_EXHAUSTED, if
  // a message is too large, or too many wait to be sent.
  virtual void OnFeedClosed(const absl::Status& why) = 0;
};

struct WebTerms {
  WebAddress rest;  // Its path is not used: a request has its own.
  WebAddress feed;
  std::string authority_file;  // Trusted certificates in PEM; empty: those of the system.
  size_t connections_max = 4;  // For requests. REQUIRES: at least 1.
  // For a name, TCP and TLS; of the feed, the upgrade too.
  int64_t connect_timeout_nanos = 5'000'000'000;
  // Once a request is sent. Its connection ends with it.
  int64_t reply_timeout_nanos = 10'000'000'000;
  // Between two pings to the server, which keep the feed alive on its way. That the server is
  // silent is for the owner to notice.
  int64_t ping_nanos = 10'000'000'000;
  size_t reply_bytes_max = size_t{16} << 20;
  size_t frame_bytes_max = size_t{4} << 20;
};

// Not thread-safe: owned by one thread, except for Wake(). Requests are sent in order, as far as
// they are on one connection. A certificate has to be trusted, and to name the host.
//
// A connection that was idle may be closed by the server just then. If nothing of the request was
// sent, or it is a GET, it is sent again, once, on a new connection; another one has failed.
class WebClient {
 public:
  // Requests that wait for a connection.
  static constexpr size_t kWaitingMax = 10'000;

  // `handler` outlives it. Errors: INVALID_ARGUMENT, if `authority_file` has no certificate;
  // INTERNAL, if the system has no sockets for it.
  static absl::StatusOr<std::unique_ptr<WebClient>> Make(const WebTerms& terms,
                                                         WebHandler& handler);
  // Without reports. May wait for the system to answer what the address of a host is.
  ~WebClient();
  WebClient(const WebClient&) = delete;
  WebClient& operator=(const WebClient&) = delete;

  // Copies the request. Its bytes leave immediately if a connection is idle.
  void Send(uint64_t id, const WebRequest& request);

  // Forgets all requests, in flight or waiting, without reports. Closes the connections in use.
  void DropRequests();

  // REQUIRES: no feed since the last OnFeedClosed() or CloseFeed().
  void OpenFeed(std::span<const WebHeader> headers);

  // One text message. REQUIRES: it is UTF-8. Dropped if the feed is not open: see OnFeedOpen.
  void SendFrame(absl::string_view text);

  // Says goodbye to the server, as far as it can, without reports. Does nothing without a feed.
  void CloseFeed();

  // The feed's socket, for its owner to set options and to wait for bytes; -1 if it is not open.
  int feed_descriptor() const;

  // Waits at most `nanos_max`, or not at all if it is not positive, for something to happen, and
  // handles what is ready. Reports may need several calls.
  void RunFor(int64_t nanos_max);

  // Ends the wait of RunFor(), or of the next one. Thread-safe, and allowed in the handler of a
  // signal.
  void Wake();

 private:
  class Pool;
  class Feed;
  struct State;

  explicit WebClient(std::unique_ptr<State> state);

  const std::unique_ptr<State> state_;
};

}  // namespace tools

#endif  // TOOLS_OS_WEB_WEB_CLIENT_H_
