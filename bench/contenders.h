// The engines that are compared, each as something that applies a command.
//
//   null       writes one acceptance for every command and does nothing else: the ceiling
//   reference  std::map and std::list
//   fast       the exchange
//   digested   the exchange, and the digests that a driver keeps: of all events, and of the state
//              at every 4096th command

#ifndef BENCH_CONTENDERS_H_
#define BENCH_CONTENDERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/core/exchange.h"
#include "engine/core/testing/reference_exchange.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "journal/log_digest.h"
#include "replay/trace_digest.h"
#include "replay/traced_event_memory.h"

namespace bench {

enum class Contender { kNull, kReference, kFast, kDigested };

absl::string_view NameOf(Contender contender);
// Nullopt: there is none of that name.
std::optional<Contender> ContenderOf(absl::string_view name);

class NullEngine {
 public:
  void Apply(const engine::Command& command, engine::Bytes, engine::EventBuffer& events) {
    events.Begin(command.sequence);
    engine::Event& event = events.Append(engine::EventKind::kAccepted);
    event.order_id = engine::OrderIdOf(command.sequence);
    event.price = command.price;
    event.quantity = command.quantity;
    event.quantity_remaining = command.quantity;
    event.account = command.account;
    event.market = command.market;
    event.side = command.side;
  }
};

using ReferenceEngine = engine::ReferenceExchange;
using FastEngine = engine::Exchange;

// What is known of a run when it is over.
struct RunDigests {
  engine::Digest trace;  // With the state at every checkpoint.
  engine::Digest state;

  friend bool operator==(const RunDigests&, const RunDigests&) = default;
};

// Keeps the digests that replay/driver keeps, over any engine, and as it does: of many events at
// once. They are written into its room, or into one that is not written over while fewer than
// kDigestedAtOnce of them and a command's wait.
template <typename Engine>
class Digested {
 public:
  replay::TracedEventMemory& room() { return room_; }

  void Apply(const engine::Command& command, engine::Bytes attachment,
             engine::EventBuffer& events) {
    engine_.Apply(command, attachment, events);
    room_.Add(events.events());
    if (room_.waiting_count() >= kDigestedAtOnce) room_.Digest();
    run_is_open_ = command.sequence.value() % journal::kCheckpointInterval != 0;
    if (!run_is_open_) {
      room_.Digest();
      trace_.EndRun(engine_.StateDigest());
    }
  }

  RunDigests Digests() {
    room_.Digest();
    const engine::Digest state = engine_.StateDigest();
    return {.trace = run_is_open_ ? trace_.Value(state) : trace_.chain(), .state = state};
  }

  static constexpr size_t kPrefetchWindow = Engine::kPrefetchWindow;  // Of engines with Prefetch.
  void Prefetch(const engine::Command* coming) const
    requires requires(const Engine& engine) { engine.Prefetch(coming); }
  {
    engine_.Prefetch(coming);
  }

  const Engine& engine() const { return engine_; }

 private:
  static constexpr size_t kDigestedAtOnce = 64;

  Engine engine_;
  replay::TraceDigest trace_;
  replay::TracedEventMemory room_{trace_};
  bool run_is_open_ = false;
};

}  // namespace bench

#endif  // BENCH_CONTENDERS_H_
