// Records a feed as a journal: a tick store, whose books mirror the venue's.
//
//   tape ─► ITCH messages ─► ItchTranslator ─► commands ─► the journal
//           made of updates, for add-cancel

#ifndef TOOLS_CLI_FEED_FEED_RECORDER_H_
#define TOOLS_CLI_FEED_FEED_RECORDER_H_

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/messages/command_sink.h"
#include "engine/wire/itch/counters.h"
#include "engine/wire/itch/translator.h"
#include "tools/feed/feed_tape.h"
#include "tools/feed/live_feed.h"

namespace tools {

// Not thread-safe: owned by the verb. What it refers to outlives it.
class FeedRecorder {
 public:
  // Messages of ITCH have times since `midnight`. Those of add-cancel have none: theirs is `now`
  // of Take(), and their book is `symbol`, of at most 8 characters.
  FeedRecorder(FeedFormat format, engine::CommandSink& sink, engine::ManualClock& clock,
               engine::Timestamp midnight, const std::string& symbol);

  // Submits the commands of the next part. A part that begins again cancels the orders that rest
  // before. Errors, sticky: the sink's; FAILED_PRECONDITION if a book has another symbol than
  // before, as another session may have it.
  absl::Status Take(const FeedTape::Part& part, engine::Timestamp now);

  const engine::ItchCounters& counters() const { return translator_.counters(); }
  uint64_t malformed() const { return malformed_; }  // Messages left out.

 private:
  absl::Status TakeItch(engine::Bytes framed);
  absl::Status TakeAddCancel(engine::Bytes message, engine::Timestamp now);
  absl::Status CheckSymbol(engine::Bytes message);

  const FeedFormat format_;
  const engine::Timestamp midnight_;
  engine::ItchStock stock_ = {};  // Of add-cancel.
  engine::ItchTranslator translator_;
  std::map<uint16_t, std::string> symbols_;  // By locate.
  uint64_t malformed_ = 0;
  absl::Status status_;
};

}  // namespace tools

#endif  // TOOLS_CLI_FEED_FEED_RECORDER_H_
