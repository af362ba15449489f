// A conversation that a test keeps in memory, and may change before it is replayed.

#ifndef TOOLS_SERVE_TESTING_KEPT_TALK_H_
#define TOOLS_SERVE_TESTING_KEPT_TALK_H_

#include <string>
#include <vector>

#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/gateway/conversation.h"
#include "journal/storage/storage.h"

namespace tools {

struct KeptRow {
  engine::TalkRow row;
  std::string attachment;
};
using KeptRows = std::vector<KeptRow>;

// Not thread-safe.
class KeptTalk final : public engine::TalkSink {
 public:
  // `clock` outlives it.
  explicit KeptTalk(engine::Clock& clock) : clock_(clock) {}

  void Append(const engine::TalkRow& row, engine::Bytes attachment) override;
  const KeptRows& rows() const { return rows_; }

 private:
  engine::Clock& clock_;
  KeptRows rows_;
};

// Writes them as a journal. Aborts if `directory` has one.
void WriteTalk(const KeptRows& rows, journal::Directory& directory);

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_KEPT_TALK_H_
