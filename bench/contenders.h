// The engines that are compared, each with the same Apply() interface.
//
//   null       writes one acceptance for every command and does nothing else: the upper bound
//   reference  the reference exchange, on std::map and std::list
//   fast       the production exchange
//   digested   the production exchange with the digests that a driver computes: of all events, and
//              of the state at every 4096th command

#ifndef BENCH_CONTENDERS_H_
#define BENCH_CONTENDERS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "absl/strings/string_view.h"
#include "engine/base/bytes.h"
#include "engine/base/digest.h"
#include "engine/core/exchange.h"
#include "engine/messages/command.h"
#include "engine/messages/event.h"
#include "engine/messages/event_buffer.h"
#include "engine/reference/reference_exchange.h"
#include "journal/log_digest.h"
#include "replay/event_outputs.h"
#include "replay/trace_digest.h"
#include "replay/traced_output_memory.h"

namespace bench {

enum class Contender { kNull, kReference, kFast, kDigested };

absl::string_view NameOf(Contender contender);
// Nullopt: unknown name.
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

// The digests at the end of a run.
struct RunDigests {
  engine::Digest trace;  // Includes the state at every checkpoint.
  engine::Digest state;

  friend bool operator==(const RunDigests&, const RunDigests&) = default;
};

// The driver's memory, for events.
class TracedEventMemory final : public engine::EventMemory {
 public:
  explicit TracedEventMemory(replay::TraceDigest& trace) : memory_(trace) {}

  void Add(std::span<const engine::Event> events) { memory_.Add(replay::AsOutputs(events)); }
  void Digest() { memory_.Digest(); }
  size_t waiting_count() const { return memory_.waiting_count(); }
  uint64_t added_count() const { return memory_.added_count(); }

  std::span<engine::Event> MakeRoom(std::span<const engine::Event> begun) override {
    return replay::RoomForEvents(memory_.MakeRoom(replay::AsOutputs(begun)));
  }

 private:
  replay::TracedOutputMemory memory_;
};

// Computes the digests of replay/driver for any engine, in batches of events as the driver does.
// Events are written into room(), or into memory that is not overwritten while fewer than
// kDigestedTogether events and those of one command are pending.
template <typename Engine>
class Digested {
 public:
  TracedEventMemory& room() { return room_; }

  void Apply(const engine::Command& command, engine::Bytes attachment,
             engine::EventBuffer& events) {
    engine_.Apply(command, attachment, events);
    room_.Add(events.events());
    if (room_.waiting_count() >= kDigestedTogether) room_.Digest();
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

  static constexpr size_t kPrefetchWindow = Engine::kPrefetchWindow;  // For engines with Prefetch.
  void Prefetch(const engine::Command* coming) const
    requires requires(const Engine& engine) { engine.Prefetch(coming); }
  {
    engine_.Prefetch(coming);
  }

  const Engine& engine() const { return engine_; }

 private:
  static constexpr size_t kDigestedTogether = 64;

  Engine engine_;
  replay::TraceDigest trace_;
  TracedEventMemory room_{trace_};
  bool run_is_open_ = false;
};

}  // namespace bench

#endif  // BENCH_CONTENDERS_H_
