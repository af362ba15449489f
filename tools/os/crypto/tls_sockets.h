// TLS over other sockets, for the listeners that ask for it: "tls:127.0.0.1:8443". All others are
// passed through. A Network over it sees plain connections.
//
//   Network ─► TlsSockets ── records in memory ──► StreamSockets below

#ifndef TOOLS_OS_CRYPTO_TLS_SOCKETS_H_
#define TOOLS_OS_CRYPTO_TLS_SOCKETS_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/doorbell.h"
#include "engine/base/steady_time.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/network/stream_sockets.h"

// Of OpenSSL, whose headers only the sources of this room include.
struct ssl_ctx_st;
struct ssl_st;

namespace tools {

inline constexpr absl::string_view kTlsPrefix = "tls:";

// TLS 1.2 and 1.3, server only, without renegotiation, tickets, compression or early data. A
// connection holds at most one record of output, and of input what one read of it brings, besides
// what OpenSSL holds. One whose handshake fails, or which sends no TLS, ends as if its peer had
// reset it. A peer that ends without a TLS alert has ended, like any other.
class TlsSockets final : public StreamSockets {
 public:
  // `below` outlives it. Errors: INVALID_ARGUMENT with the reason, if the identity is no
  // certificate with its key, or too weak.
  static absl::StatusOr<std::unique_ptr<TlsSockets>> Make(StreamSockets& below,
                                                          const ServerIdentity& identity);
  ~TlsSockets() override;

  // The address that it returns has the prefix if `address` has it.
  absl::StatusOr<Bound> Listen(absl::string_view address) override;
  Accepted Accept(int listener) override;
  bool Watch(int socket, uint64_t tag) override;
  Moved Receive(int socket, engine::MutableBytes into) override;
  // Reports bytes as moved when their record was moved. REQUIRES: what it does not report is given
  // again, first, in the next call.
  Moved Transmit(int socket, engine::Bytes bytes) override;
  void EndOutput(int socket) override;
  void Close(int socket) override;
  void Reset(int socket) override;
  void Wait(int64_t nanos_max, std::vector<SocketEvent>& events) override;
  engine::SteadyTime Now() override { return below_.Now(); }
  engine::Doorbell& bell() override { return below_.bell(); }

 private:
  struct Session;
  struct Free {
    void operator()(ssl_ctx_st* context) const;
    void operator()(ssl_st* connection) const;
  };
  using Context = std::unique_ptr<ssl_ctx_st, Free>;
  using Connection = std::unique_ptr<ssl_st, Free>;

  TlsSockets(StreamSockets& below, Context context);

  // nullptr: plain.
  Session* Find(int socket);
  std::unique_ptr<Session> MakeSession();
  void Forget(int socket);

  // Takes raw bytes of the peer.
  Outcome Fill(int socket, Session& session);
  Moved ReadFrom(int socket, Session& session, engine::MutableBytes into);
  // Gives records to the sockets below. kDone: none are left.
  Outcome Drain(int socket, Session& session);
  void NoteHandshake(Session& session);
  void Take(SocketEvent& event);

  StreamSockets& below_;
  const Context context_;
  std::vector<std::byte> buffer_;                   // Of raw bytes, in either direction.
  std::vector<std::unique_ptr<Session>> sessions_;  // By socket.
  std::vector<bool> is_tls_listener_;               // By socket.
  std::map<uint64_t, int> sockets_by_tag_;          // Of watched sessions.
  std::vector<SocketEvent> own_events_;             // For the next wait.
};

}  // namespace tools

#endif  // TOOLS_OS_CRYPTO_TLS_SOCKETS_H_
