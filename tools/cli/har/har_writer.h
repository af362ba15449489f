// Writes the rows of a conversation (engine/gateway/conversation.h) as HAR 1.2, a format of
// browsers and proxies. It streams: in memory are what waits for an end, and the last messages of
// open WebSocket sessions; those before are in a temporary file.
//
// Entries are in the order in which they end. Only sessions of HTTP are written.

#ifndef TOOLS_CLI_HAR_HAR_WRITER_H_
#define TOOLS_CLI_HAR_HAR_WRITER_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "tools/cli/har/har_entry.h"
#include "tools/cli/har/har_session.h"
#include "tools/cli/har/spool.h"

namespace tools {

// Not thread-safe.
class HarWriter final : public HarEntries {
 public:
  // `creator`: the version of this program.
  HarWriter(absl::string_view creator, std::function<void(absl::string_view)> write);

  // Rows in order. Errors: FAILED_PRECONDITION if the conversation holds hashes of what was sent
  // instead of its bytes.
  absl::Status Add(const engine::TalkRow& row, engine::Bytes attachment);
  // After the last row. Errors: of the temporary file.
  absl::Status Finish();

  uint64_t entry_count() const { return entry_count_; }
  // Sessions of the text protocol, which HAR cannot hold.
  uint64_t text_session_count() const { return text_session_count_; }
  // Whether there were rows of sessions that were opened before the first row.
  bool has_earlier_sessions() const { return has_earlier_sessions_; }

 private:
  // Place and generation.
  using Key = std::pair<uint32_t, uint32_t>;

  void Add(const HarEntry& entry, const Spool::Text* messages) override;

  const std::function<void(absl::string_view)> write_;
  Spool spool_;
  absl::Status status_;  // Of the spool.
  std::map<Key, std::unique_ptr<HarSession>> sessions_;
  engine::Timestamp time_;  // Of the last row.
  uint64_t entry_count_ = 0;
  uint64_t text_session_count_ = 0;
  bool has_earlier_sessions_ = false;
};

}  // namespace tools

#endif  // TOOLS_CLI_HAR_HAR_WRITER_H_
