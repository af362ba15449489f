// The measured loop: applies commands from memory, one after the other.

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

// Applies commands [begin, end) and calls `after` after each. REQUIRES: none has an attachment.
template <typename Engine, typename After>
ENGINE_ALWAYS_INLINE void ApplyPlain(Engine& engine, std::span<const engine::Command> commands,
                                     size_t begin, size_t end, engine::EventBuffer& events,
                                     After after) {
  const engine::Command* const first = commands.data();
  const engine::Command* at = first + begin;
  const engine::Command* const last = first + end;
  if constexpr (requires { engine.Prefetch(at); }) {
    const engine::Command* const prefetched =
        last - std::min(end - begin, Engine::kPrefetchWindow - 1);
    for (; at != prefetched; ++at) {
      engine.Prefetch(at);
      engine.Apply(*at, {}, events);
      after(static_cast<size_t>(at - first));
    }
  }
  for (; at != last; ++at) {
    engine.Apply(*at, {}, events);
    after(static_cast<size_t>(at - first));
  }
}

// The same for commands with or without attachments.
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
