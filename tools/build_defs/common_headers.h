// What most files of this repository include of other projects. cc.bzl precompiles it. Each file
// still includes what it uses: the lint checks that.

#ifndef TOOLS_BUILD_DEFS_COMMON_HEADERS_H_
#define TOOLS_BUILD_DEFS_COMMON_HEADERS_H_

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

#endif  // TOOLS_BUILD_DEFS_COMMON_HEADERS_H_
