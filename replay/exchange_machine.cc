#include "replay/exchange_machine.h"

#include <algorithm>
#include <cstddef>

#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"
#include "replay/command_row.h"

namespace replay {
namespace {

static_assert(kPrefetchWindow == engine::Exchange::kPrefetchWindow + kPrefetchBatch - 1);

using Commands = std::span<const engine::Command>;

// The number of leading commands that have the full prefetch window after them.
size_t PrefetchableCount(Commands commands) {
  constexpr size_t kLast = engine::Exchange::kPrefetchWindow - 1;
  return commands.size() > kLast ? commands.size() - kLast : 0;
}

}  // namespace

void ExchangeMachine::Prefetch(std::span<const journal::Row> coming) const {
  const Commands commands = AsCommands(coming);
  const size_t end = std::min(PrefetchableCount(commands), kPrefetchBatch);
  for (size_t i = 0; i < end; ++i) exchange_.Prefetch(&commands[i]);
}

void ExchangeMachine::ApplyRun(ApplyKey, std::span<const journal::Row> rows, size_t count,
                               TracedOutputMemory& memory) {
  const Commands commands = AsCommands(rows);
  engine::EventBuffer& events = events_.buffer();
  const size_t prefetched = std::min(count, PrefetchableCount(commands));
  size_t i = 0;
  for (; i < prefetched; ++i) {
    exchange_.Prefetch(&commands[i]);
    exchange_.Apply(commands[i], {}, events);
    memory.AddUpTo(AsOutput(events.events_end()));
  }
  for (; i < count; ++i) {
    exchange_.Apply(commands[i], {}, events);
    memory.AddUpTo(AsOutput(events.events_end()));
  }
}

}  // namespace replay
