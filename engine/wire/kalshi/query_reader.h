// Reads typed parameters of one query, and remembers the first that is wrong, in the words of Go's
// validator. For the parsers of this room.

#ifndef ENGINE_WIRE_KALSHI_QUERY_READER_H_
#define ENGINE_WIRE_KALSHI_QUERY_READER_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "engine/wire/kalshi/cursor.h"
#include "engine/wire/kalshi/errors.h"
#include "engine/wire/kalshi/queries.h"
#include "engine/wire/kalshi/query_string.h"

namespace engine::kalshi {

// `endpoint` is as errors name it: "GetMarkets". Empty values are as missing ones. Not thread-safe.
class QueryReader {
 public:
  QueryReader(const QueryString& query, absl::string_view endpoint)
      : query_(query), endpoint_(endpoint) {}

  std::string Text(absl::string_view name);
  bool Flag(absl::string_view name) { return OptionalFlag(name).value_or(false); }
  std::optional<bool> OptionalFlag(absl::string_view name);
  // Within the bounds, if it is there.
  std::optional<int64_t> Integer(absl::string_view name, int64_t min, int64_t max);
  // At most `count_max` elements.
  std::vector<std::string> List(absl::string_view name, size_t count_max);
  // Unix seconds.
  SecondsRange Range(absl::string_view min_name, absl::string_view max_name);
  // `limit` and `cursor`; a limit of 0 is an error, or the default if `limit_min` is 0.
  kalshi::Page Page(CursorList list, int32_t limit_default, int64_t limit_min, int64_t limit_max);
  // `subaccount` and `exchange_index`.
  AccountPart Part();

  // A parameter is missing, or none of those that are allowed.
  void Fail(absl::string_view name, absl::string_view rule);
  void Require(absl::string_view name, bool is_there) {
    if (!is_there) Fail(name, "required");
  }

  // `value`, or the first error.
  template <typename T>
  Result<T> Finish(T value) {
    if (error_.has_value()) return *std::move(error_);
    return value;
  }

 private:
  // A parameter that is no number or no boolean.
  void FailType(absl::string_view name, absl::string_view value, absl::string_view go_function);
  void SetError(std::string text);

  const QueryString& query_;
  const absl::string_view endpoint_;
  std::optional<Error> error_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_QUERY_READER_H_
