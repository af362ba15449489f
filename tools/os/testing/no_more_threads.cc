#include "tools/os/testing/no_more_threads.h"

#include <pthread.h>

#include <cstddef>

#include "engine/base/check.h"

namespace tools {
namespace {

constexpr size_t kBytesOfNoAddressSpace = size_t{1} << 48;

}  // namespace

NoMoreThreads::NoMoreThreads() {
  CHECK_EQ(pthread_getattr_default_np(&before_), 0);
  pthread_attr_t huge;
  CHECK_EQ(pthread_attr_init(&huge), 0);
  CHECK_EQ(pthread_attr_setstacksize(&huge, kBytesOfNoAddressSpace), 0);
  CHECK_EQ(pthread_setattr_default_np(&huge), 0);
  CHECK_EQ(pthread_attr_destroy(&huge), 0);
}

NoMoreThreads::~NoMoreThreads() {
  CHECK_EQ(pthread_setattr_default_np(&before_), 0);
  CHECK_EQ(pthread_attr_destroy(&before_), 0);
}

}  // namespace tools
