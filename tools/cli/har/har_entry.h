// Entries of HAR 1.2 as JSON: http://www.softwareishard.com/blog/har-12-spec. The messages of a
// WebSocket session are written as Chrome does, which the format leaves to its writers.

#ifndef TOOLS_CLI_HAR_HAR_ENTRY_H_
#define TOOLS_CLI_HAR_HAR_ENTRY_H_

#include <cstdint>
#include <string>
#include <vector>

#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "tools/cli/har/http_responses.h"
#include "tools/cli/har/websocket_frames.h"

namespace tools {

struct HarRequest {
  std::string method;  // Empty: it could not be read.
  std::string target;
  std::string query;
  int minor_version = 1;
  std::vector<HeaderField> fields;
  uint64_t head_bytes = 0;
  std::string body;
};

struct HarEntry {
  std::string connection;
  engine::SequenceNumber row;      // Of the conversation, where the request begins.
  engine::SequenceNumber applied;  // The last command before it.
  engine::Timestamp began;         // The request.
  engine::Timestamp requested;     // All of it.
  engine::Timestamp answered;      // The response begins.
  engine::Timestamp ended;
  HarRequest request;
  HttpReply reply;
  bool is_websocket = false;
  std::string comment;
};

// A JSON object.
std::string EntryJson(const HarEntry& entry);

// Likewise. `is_send`: from the client.
std::string MessageJson(const SeenMessage& message, bool is_send, engine::Timestamp time);

}  // namespace tools

#endif  // TOOLS_CLI_HAR_HAR_ENTRY_H_
