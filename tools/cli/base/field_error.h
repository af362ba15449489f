// The error of a field of a line, in any form of table.

#ifndef TOOLS_CLI_BASE_FIELD_ERROR_H_
#define TOOLS_CLI_BASE_FIELD_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace tools {

// INVALID_ARGUMENT "FIELD: 'TEXT', expected EXPECTED".
inline absl::Status FieldError(absl::string_view field, absl::string_view text,
                               absl::string_view expected) {
  return absl::InvalidArgumentError(absl::StrCat(field, ": '", text, "', expected ", expected));
}

}  // namespace tools

#endif  // TOOLS_CLI_BASE_FIELD_ERROR_H_
