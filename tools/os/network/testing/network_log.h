// What a network has reported, by connection. Checks the order of reports.

#ifndef TOOLS_OS_NETWORK_TESTING_NETWORK_LOG_H_
#define TOOLS_OS_NETWORK_TESTING_NETWORK_LOG_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/check.h"
#include "tools/os/network/network.h"

namespace tools {

class NetworkLog final : public NetworkHandler {
 public:
  struct Story {
    ListenerId listener;
    std::string peer;
    std::string bytes;
    int read_count = 0;
    int drained_count = 0;
    bool has_input_ended = false;
    std::optional<CloseReason> closed;
  };

  // Called after the report is noted, if set.
  std::function<void(ConnectionId)> on_accepted;
  std::function<void(ConnectionId, engine::Bytes)> on_bytes;
  std::function<void(ConnectionId)> on_input_ended;
  std::function<void(ConnectionId)> on_closed;

  void OnAccepted(ConnectionId connection, ListenerId listener, absl::string_view peer) override {
    CHECK(!stories_.contains(connection)) << "an identity was used again";
    Story& story = stories_[connection];
    story.listener = listener;
    story.peer = std::string(peer);
    accepted_.push_back(connection);
    if (on_accepted) on_accepted(connection);
  }

  void OnBytes(ConnectionId connection, engine::Bytes bytes) override {
    Story& story = Open(connection);
    CHECK(!bytes.empty() && !story.has_input_ended);
    const absl::string_view text = engine::AsText(bytes);
    story.bytes.append(text.data(), text.size());
    ++story.read_count;
    if (on_bytes) on_bytes(connection, bytes);
  }

  void OnInputEnded(ConnectionId connection) override {
    Story& story = Open(connection);
    CHECK(!story.has_input_ended) << "reported twice";
    story.has_input_ended = true;
    if (on_input_ended) on_input_ended(connection);
  }

  void OnDrained(ConnectionId connection) override { ++Open(connection).drained_count; }

  void OnClosed(ConnectionId connection, CloseReason reason) override {
    Open(connection).closed = reason;
    ++closed_count_;
    if (on_closed) on_closed(connection);
  }

  const Story& operator[](ConnectionId connection) const { return stories_.at(connection); }
  const std::vector<ConnectionId>& accepted() const { return accepted_; }
  size_t closed_count() const { return closed_count_; }

 private:
  Story& Open(ConnectionId connection) {
    const auto story = stories_.find(connection);
    CHECK(story != stories_.end()) << "reported before it was accepted";
    CHECK(!story->second.closed.has_value()) << "reported after its end";
    return story->second;
  }

  std::map<ConnectionId, Story> stories_;
  std::vector<ConnectionId> accepted_;
  size_t closed_count_ = 0;
};

}  // namespace tools

#endif  // TOOLS_OS_NETWORK_TESTING_NETWORK_LOG_H_
