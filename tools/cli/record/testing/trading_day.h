// A day of trading through a shell, from a seed: lines of the session's account, and what others do
// meanwhile, at a given time each. However the day is cut into sessions, it is the same day.
//
//   step    setup            0 ───────────── stop ──────────── end
//   run A   one session │    one session ──────────────────────►
//   run B   one session │    one session ──► another ──────────►      the same replies

#ifndef TOOLS_CLI_RECORD_TESTING_TRADING_DAY_H_
#define TOOLS_CLI_RECORD_TESTING_TRADING_DAY_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/base/clock.h"
#include "engine/messages/market_directory.h"
#include "replay/engines.h"
#include "tools/cli/base/console.h"
#include "tools/cli/record/text_conversation.h"

namespace tools {

// Not thread-safe: owned by a test. Any failure is a CHECK.
class TradingDay {
 public:
  struct Options {
    std::string path;  // Of the journal: nothing is there yet.
    uint64_t seed = 1;
    uint64_t segment_bytes = uint64_t{256} << 20;
    uint64_t reserve_bytes = 0;
    uint32_t block_records = 1024;
  };

  // Defines markets, opens accounts, and ends that session.
  explicit TradingDay(Options options);

  // A session that goes on with the journal. Returns what it noted meanwhile: warnings.
  std::string Open(replay::EngineKind engine = replay::EngineKind::kFast);

  // So many steps of the day. Returns the replies.
  std::string Trade(size_t steps);

  // The journal is sealed.
  void Close();

  // The session's process is gone: nothing more is written.
  void Kill();

  TextConversation& conversation() { return *conversation_; }
  size_t step() const { return step_; }

 private:
  std::string NextLine();  // Of the session's account.
  void SubmitAsOther(absl::string_view text);
  void Start(bool resume, replay::EngineKind engine);

  void TakeReplies();

  const Options options_;
  engine::ManualClock clock_;
  engine::MarketDirectory markets_;  // Those of the setup.
  std::string notes_;
  std::string replies_;  // Of the current Trade().
  std::unique_ptr<Console> console_;
  std::unique_ptr<TextConversation> conversation_;
  size_t step_ = 0;
};

}  // namespace tools

#endif  // TOOLS_CLI_RECORD_TESTING_TRADING_DAY_H_
