// Macros that return an absl::Status to the caller. Spelled as in newer Abseil, so that they can be
// removed one day.
//
//   RETURN_IF_ERROR(file.Sync());
//   ASSIGN_OR_RETURN(const Preamble preamble, ReadPreamble(file));

#ifndef ENGINE_BASE_STATUS_MACROS_H_
#define ENGINE_BASE_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#define ENGINE_CONCAT_INNER(a, b) a##b
#define ENGINE_CONCAT(a, b) ENGINE_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(expression)                                                         \
  do {                                                                                      \
    if (absl::Status return_if_error_status = (expression); !return_if_error_status.ok()) { \
      return return_if_error_status;                                                        \
    }                                                                                       \
  } while (false)

#define ASSIGN_OR_RETURN(lhs, expression) \
  ENGINE_ASSIGN_OR_RETURN(ENGINE_CONCAT(assign_or_return_, __LINE__), lhs, expression)

#define ENGINE_ASSIGN_OR_RETURN(result, lhs, expression) \
  auto result = (expression);                            \
  if (!result.ok()) return std::move(result).status();   \
  lhs = *std::move(result)

#endif  // ENGINE_BASE_STATUS_MACROS_H_
