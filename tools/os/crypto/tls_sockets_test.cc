// A network over TLS serves clients that check its certificate, and survives all others.

#include "tools/os/crypto/tls_sockets.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/prng.h"
#include "gtest/gtest.h"
#include "tools/os/clocks.h"
#include "tools/os/crypto/certificate.h"
#include "tools/os/crypto/openssl_key.h"
#include "tools/os/network/memory_sockets.h"
#include "tools/os/network/network.h"
#include "tools/os/network/testing/network_log.h"

namespace tools {
namespace {

constexpr int64_t kMillisecond = 1'000'000;

ServerIdentity MakeIdentity() {
  SystemClock clock;
  std::string key = MakeServerKey().value();
  std::string certificate = MakeLocalCertificate(key, "", clock.Now()).value();
  return {.certificate = std::move(certificate), .key = std::move(key)};
}

const ServerIdentity& Identity() {
  static const ServerIdentity identity = MakeIdentity();
  return identity;
}

struct FreeTls {
  void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
  void operator()(SSL* connection) const { SSL_free(connection); }
};

// A client that accepts no other certificate. It never blocks.
class TlsClient {
 public:
  explicit TlsClient(std::unique_ptr<MemoryPeer> peer)
      : peer_(std::move(peer)), context_(SSL_CTX_new(TLS_client_method())) {
    const OpensslCertificate certificate = NextCertificate(*ReaderOf(Identity().certificate));
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_.get()), certificate.get());
    SSL_CTX_set_verify(context_.get(), SSL_VERIFY_PEER, nullptr);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set1_host(ssl_.get(), "localhost");
    in_ = BIO_new(BIO_s_mem());
    out_ = BIO_new(BIO_s_mem());
    BIO_set_mem_eof_return(in_, -1);
    SSL_set_bio(ssl_.get(), in_, out_);
    SSL_set_connect_state(ssl_.get());
  }

  bool is_connected() {
    SSL_do_handshake(ssl_.get());
    Pump();
    return SSL_is_init_finished(ssl_.get()) == 1;
  }

  size_t Send(absl::string_view bytes) {
    if (!is_connected() || !pending_.empty() || bytes.empty()) return 0;
    size_t count = 0;
    SSL_write_ex(ssl_.get(), bytes.data(), std::min<size_t>(bytes.size(), 5'000), &count);
    Pump();
    return count;
  }

  std::string Receive() {
    Pump();
    std::string received;
    std::string piece(20'000, '\0');
    size_t count = 0;
    while (SSL_read_ex(ssl_.get(), piece.data(), piece.size(), &count) == 1) {
      received.append(piece, 0, count);
    }
    Pump();
    return received;
  }

  void EndOutput() {
    SSL_shutdown(ssl_.get());
    Pump();
  }
  // The server has announced that nothing follows.
  bool has_ended() const { return (SSL_get_shutdown(ssl_.get()) & SSL_RECEIVED_SHUTDOWN) != 0; }
  int version() const { return SSL_version(ssl_.get()); }
  SSL* ssl() { return ssl_.get(); }
  MemoryPeer& peer() { return *peer_; }

 private:
  void Pump() {
    std::string piece(20'000, '\0');
    for (int n = 0; (n = BIO_read(out_, piece.data(), static_cast<int>(piece.size()))) > 0;) {
      pending_.append(piece, 0, static_cast<size_t>(n));
    }
    pending_.erase(0, peer_->Send(engine::AsBytes(pending_)));
    const std::string received = peer_->Receive();
    BIO_write(in_, received.data(), static_cast<int>(received.size()));
    ERR_clear_error();
  }

  std::unique_ptr<MemoryPeer> peer_;
  std::unique_ptr<SSL_CTX, FreeTls> context_;
  std::unique_ptr<SSL, FreeTls> ssl_;
  BIO* in_;
  BIO* out_;
  std::string pending_;
};

class TlsSocketsTest : public testing::TestWithParam<uint64_t> {
 protected:
  TlsSocketsTest()
      : memory_(clock_, GetParam()), tls_(TlsSockets::Make(memory_, Identity()).value()) {
    network_.emplace(*tls_, NetworkOptions{});
    listener_ = network_->Listen("tls:127.0.0.1:0").value();
    log_.on_bytes = [this](ConnectionId id, engine::Bytes bytes) { network_->Send(id, bytes); };
  }
  ~TlsSocketsTest() override { EXPECT_EQ(ERR_peek_error(), 0); }

  std::unique_ptr<MemoryPeer> ConnectPlain() {
    return memory_.Connect(listener_.address.substr(kTlsPrefix.size())).value();
  }

  void TurnUntil(const std::function<bool()>& is_done) {
    for (int turn = 0; turn < 50'000; ++turn) {
      if (is_done()) return;
      network_->Turn(tls_->Now() + kMillisecond, log_);
    }
    FAIL() << "did not happen";
  }

  // Sends `text` and expects it back.
  void ExpectEcho(TlsClient& client, const std::string& text) {
    absl::string_view rest = text;
    std::string received;
    TurnUntil([&] {
      rest.remove_prefix(client.Send(rest));
      received += client.Receive();
      return received.size() >= text.size();
    });
    EXPECT_EQ(received, text);
  }

  engine::ManualSteadyClock clock_;
  MemorySockets memory_;
  const std::unique_ptr<TlsSockets> tls_;
  NetworkLog log_;
  std::optional<Network> network_;
  Network::Listener listener_;
};

INSTANTIATE_TEST_SUITE_P(Seeds, TlsSocketsTest, testing::Range<uint64_t>(1, 11));

std::string Numbers(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) absl::StrAppend(&text, i, "\n");
  return text;
}

TEST_P(TlsSocketsTest, EveryByteArrivesOnceAndInOrder) {
  TlsClient client(ConnectPlain());
  ExpectEcho(client, Numbers(50'000));
  EXPECT_EQ(client.version(), TLS1_3_VERSION);
  TlsClient older(ConnectPlain());
  SSL_set_max_proto_version(older.ssl(), TLS1_2_VERSION);
  ExpectEcho(older, Numbers(5'000));
  EXPECT_EQ(older.version(), TLS1_2_VERSION);
}

TEST_P(TlsSocketsTest, SmallWindowsOnlyDelay) {
  TlsClient client(ConnectPlain());
  client.peer().SetWindow(37);
  ExpectEcho(client, Numbers(2'000));
}

TEST_P(TlsSocketsTest, CloseSendsAllOutputAndAnnouncesItsEnd) {
  const std::string text = Numbers(50'000);
  log_.on_accepted = [&](ConnectionId id) {
    network_->Send(id, engine::AsBytes(text));  // Before the handshake.
    network_->Close(id);
  };
  TlsClient client(ConnectPlain());
  std::string received;
  TurnUntil([&] {
    client.is_connected();
    received += client.Receive();
    return client.has_ended();
  });
  EXPECT_EQ(received, text);
  client.EndOutput();
  client.peer().Close();
  TurnUntil([&] { return log_.closed_count() == 1; });
  EXPECT_EQ(log_[log_.accepted().back()].closed, CloseReason::kClosed);
}

TEST_P(TlsSocketsTest, AHalfCloseEndsInputAndNotOutput) {
  TlsClient client(ConnectPlain());
  ExpectEcho(client, "request");
  client.EndOutput();
  const ConnectionId id = log_.accepted().back();
  TurnUntil([&] { return log_[id].has_input_ended; });
  network_->Send(id, engine::AsBytes("reply"));
  std::string received;
  TurnUntil([&] {
    received += client.Receive();
    return received.size() == 5;
  });
  EXPECT_EQ(received, "reply");
}

TEST_P(TlsSocketsTest, PlainListenersStayPlain) {
  const Network::Listener plain = network_->Listen("127.0.0.1:0").value();
  const std::unique_ptr<MemoryPeer> peer = memory_.Connect(plain.address).value();
  peer->Send(engine::AsBytes("hello"));
  std::string received;
  TurnUntil([&] {
    received += peer->Receive();
    return received.size() == 5;
  });
  EXPECT_EQ(received, "hello");
}

TEST_P(TlsSocketsTest, WhatIsNoTlsEndsAlone) {
  TlsClient client(ConnectPlain());
  ExpectEcho(client, "before");
  engine::Prng prng(GetParam());
  for (int i = 0; i < 30; ++i) {
    std::string bytes = i == 0 ? "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" : "";
    while (i > 0 && bytes.size() < 3'000) bytes += static_cast<char>(prng.Next());
    const std::unique_ptr<MemoryPeer> peer = ConnectPlain();
    peer->Send(engine::AsBytes(bytes));
    const size_t closed = log_.closed_count();
    peer->EndOutput();
    TurnUntil([&] { return log_.closed_count() > closed; });
    EXPECT_EQ(log_[log_.accepted().back()].closed, CloseReason::kReset);
    EXPECT_EQ(log_[log_.accepted().back()].bytes, "");
  }
  ExpectEcho(client, "after");
}

TEST_P(TlsSocketsTest, HalfHandshakesEndWithTheirPeer) {
  TlsClient client(ConnectPlain());
  const std::unique_ptr<MemoryPeer> silent = ConnectPlain();
  ExpectEcho(client, "beside");
  TlsClient half(ConnectPlain());
  half.peer().SetWindow(100);
  EXPECT_FALSE(half.is_connected());
  ExpectEcho(client, "beside");
  half.peer().Reset();
  silent->Close();
  TurnUntil([&] { return log_.closed_count() == 2; });
  ExpectEcho(client, "after");
}

TEST_P(TlsSocketsTest, RenegotiationIsRefused) {
  TlsClient client(ConnectPlain());
  SSL_set_max_proto_version(client.ssl(), TLS1_2_VERSION);
  ExpectEcho(client, "before");
  SSL_renegotiate(client.ssl());
  TlsClient other(ConnectPlain());
  for (int i = 0; i < 50; ++i) {
    SSL_do_handshake(client.ssl());
    client.Receive();
    network_->Turn(tls_->Now() + kMillisecond, log_);
  }
  EXPECT_EQ(SSL_num_renegotiations(client.ssl()), 1) << "the attempt";
  ExpectEcho(other, "beside");
}

TEST(TlsSockets, AChainFollowsTheCertificate) {
  engine::ManualSteadyClock clock;
  MemorySockets memory(clock, 1);
  ServerIdentity identity = Identity();
  identity.certificate += MakeIdentity().certificate;
  EXPECT_TRUE(TlsSockets::Make(memory, identity).ok());
  identity.certificate.erase(identity.certificate.size() - 200, 40);
  const absl::Status broken = TlsSockets::Make(memory, identity).status();
  EXPECT_TRUE(absl::IsInvalidArgument(broken)) << broken;
  EXPECT_EQ(ERR_peek_error(), 0);
}

TEST(TlsSockets, AnotherIdentityIsRefused) {
  engine::ManualSteadyClock clock;
  MemorySockets memory(clock, 1);
  const ServerIdentity other = MakeIdentity();
  for (const ServerIdentity& bad : {ServerIdentity{}, ServerIdentity{Identity().certificate, "key"},
                                    ServerIdentity{Identity().certificate, other.key},
                                    ServerIdentity{Identity().key, Identity().key}}) {
    EXPECT_TRUE(absl::IsInvalidArgument(TlsSockets::Make(memory, bad).status()));
  }
  EXPECT_EQ(ERR_peek_error(), 0);
}

}  // namespace
}  // namespace tools
