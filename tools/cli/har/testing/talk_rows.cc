#include "tools/cli/har/testing/talk_rows.h"

#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/wire/http/http_response.h"
#include "engine/wire/http/testing/conversations.h"

namespace tools {
namespace {

using engine::TalkKind;
using engine::WebSocketOpcode;

constexpr int64_t kFirstNanos = 1'580'376'600'000'000'000;
constexpr int64_t kStepNanos = 1'000'000;

}  // namespace

engine::TalkRow TalkRows::RowOf(TalkKind kind, uint32_t place) {
  const auto count = static_cast<int64_t>(records_.size());
  engine::TalkRow row;
  row.sequence = engine::SequenceNumber(static_cast<uint64_t>(count) + 1);
  row.timestamp = engine::Timestamp::FromNanos(kFirstNanos + count * kStepNanos);
  row.applied = engine::SequenceNumber(40);
  row.place = place;
  row.generation = 1;
  row.kind = kind;
  row.set_gateway(engine::TalkGateway::kKalshi);
  return row;
}

void TalkRows::Open(uint32_t place, engine::TalkGateway gateway) {
  engine::TalkRow row = RowOf(TalkKind::kOpened, place);
  row.set_gateway(gateway);
  records_.push_back({.row = row, .attachment = ""});
}

void TalkRows::Close(uint32_t place) {
  records_.push_back({.row = RowOf(TalkKind::kClosed, place), .attachment = ""});
}

void TalkRows::Receive(uint32_t place, absl::string_view bytes) {
  Pass(TalkKind::kBytes, place, bytes);
}

void TalkRows::Send(uint32_t place, absl::string_view bytes) {
  Pass(TalkKind::kSent, place, bytes);
}

void TalkRows::Pass(TalkKind kind, uint32_t place, absl::string_view bytes) {
  while (!bytes.empty()) {
    const absl::string_view chunk = bytes.substr(0, chunk_bytes_);
    engine::TalkRow row = RowOf(kind, place);
    row.length = chunk.size();
    if (kind == TalkKind::kSent) row.hash = engine::DigestOf(engine::AsBytes(chunk)).low;
    records_.push_back({.row = row, .attachment = std::string(chunk)});
    bytes.remove_prefix(chunk.size());
  }
}

void TalkRows::SendCut(uint32_t place, absl::string_view bytes, size_t missing) {
  engine::TalkRow row = RowOf(TalkKind::kSent, place);
  row.length = bytes.size();
  bytes.remove_suffix(missing);
  records_.push_back({.row = row, .attachment = std::string(bytes)});
}

std::string Response(int status, absl::string_view body) {
  std::string out;
  engine::AppendHttpResponse({.status = status, .body = body}, out);
  return out;
}

std::string UpgradeRequest() {
  return "GET /trade-api/ws/v2 HTTP/1.1\r\nHost: localhost:8080\r\nUpgrade: websocket\r\n"
         "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
         "Sec-WebSocket-Version: 13\r\nKALSHI-ACCESS-SIGNATURE: ********\r\n\r\n";
}

std::string UpgradeResponse() {
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
         "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
}

std::string ServerFrame(WebSocketOpcode opcode, absl::string_view payload) {
  std::string out;
  engine::AppendFrame(opcode, payload, out);
  return out;
}

TalkRows SampleConversation() {
  TalkRows rows;
  rows.Open(1);
  rows.Open(2);
  rows.Open(3, engine::TalkGateway::kText);
  rows.Receive(
      1,
      "GET /markets?limit=5&tickers=A%2CB&tickers=C+D HTTP/1.1\r\nHost: localhost\r\n"
      "Authorization: ****** ****\r\n\r\nHEAD /status HTTP/1.1\r\nHost: localhost\r\n\r\n");
  rows.Receive(2, UpgradeRequest());
  rows.Send(2, UpgradeResponse() + ServerFrame(WebSocketOpcode::kText, R"({"type":"ok"})"));
  rows.Send(1, Response(200, R"({"ticker":"Zürich \"1\""})"));
  std::string head;
  engine::AppendHttpResponse({.body = "12345", .is_to_head = true}, head);
  rows.Send(1, head);
  rows.Receive(2, engine::ClientFrame(WebSocketOpcode::kText, R"({"id":1,"cmd":"subscribe"})"));
  rows.Receive(1,
               "POST /orders HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
               "Content-Length: 14\r\n\r\n{\"count\"");
  rows.Receive(1, ": 10}\n");
  rows.Receive(2, engine::ClientFrame(WebSocketOpcode::kPing, "now"));
  rows.Send(1, Response(201, "{}"));
  rows.Send(2, ServerFrame(WebSocketOpcode::kPong, "now"));
  rows.Receive(1, "DELETE /orders/1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  rows.Send(1, Response(204, ""));
  rows.Receive(1, "no request\r\n\r\n");
  rows.Send(1, Response(400, R"({"error":{}})"));
  rows.Close(1);
  rows.Receive(2, engine::ClientFrame(WebSocketOpcode::kClose, absl::string_view("\x03\xe8", 2)));
  rows.Send(2, ServerFrame(WebSocketOpcode::kClose, absl::string_view("\x03\xe8", 2)));
  rows.Close(2);
  return rows;
}

}  // namespace tools
