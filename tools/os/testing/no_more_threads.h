// For tests of a program for which the system has no thread left.

#ifndef TOOLS_OS_TESTING_NO_MORE_THREADS_H_
#define TOOLS_OS_TESTING_NO_MORE_THREADS_H_

#include <pthread.h>

namespace tools {

// While it exists, no thread of this process can be started: each would have a stack that is larger
// than the address space. Running threads continue. One at a time.
class NoMoreThreads {
 public:
  NoMoreThreads();
  ~NoMoreThreads();
  NoMoreThreads(const NoMoreThreads&) = delete;
  NoMoreThreads& operator=(const NoMoreThreads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace tools

#endif  // TOOLS_OS_TESTING_NO_MORE_THREADS_H_
