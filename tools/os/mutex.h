// A lock between threads of this process, for the few places that share more than a ring.

#ifndef TOOLS_OS_MUTEX_H_
#define TOOLS_OS_MUTEX_H_

#include <mutex>

namespace tools {

using Mutex = std::mutex;
using MutexLock = std::lock_guard<Mutex>;

}  // namespace tools

#endif  // TOOLS_OS_MUTEX_H_
