#include "tools/os/web/testing/scripted_server.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "engine/base/integer_text.h"

namespace tools {
namespace {

constexpr absl::string_view kKeyField = "Sec-WebSocket-Key: ";
constexpr absl::string_view kWebSocketGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455.

}  // namespace

ScriptedServer::ScriptedServer(const std::optional<ServerIdentity>& identity, absl::string_view ip)
    : plain_(SystemSockets::Make(clock_).value()) {
  if (identity.has_value()) tls_ = TlsSockets::Make(*plain_, *identity).value();
  StreamSockets& sockets = tls_ == nullptr ? static_cast<StreamSockets&>(*plain_) : *tls_;
  network_.emplace(sockets, NetworkOptions{.output_bytes_max = size_t{64} << 20});
  const absl::string_view prefix = tls_ == nullptr ? "" : kTlsPrefix;
  const std::string address = network_->Listen(absl::StrCat(prefix, ip, ":0")).value().address;
  CHECK(engine::ParseInteger(absl::string_view(address).substr(address.rfind(':') + 1), port_));
}

void ScriptedServer::Turn() { network_->Turn(network_->Now(), log_); }

absl::string_view ScriptedServer::received(size_t connection) const {
  const auto forgotten = forgotten_.find(connection);
  const absl::string_view bytes = log_[IdOf(connection)].bytes;
  return bytes.substr(forgotten == forgotten_.end() ? 0 : forgotten->second);
}

bool ScriptedServer::has_ended(size_t connection) const {
  const NetworkLog::Story& story = log_[IdOf(connection)];
  return story.has_input_ended || story.closed.has_value();
}

void ScriptedServer::Send(size_t connection, absl::string_view bytes) {
  network_->Send(IdOf(connection), engine::AsBytes(bytes));
}

void ScriptedServer::Close(size_t connection) {
  network_->Close(IdOf(connection));
  Turn();
}

void ScriptedServer::Abort(size_t connection) {
  network_->Abort(IdOf(connection));
  Turn();
}

std::string UpgradeReply(absl::string_view request) {
  const size_t at = request.find(kKeyField);
  CHECK(at != absl::string_view::npos) << request;
  const absl::string_view rest = request.substr(at + kKeyField.size());
  const std::string text = absl::StrCat(rest.substr(0, rest.find('\r')), kWebSocketGuid);
  std::array<unsigned char, 20> digest = {};
  CHECK(EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha1(), nullptr) == 1);
  const absl::string_view hash(reinterpret_cast<const char*>(digest.data()), digest.size());
  return absl::StrCat(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      "Sec-WebSocket-Accept: ",
      absl::Base64Escape(hash), "\r\n\r\n");
}

std::string ServerFrame(uint8_t head, absl::string_view payload) {
  std::string frame(1, static_cast<char>(head));
  const auto append_size = [&](int bytes) {
    for (int i = bytes - 1; i >= 0; --i) {
      frame.push_back(static_cast<char>(payload.size() >> (8 * i)));
    }
  };
  if (payload.size() < 126) {
    append_size(1);
  } else if (payload.size() < 65'536) {
    frame.push_back(126);
    append_size(2);
  } else {
    frame.push_back(127);
    append_size(8);
  }
  return absl::StrCat(frame, payload);
}

std::optional<std::string> TakeClientFrame(absl::string_view& bytes, uint8_t& head) {
  if (bytes.size() < 2) return std::nullopt;
  const auto byte_at = [&](size_t at) { return static_cast<uint8_t>(bytes[at]); };
  head = byte_at(0);
  CHECK((byte_at(1) & 0x80) != 0) << "a frame of a client that is not masked";
  size_t size = byte_at(1) & 0x7f;
  CHECK(size != 127) << "a frame that no test sends";
  size_t at = 2;
  if (size == 126) {
    if (bytes.size() < 4) return std::nullopt;
    size = size_t{byte_at(2)} << 8 | byte_at(3);
    at = 4;
  }
  if (bytes.size() < at + 4 + size) return std::nullopt;
  std::string payload(bytes.substr(at + 4, size));
  for (size_t i = 0; i < size; ++i) payload[i] ^= bytes[at + i % 4];
  bytes.remove_prefix(at + 4 + size);
  return payload;
}

}  // namespace tools
