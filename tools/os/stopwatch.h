// Elapsed time for people: rates and progress. Nothing that is recorded depends on it.

#ifndef TOOLS_OS_STOPWATCH_H_
#define TOOLS_OS_STOPWATCH_H_

#include <chrono>

namespace tools {

class Stopwatch {
 public:
  double Seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }
  void Restart() { start_ = std::chrono::steady_clock::now(); }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace tools

#endif  // TOOLS_OS_STOPWATCH_H_
