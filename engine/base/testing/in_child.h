// Work in a process of its own, for tests of what may die: a program that is broken on purpose.

#ifndef ENGINE_BASE_TESTING_IN_CHILD_H_
#define ENGINE_BASE_TESTING_IN_CHILD_H_

#include <functional>
#include <string>

namespace engine {

// What `work` returns, its first 300 bytes; "broken invariant" where the process dies of a CHECK or
// goes on for five minutes, as one that never ends. REQUIRES: this process has no other thread.
std::string InChild(const std::function<std::string()>& work);

}  // namespace engine

#endif  // ENGINE_BASE_TESTING_IN_CHILD_H_
