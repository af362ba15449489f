// The loop that is measured: commands from memory, applied one after the other.

#ifndef BENCH_APPLY_LOOP_H_
#define BENCH_APPLY_LOOP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bench/recorded_workload.h"
#include "engine/base/bytes.h"
#include "engine/messages/command.h"
#include "engine/messages/event_buffer.h"

namespace bench {

// How many commands ahead an engine that can is shown what will come (Exchange::Prefetch...).
inline constexpr size_t kIdentityAhead = 8;
inline constexpr size_t kOrderAhead = 4;

// Applies commands [begin, end) and calls `after` behind each.
template <typename Engine, typename After>
inline void ApplyRange(Engine& engine, const RecordedWorkload& workload, size_t begin, size_t end,
                       engine::EventBuffer& events, After after) {
  auto attachment =
      std::lower_bound(workload.attachments.begin(), workload.attachments.end(), begin,
                       [](const auto& each, size_t index) { return each.first < index; });
  size_t next_attachment = attachment == workload.attachments.end() ? end : attachment->first;
  const engine::Command* const commands = workload.commands.data();
  for (size_t i = begin; i < end; ++i) {
    if constexpr (requires { engine.PrefetchIdentity(commands[i]); }) {
      engine.PrefetchIdentity(commands[std::min(i + kIdentityAhead, end - 1)]);
      engine.PrefetchOrder(commands[std::min(i + kOrderAhead, end - 1)]);
    }
    engine::Bytes bytes;
    if (i == next_attachment) [[unlikely]] {
      bytes = attachment->second;
      ++attachment;
      next_attachment = attachment == workload.attachments.end() ? end : attachment->first;
    }
    engine.Apply(commands[i], bytes, events);
    after(i);
  }
}

}  // namespace bench

#endif  // BENCH_APPLY_LOOP_H_
