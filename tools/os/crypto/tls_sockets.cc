#include "tools/os/crypto/tls_sockets.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "engine/base/status_macros.h"
#include "tools/os/crypto/openssl_key.h"

namespace tools {
namespace {

constexpr size_t kRecordBytesMax = size_t{16} << 10;
constexpr size_t kRawBytes = size_t{18} << 10;  // More than a record takes.
// Answers to what a peer sends without reading them.
constexpr size_t kUnsentBytesMax = size_t{64} << 10;
// Raw reads of one call. A peer may send records without content for ever.
constexpr int kFillsMax = 4;

// The certificates after the first one.
bool UseChain(SSL_CTX& context, bio_st& certificates) {
  for (;;) {
    const OpensslCertificate next = NextCertificate(certificates);
    if (next == nullptr) return ERR_GET_REASON(ERR_peek_last_error()) == PEM_R_NO_START_LINE;
    if (SSL_CTX_add1_chain_cert(&context, next.get()) != 1) return false;
  }
}

absl::Status UseIdentity(SSL_CTX& context, const ServerIdentity& identity) {
  RETURN_IF_ERROR(CheckKey(identity));
  const OpensslBio certificates = ReaderOf(identity.certificate);
  const OpensslCertificate first = NextCertificate(*certificates);
  const OpensslKey key = ServerKeyOf(identity.key);
  if (SSL_CTX_use_certificate(&context, first.get()) == 1 &&
      SSL_CTX_use_PrivateKey(&context, key.get()) == 1 && UseChain(context, *certificates)) {
    return absl::OkStatus();
  }
  const char* const reason = ERR_reason_error_string(ERR_peek_last_error());
  return absl::InvalidArgumentError(absl::StrCat("a certificate that TLS cannot use: ",
                                                 reason == nullptr ? "no reason given" : reason));
}

void SetOptions(SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET);
  SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(context, 0);
  SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace

struct TlsSockets::Session {
  Connection ssl;
  bio_st* input = nullptr;        // Raw bytes of the peer. Of `ssl`.
  bio_st* output = nullptr;       // Raw bytes for the peer. Of `ssl`.
  std::vector<std::byte> unsent;  // Taken from `output`.
  size_t unreported = 0;          // Bytes of Transmit() whose record is not moved yet.
  uint64_t tag = 0;
  bool is_watched = false;
  bool may_have_more = true;  // The socket below was not read to where it blocks.
  bool is_connected = false;  // The handshake is done.
  bool wants_output = false;  // Transmit() was refused until the handshake is done.
  bool ends_output = false;   // EndOutput() waits for what is unsent.
};

absl::StatusOr<std::unique_ptr<TlsSockets>> TlsSockets::Make(StreamSockets& below,
                                                             const ServerIdentity& identity) {
  const OpensslScope scope;
  Context context(SSL_CTX_new(TLS_server_method()));
  if (context == nullptr) return absl::InternalError("OpenSSL made no TLS context");
  SetOptions(context.get());
  RETURN_IF_ERROR(UseIdentity(*context, identity));
  return std::unique_ptr<TlsSockets>(new TlsSockets(below, std::move(context)));
}

void TlsSockets::Free::operator()(ssl_ctx_st* context) const { SSL_CTX_free(context); }
void TlsSockets::Free::operator()(ssl_st* connection) const { SSL_free(connection); }

TlsSockets::TlsSockets(StreamSockets& below, Context context)
    : below_(below), context_(std::move(context)), buffer_(kRawBytes) {}

TlsSockets::~TlsSockets() = default;

TlsSockets::Session* TlsSockets::Find(int socket) {
  const auto index = static_cast<size_t>(socket);
  return index < sessions_.size() ? sessions_[index].get() : nullptr;
}

absl::StatusOr<StreamSockets::Bound> TlsSockets::Listen(absl::string_view address) {
  const bool is_tls = absl::ConsumePrefix(&address, kTlsPrefix);
  absl::StatusOr<Bound> bound = below_.Listen(address);
  if (!bound.ok() || !is_tls) return bound;
  const auto index = static_cast<size_t>(bound->socket);
  if (index >= is_tls_listener_.size()) is_tls_listener_.resize(index + 1);
  is_tls_listener_[index] = true;
  bound->address = absl::StrCat(kTlsPrefix, bound->address);
  return bound;
}

std::unique_ptr<TlsSockets::Session> TlsSockets::MakeSession() {
  auto session = std::make_unique<Session>();
  session->ssl.reset(SSL_new(context_.get()));
  OpensslBio input(BIO_new(BIO_s_mem()));
  OpensslBio output(BIO_new(BIO_s_mem()));
  if (session->ssl == nullptr || input == nullptr || output == nullptr) return nullptr;
  // An empty one is not at its end.
  BIO_set_mem_eof_return(input.get(), -1);
  BIO_set_mem_eof_return(output.get(), -1);
  session->input = input.release();
  session->output = output.release();
  SSL_set_bio(session->ssl.get(), session->input, session->output);
  SSL_set_accept_state(session->ssl.get());
  return session;
}

StreamSockets::Accepted TlsSockets::Accept(int listener) {
  const OpensslScope scope;
  const auto index = static_cast<size_t>(listener);
  Accepted accepted = below_.Accept(listener);
  if (accepted.outcome != Outcome::kDone) return accepted;
  if (index >= is_tls_listener_.size() || !is_tls_listener_[index]) return accepted;
  std::unique_ptr<Session> session = MakeSession();
  if (session == nullptr) {
    below_.Reset(accepted.socket);
    accepted.outcome = Outcome::kFailed;
    return accepted;
  }
  const auto slot = static_cast<size_t>(accepted.socket);
  if (slot >= sessions_.size()) sessions_.resize(slot + 1);
  sessions_[slot] = std::move(session);
  return accepted;
}

bool TlsSockets::Watch(int socket, uint64_t tag) {
  if (!below_.Watch(socket, tag)) return false;
  Session* session = Find(socket);
  if (session == nullptr) return true;
  session->tag = tag;
  session->is_watched = true;
  sockets_by_tag_[tag] = socket;
  return true;
}

StreamSockets::Outcome TlsSockets::Drain(int socket, Session& session) {
  for (;;) {
    if (session.unsent.empty()) {
      const int count = BIO_read(session.output, buffer_.data(), static_cast<int>(kRawBytes));
      if (count <= 0) return Outcome::kDone;
      session.unsent.assign(buffer_.begin(), buffer_.begin() + count);
    }
    const Moved moved = below_.Transmit(socket, session.unsent);
    if (moved.outcome != Outcome::kDone) return moved.outcome;
    session.unsent.erase(session.unsent.begin(),
                         session.unsent.begin() + static_cast<ptrdiff_t>(moved.bytes));
    if (session.unsent.empty()) session.unsent = {};
  }
}

StreamSockets::Outcome TlsSockets::Fill(int socket, Session& session) {
  const Moved moved = below_.Receive(socket, buffer_);
  session.may_have_more = moved.outcome == Outcome::kDone && moved.is_more;
  if (moved.outcome != Outcome::kDone) return moved.outcome;
  const int count = static_cast<int>(moved.bytes);
  return BIO_write(session.input, buffer_.data(), count) == count ? Outcome::kDone
                                                                  : Outcome::kExhausted;
}

void TlsSockets::NoteHandshake(Session& session) {
  if (session.is_connected || SSL_is_init_finished(session.ssl.get()) != 1) return;
  session.is_connected = true;
  if (session.wants_output) own_events_.push_back({.tag = session.tag, .is_output = true});
  session.wants_output = false;
}

// Once.
StreamSockets::Moved TlsSockets::ReadFrom(int socket, Session& session, engine::MutableBytes into) {
  size_t count = 0;
  const int result = SSL_read_ex(session.ssl.get(), into.data(), into.size(), &count);
  const int error = result == 1 ? SSL_ERROR_NONE : SSL_get_error(session.ssl.get(), result);
  NoteHandshake(session);
  const Outcome drained = Drain(socket, session);
  const bool is_lost = drained != Outcome::kDone && drained != Outcome::kWouldBlock;
  if (is_lost || session.unsent.size() + BIO_ctrl_pending(session.output) > kUnsentBytesMax) {
    return {.outcome = Outcome::kFailed};
  }
  if (result == 1) {
    return {.outcome = Outcome::kDone,
            .bytes = count,
            .is_more = session.may_have_more || SSL_has_pending(session.ssl.get()) == 1 ||
                       BIO_ctrl_pending(session.input) > 0};
  }
  if (error == SSL_ERROR_ZERO_RETURN) return {.outcome = Outcome::kEnded};
  return {.outcome = error == SSL_ERROR_WANT_READ ? Outcome::kWouldBlock : Outcome::kFailed};
}

StreamSockets::Moved TlsSockets::Receive(int socket, engine::MutableBytes into) {
  Session* session = Find(socket);
  if (session == nullptr) return below_.Receive(socket, into);
  const OpensslScope scope;
  for (int fills = 0; fills < kFillsMax; ++fills) {
    const Moved moved = ReadFrom(socket, *session, into);
    if (moved.outcome != Outcome::kWouldBlock) return moved;
    const Outcome filled = Fill(socket, *session);
    if (filled == Outcome::kEnded) {
      return {.outcome = session->is_connected ? Outcome::kEnded : Outcome::kFailed};
    }
    if (filled != Outcome::kDone) return {.outcome = filled};
  }
  // The others have their turn first.
  own_events_.push_back({.tag = session->tag, .is_input = true});
  return {};
}

StreamSockets::Moved TlsSockets::Transmit(int socket, engine::Bytes bytes) {
  Session* session = Find(socket);
  if (session == nullptr) return below_.Transmit(socket, bytes);
  const OpensslScope scope;
  if (!session->is_connected) {
    session->wants_output = true;
    return {};
  }
  size_t moved = 0;
  for (;;) {
    const Outcome drained = Drain(socket, *session);
    if (drained == Outcome::kWouldBlock) break;
    if (drained != Outcome::kDone) return {.outcome = drained};
    moved += std::exchange(session->unreported, 0);
    const engine::Bytes record =
        bytes.subspan(moved).first(std::min(bytes.size() - moved, kRecordBytesMax));
    if (record.empty()) break;
    if (SSL_write_ex(session->ssl.get(), record.data(), record.size(), &session->unreported) != 1) {
      return {.outcome = Outcome::kFailed};
    }
  }
  return {.outcome = moved > 0 ? Outcome::kDone : Outcome::kWouldBlock, .bytes = moved};
}

void TlsSockets::EndOutput(int socket) {
  Session* session = Find(socket);
  if (session == nullptr) return below_.EndOutput(socket);
  const OpensslScope scope;
  if (session->is_connected) SSL_shutdown(session->ssl.get());
  session->ends_output = Drain(socket, *session) == Outcome::kWouldBlock;
  if (!session->ends_output) below_.EndOutput(socket);
}

void TlsSockets::Forget(int socket) {
  const auto index = static_cast<size_t>(socket);
  if (index < is_tls_listener_.size()) is_tls_listener_[index] = false;
  Session* session = Find(socket);
  if (session == nullptr) return;
  if (session->is_watched) sockets_by_tag_.erase(session->tag);
  sessions_[index].reset();
}

void TlsSockets::Close(int socket) {
  const OpensslScope scope;
  Session* session = Find(socket);
  if (session != nullptr && session->is_connected) {
    SSL_shutdown(session->ssl.get());
    Drain(socket, *session);
  }
  Forget(socket);
  below_.Close(socket);
}

void TlsSockets::Reset(int socket) {
  const OpensslScope scope;
  Forget(socket);
  below_.Reset(socket);
}

void TlsSockets::Take(SocketEvent& event) {
  const auto found = sockets_by_tag_.find(event.tag);
  if (found == sockets_by_tag_.end()) return;
  Session& session = *Find(found->second);
  if (event.is_input || event.is_at_end) session.may_have_more = true;
  if (!event.is_output) return;
  const Outcome drained = Drain(found->second, session);
  if (session.ends_output && drained != Outcome::kWouldBlock) {
    session.ends_output = false;
    below_.EndOutput(found->second);
  }
}

void TlsSockets::Wait(int64_t nanos_max, std::vector<SocketEvent>& events) {
  const OpensslScope scope;
  const bool has_own = !own_events_.empty();
  events.insert(events.end(), own_events_.begin(), own_events_.end());
  own_events_.clear();
  const size_t own = events.size();
  below_.Wait(has_own ? 0 : nanos_max, events);
  for (size_t i = own; i < events.size(); ++i) Take(events[i]);
}

}  // namespace tools
