// Runs work in a child process, for tests of code that may abort: a program broken on purpose.

#ifndef ENGINE_BASE_TESTING_IN_CHILD_H_
#define ENGINE_BASE_TESTING_IN_CHILD_H_

#include <functional>
#include <string>

namespace engine {

// What `work` returns, its first 300 bytes; "broken invariant" if the process dies of a CHECK or
// runs for five minutes. REQUIRES: this process has no other thread.
std::string InChild(const std::function<std::string()>& work);

}  // namespace engine

#endif  // ENGINE_BASE_TESTING_IN_CHILD_H_
