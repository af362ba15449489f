// How to spread work over threads (tools/os/thread.h), and how to report progress. The caller
// provides both: the journal itself starts no thread.

#ifndef JOURNAL_PARALLEL_WORK_H_
#define JOURNAL_PARALLEL_WORK_H_

#include <cstddef>
#include <cstdint>
#include <functional>

namespace journal {

// Calls `work` with 0 … count - 1, each once, in any order, possibly from several threads in
// parallel, and returns after the last call. May call `tend` from the calling thread at intervals.
using ParallelWork = std::function<void(size_t count, const std::function<void(size_t)>& work,
                                        const std::function<void()>& tend)>;

// Receives what is done and the total, in bytes or records, at irregular intervals; may be empty.
using WorkProgress = std::function<void(uint64_t done, uint64_t total)>;

// Runs the work on the calling thread, in order.
inline void OneByOne(size_t count, const std::function<void(size_t)>& work,
                     const std::function<void()>& tend) {
  for (size_t i = 0; i < count; ++i) {
    work(i);
    if (tend) tend();
  }
}

}  // namespace journal

#endif  // JOURNAL_PARALLEL_WORK_H_
