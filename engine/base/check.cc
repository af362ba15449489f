#include "engine/base/check.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace engine::check_internal {

Failure::Failure(const char* file, int line, const char* condition) {
  stream_ << file << ":" << line << ": CHECK failed: " << condition << " ";
}

Failure::~Failure() {
  const std::string message = stream_.str();
  std::fprintf(stderr, "%s\n", message.c_str());
  std::abort();
}

}  // namespace engine::check_internal
