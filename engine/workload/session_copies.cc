#include "engine/workload/session_copies.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "engine/base/check.h"
#include "engine/base/clock.h"
#include "engine/base/sequence_number.h"
#include "engine/messages/command.h"
#include "engine/messages/command_sink.h"
#include "engine/messages/market_definition_codec.h"
#include "engine/types/ids.h"
#include "engine/types/market_definition.h"
#include "engine/wire/itch/messages.h"
#include "engine/wire/itch/stream_reader.h"
#include "engine/wire/itch/translator.h"

namespace bench {
namespace {

// The commands of a session in which all markets are defined before the first order.
struct Session {
  std::vector<engine::MarketDefinition> markets;
  std::vector<engine::Command> orders;  // Numbered without the definitions, from 1.
};

// Collects a session as the translator submits it.
class SessionSink final : public engine::CommandSink {
 public:
  explicit SessionSink(engine::Clock& clock) : clock_(clock) {}

  absl::StatusOr<engine::SequenceNumber> Submit(const engine::Command& command,
                                                engine::Bytes attachment) override {
    if (command.kind == engine::CommandKind::kDefineMarket) {
      absl::StatusOr<engine::MarketDefinition> definition =
          engine::DecodeMarketDefinition(attachment);
      CHECK_OK(definition.status());
      session_.markets.push_back(*std::move(definition));
      return engine::SequenceNumber();
    }
    session_.orders.push_back(command);
    session_.orders.back().timestamp = clock_.Now();
    session_.orders.back().sequence = engine::SequenceNumber(session_.orders.size());
    return session_.orders.back().sequence;
  }

  Session Take() { return std::move(session_); }

 private:
  engine::Clock& clock_;
  Session session_;
};

Session ReadSession(const SessionCopies& options) {
  engine::ManualClock clock;
  SessionSink sink(clock);
  engine::ItchTranslator translator(sink, clock, options.midnight, engine::ItchMode::kMatch);
  engine::ItchStreamReader reader;
  engine::ItchMessage message;
  for (const engine::Bytes chunk : {options.itch_stream, engine::Bytes()}) {
    reader.Feed(chunk);
    while (true) {
      const absl::StatusOr<bool> more = reader.Next(message);
      CHECK_OK(more.status());
      if (!*more) break;
      CHECK_OK(translator.Translate(message));
    }
  }
  return sink.Take();
}

// Adds copies of a session to a workload.
class Copier {
 public:
  Copier(Session session, WorkloadBuilder& builder)
      : session_(std::move(session)), builder_(builder), copied_(session_.orders.size() + 1) {
    CHECK(!session_.orders.empty());
    for (const engine::MarketDefinition& market : session_.markets) {
      market_highest_ = std::max(market_highest_, market.id.value());
    }
  }

  void DefineMarkets(uint32_t copy) {
    for (engine::MarketDefinition market : session_.markets) {
      market.id = MarketIn(copy, market.id);
      if (copy != 0) absl::StrAppend(&market.symbol, "/", copy);
      builder_.Define(market);
    }
  }

  void AddOrders(uint32_t copy) {
    const engine::Timestamp begin = builder_.now();
    const engine::Timestamp session_begin = session_.orders.front().timestamp;
    for (engine::Command command : session_.orders) {
      const int64_t elapsed_nanos = command.timestamp.nanos() - session_begin.nanos();
      builder_.SetNow(engine::Timestamp::FromNanos(begin.nanos() + elapsed_nanos));
      const size_t number = command.sequence.value();
      command.market = MarketIn(copy, command.market);
      command.order_id = copied_[command.order_id.value()];
      copied_[number] = builder_.Add(command);
    }
  }

 private:
  engine::MarketId MarketIn(uint32_t copy, engine::MarketId market) const {
    return engine::MarketId(market.value() + copy * market_highest_);
  }

  const Session session_;
  WorkloadBuilder& builder_;
  uint32_t market_highest_ = 0;
  std::vector<engine::OrderId> copied_;  // Index: the order's id in the session; 0: none.
};

}  // namespace

Workload MakeSessionCopies(const SessionCopies& options) {
  CHECK_GE(options.copy_count, 1u);
  WorkloadBuilder builder(options.name);
  Copier copier(ReadSession(options), builder);
  for (uint32_t copy = 0; copy < options.copy_count; ++copy) copier.DefineMarkets(copy);
  builder.EndWarmUp();
  builder.set_step_nanos(0);  // The session has times of its own.
  for (uint32_t copy = 0; copy < options.copy_count; ++copy) copier.AddOrders(copy);
  return builder.Take();
}

}  // namespace bench
