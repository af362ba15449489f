// Conversations made by hand: the rows that a venue would have recorded.

#ifndef TOOLS_CLI_HAR_TESTING_TALK_ROWS_H_
#define TOOLS_CLI_HAR_TESTING_TALK_ROWS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/gateway/conversation.h"
#include "engine/wire/http/websocket_frame.h"

namespace tools {

struct TalkRecord {
  engine::TalkRow row;
  std::string attachment;
};

// Rows are numbered from 1; between two is one millisecond, from 2020-01-30T09:30:00Z on.
class TalkRows {
 public:
  // `chunk_bytes`: of what follows, one row each.
  void CutInto(size_t chunk_bytes) { chunk_bytes_ = chunk_bytes; }

  void Open(uint32_t place, engine::TalkGateway gateway = engine::TalkGateway::kKalshi);
  void Receive(uint32_t place, absl::string_view bytes);
  void Send(uint32_t place, absl::string_view bytes);
  // Of `bytes`, the last `missing` are not kept.
  void SendCut(uint32_t place, absl::string_view bytes, size_t missing);
  void Close(uint32_t place);

  const std::vector<TalkRecord>& records() const { return records_; }

 private:
  engine::TalkRow RowOf(engine::TalkKind kind, uint32_t place);
  void Pass(engine::TalkKind kind, uint32_t place, absl::string_view bytes);

  std::vector<TalkRecord> records_;
  size_t chunk_bytes_ = SIZE_MAX;
};

// A response with this body.
std::string Response(int status, absl::string_view body);
// A request of WebSocket, and its response.
std::string UpgradeRequest();
std::string UpgradeResponse();
// A frame of a server.
std::string ServerFrame(engine::WebSocketOpcode opcode, absl::string_view payload);

// Requests of all kinds and a WebSocket session, next to each other.
TalkRows SampleConversation();

}  // namespace tools

#endif  // TOOLS_CLI_HAR_TESTING_TALK_ROWS_H_
