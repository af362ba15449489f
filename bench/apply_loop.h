// The loop that is measured: commands from memory, applied one after the other.

#ifndef BENCH_APPLY_LOOP_H_
#define BENCH_APPLY_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "bench/recorded_workload.h"
#include "engine/base/bytes.h"
#include "engine/base/inline.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"

namespace bench {

// How many commands ahead an engine that can is shown what will come (Exchange::Prefetch...).
inline constexpr size_t kIdentityAhead = 12;
inline constexpr size_t kOrderAhead = 6;
inline constexpr size_t kNeighboursAhead = 3;

// Applies commands [begin, end), which have no attachments, and calls `after` behind each.
template <typename Engine, typename After>
ENGINE_ALWAYS_INLINE void ApplyPlain(Engine& engine, std::span<const engine::Command> commands,
                                     size_t begin, size_t end, engine::EventBuffer& events,
                                     After after) {
  size_t i = begin;
  if constexpr (requires { engine.PrefetchIdentity(commands[i]); }) {
    for (; i + kIdentityAhead < end; ++i) {
      engine.PrefetchIdentity(commands[i + kIdentityAhead]);
      engine.PrefetchOrder(commands[i + kOrderAhead]);
      engine.PrefetchNeighbours(commands[i + kNeighboursAhead]);
      engine.Apply(commands[i], {}, events);
      after(i);
    }
  }
  for (; i < end; ++i) {
    engine.Apply(commands[i], {}, events);
    after(i);
  }
}

// The same for any commands.
template <typename Engine, typename After>
inline void ApplyRange(Engine& engine, const RecordedWorkload& workload, size_t begin, size_t end,
                       engine::EventBuffer& events, After after) {
  auto attachment =
      std::lower_bound(workload.attachments.begin(), workload.attachments.end(), begin,
                       [](const auto& each, size_t index) { return each.first < index; });
  size_t i = begin;
  for (; attachment != workload.attachments.end() && attachment->first < end; ++attachment) {
    ApplyPlain(engine, workload.commands, i, attachment->first, events, after);
    i = attachment->first;
    engine.Apply(workload.commands[i], attachment->second, events);
    after(i++);
  }
  ApplyPlain(engine, workload.commands, i, end, events, after);
}

}  // namespace bench

#endif  // BENCH_APPLY_LOOP_H_
