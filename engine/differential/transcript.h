// Transcripts: commands and the exchange's answers, as text that a trader can read. Those in
// testdata/transcripts specify the exchange; the README there has the grammar.
//
//   # Of two bids at one price, the earlier trades first.
//   market ACME
//
//   bid account=1 price=10.00 quantity=5
//   ask account=2 price=10.00 quantity=3
//   ----
//   2.0 accepted order=2 side=bid price=10.00 quantity=5 remaining=5 account=1
//   ...
//
// Running a transcript returns its text with the right answers, to compare with the old text or to
// replace it.

#ifndef ENGINE_DIFFERENTIAL_TRANSCRIPT_H_
#define ENGINE_DIFFERENTIAL_TRANSCRIPT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/messages/market_directory.h"
#include "engine/state/resting_order.h"
#include "engine/types/ids.h"
#include "engine/types/money.h"
#include "engine/types/side.h"

namespace engine {

// An account's money, as a transcript shows it.
struct MoneyInTranscript {
  Money balance;
  Money reserved;
};

// What a transcript needs of an engine.
class TranscriptEngine {
 public:
  virtual ~TranscriptEngine() = default;
  virtual void Apply(const Command& command, Bytes attachment, EventBuffer& events) = 0;
  virtual const MarketDirectory& markets() const = 0;
  virtual void VisitOrders(MarketId market, Side side,
                           absl::FunctionRef<void(const RestingOrder&)> visit) const = 0;
  // Nullopt unless the account is open.
  virtual std::optional<MoneyInTranscript> FindAccount(AccountId account) const = 0;
  virtual int64_t Position(AccountId account, MarketId market) const = 0;
  virtual Digest StateDigest() const = 0;
  virtual void CheckInvariants() const = 0;
};

// Any engine with these methods, to which no command has been applied.
template <typename Engine>
class EngineInTranscript final : public TranscriptEngine {
 public:
  void Apply(const Command& command, Bytes attachment, EventBuffer& events) override {
    engine_.Apply(command, attachment, events);
  }
  const MarketDirectory& markets() const override { return engine_.markets(); }
  void VisitOrders(MarketId market, Side side,
                   absl::FunctionRef<void(const RestingOrder&)> visit) const override {
    engine_.VisitOrders(market, side, visit);
  }
  std::optional<MoneyInTranscript> FindAccount(AccountId account) const override {
    const auto found = engine_.FindAccount(account);
    if (!found.has_value()) return std::nullopt;
    return MoneyInTranscript{.balance = found->balance, .reserved = found->reserved};
  }
  int64_t Position(AccountId account, MarketId market) const override {
    return engine_.Position(account, market);
  }
  Digest StateDigest() const override { return engine_.StateDigest(); }
  void CheckInvariants() const override { engine_.CheckInvariants(); }

 private:
  Engine engine_;
};

struct TranscriptResult {
  std::string text;  // The whole transcript with the answers that were given.
  std::vector<Command> commands;
  std::vector<Event> events;
};

using TranscriptEngines = std::vector<std::unique_ptr<TranscriptEngine>>;

// Runs `text` on all `engines`; `file` is its name in messages. After every command it verifies
// that each engine's invariants hold (CHECK), that all engines emit the same events and are in the
// same state, and that the depth, balances and positions computed from the events are the
// engines'. REQUIRES: at least one engine; no commands were applied. Errors: INVALID_ARGUMENT
// "<file>:<line>: ..." when `text` is not a transcript; INTERNAL, likewise, when engines or views
// disagree.
absl::StatusOr<TranscriptResult> RunTranscript(absl::string_view file, absl::string_view text,
                                               const TranscriptEngines& engines);

}  // namespace engine

#endif  // ENGINE_DIFFERENTIAL_TRANSCRIPT_H_
