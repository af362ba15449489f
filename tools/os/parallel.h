// Runs the same function on many items in parallel.

#ifndef TOOLS_OS_PARALLEL_H_
#define TOOLS_OS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace tools {

// Returns the number of processors, at least 1.
size_t ProcessorCount();

// Calls `work` with 0 … count - 1, each once, in any order, from up to `thread_count` threads, and
// returns when all calls are done. Meanwhile the calling thread calls `tend`, which may be empty,
// about ten times a second. With one thread, or if no thread can be started, the calling thread
// does all work, without `tend`. Exceptions end the program.
void RunParallel(size_t count, size_t thread_count, const std::function<void(size_t)>& work,
                 const std::function<void()>& tend = nullptr);

}  // namespace tools

#endif  // TOOLS_OS_PARALLEL_H_
