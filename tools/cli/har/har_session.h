// One session of a gateway of HTTP: the bytes that it was given and gave, as entries.

#ifndef TOOLS_CLI_HAR_HAR_SESSION_H_
#define TOOLS_CLI_HAR_HAR_SESSION_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "engine/base/sequence_number.h"
#include "engine/base/timestamp.h"
#include "engine/wire/http/http_reader.h"
#include "tools/cli/har/har_entry.h"
#include "tools/cli/har/http_responses.h"
#include "tools/cli/har/spool.h"
#include "tools/cli/har/websocket_frames.h"

namespace tools {

// Receives what is finished.
class HarEntries {
 public:
  virtual ~HarEntries() = default;

  // `messages`: of a WebSocket session, objects with commas between them. Null otherwise.
  virtual void Add(const HarEntry& entry, const Spool::Text* messages) = 0;
};

// Bytes that passed in one call.
struct Passed {
  engine::SequenceNumber row;
  engine::SequenceNumber applied;
  engine::Timestamp time;
  absl::string_view bytes;
  uint64_t missing = 0;  // So many followed, and were not kept.
};

// Of the requests of a session that wait for their responses. A gateway stops to read long before.
inline constexpr size_t kWaitingBytesMax = size_t{16} << 20;

// Not thread-safe. Holds the requests that wait, and what has come of a request and a response.
class HarSession {
 public:
  // Both outlive it.
  HarSession(std::string connection, HarEntries& entries, Spool& spool)
      : connection_(std::move(connection)), entries_(entries), spool_(spool) {}

  void OnReceived(const Passed& passed);
  void OnSent(const Passed& passed);
  // The last call.
  void OnEnd(engine::Timestamp time, absl::string_view why);

 private:
  void ReadRequests(const Passed& passed);
  void AddRequest(const Passed& passed);
  void ReadReplies(const Passed& passed);
  // The request that a response is of.
  HarEntry TakeAnswered(const Passed& passed);
  void EndReply(const Passed& passed);
  void ReadHeld(const Passed& passed);
  void ReadMessages(const Passed& passed, bool is_send);
  // From here on, the bytes cannot be read.
  void Lose(const Passed& passed, absl::string_view why);

  void Wait(HarEntry entry);
  HarEntry TakeWaiting();
  HarEntry NewEntry(const Passed& passed) const;

  const std::string connection_;
  HarEntries& entries_;
  Spool& spool_;

  engine::HttpReader requests_;
  std::optional<HarEntry> coming_;  // The request that is being read, as far as it is known.
  uint64_t coming_bytes_ = 0;
  bool is_refused_ = false;  // Before all of it came: what follows is not read.

  std::deque<HarEntry> waiting_;  // For responses, the oldest first.
  size_t waiting_bytes_ = 0;
  HttpResponses replies_;
  engine::Timestamp answered_;  // When the response that is being read began.

  // What came after a request for WebSocket, before its response.
  bool waits_for_upgrade_ = false;
  std::string held_;

  struct Messages {
    HarEntry entry;
    WebSocketFrames received;
    WebSocketFrames sent;
    Spool::Text text;
  };
  std::unique_ptr<Messages> messages_;  // Once it speaks WebSocket.
  bool is_lost_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_HAR_HAR_SESSION_H_
