// The same for tests.

#ifndef TOOLS_BUILD_DEFS_TEST_HEADERS_H_
#define TOOLS_BUILD_DEFS_TEST_HEADERS_H_

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tools/build_defs/common_headers.h"

#endif  // TOOLS_BUILD_DEFS_TEST_HEADERS_H_
