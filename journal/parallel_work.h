// How a piece of work is spread over threads, given by whoever has threads (tools/os/parallel.h):
// nothing here starts one.

#ifndef JOURNAL_PARALLEL_WORK_H_
#define JOURNAL_PARALLEL_WORK_H_

#include <cstddef>
#include <functional>

namespace journal {

// Calls `work` with 0 … count - 1, each once, in any order, perhaps from several threads at once,
// and returns when all is done. Meanwhile it may call `tend` from its own thread, now and then.
using ParallelWork = std::function<void(size_t count, const std::function<void(size_t)>& work,
                                        const std::function<void()>& tend)>;

// One after the other, in order.
inline void OneByOne(size_t count, const std::function<void(size_t)>& work,
                     const std::function<void()>& tend) {
  for (size_t i = 0; i < count; ++i) {
    work(i);
    if (tend) tend();
  }
}

}  // namespace journal

#endif  // JOURNAL_PARALLEL_WORK_H_
