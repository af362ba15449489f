// A conversation that a test keeps in memory, may change, and replays.

#ifndef TOOLS_SERVE_TESTING_KEPT_TALK_H_
#define TOOLS_SERVE_TESTING_KEPT_TALK_H_

#include <span>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "engine/base/bytes.h"
#include "engine/base/clock.h"
#include "engine/base/timestamp.h"
#include "engine/gateway/conversation.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "journal/storage/storage.h"
#include "replay/exchange_machine.h"
#include "tools/serve/conversation_replay.h"
#include "tools/serve/venue_config.h"

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

  engine::Timestamp Append(const engine::TalkRow& row, engine::Bytes attachment) override;
  const KeptRows& rows() const { return rows_; }

 private:
  engine::Clock& clock_;
  KeptRows rows_;
};

using PrintBook = absl::FunctionRef<void(const replay::ExchangeMachine& machine,
                                         const engine::MarketDefinition* market, std::string& out)>;

// Replays the rows beside their command journal. Errors: ConversationReplay's; NOT_FOUND also if
// the journal has lost commands before the first row. `kalshi`: what the configuration says; may be
// null.
absl::StatusOr<TalkReport> ReplayTalk(const KeptRows& rows, const journal::Directory& commands,
                                      std::span<const engine::AccountId> accounts,
                                      PrintBook print_book, const VenueConfig* kalshi = nullptr);

}  // namespace tools

#endif  // TOOLS_SERVE_TESTING_KEPT_TALK_H_
