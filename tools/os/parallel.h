// The same work on many things at once.

#ifndef TOOLS_OS_PARALLEL_H_
#define TOOLS_OS_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace tools {

// As many as the machine has processors, at least one.
size_t ProcessorCount();

// Calls `work` with 0 … count - 1, each once, in any order, from up to `thread_count` threads, and
// returns when all are done. Meanwhile `tend` is called from this thread, about ten times a second;
// it may be empty. One thread, or no thread to be had: all from this one, without `tend`.
// Exceptions end the program.
void RunParallel(size_t count, size_t thread_count, const std::function<void(size_t)>& work,
                 const std::function<void()>& tend = nullptr);

}  // namespace tools

#endif  // TOOLS_OS_PARALLEL_H_
