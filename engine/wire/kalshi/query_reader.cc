#include "engine/wire/kalshi/query_reader.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "engine/base/integer_text.h"

namespace engine::kalshi {
namespace {

constexpr int64_t kAny = std::numeric_limits<int64_t>::max();
constexpr int64_t kSubaccountMax = 63;

// "min_close_ts" is the field MinCloseTs.
std::string GoName(absl::string_view name) {
  std::string go_name;
  for (const absl::string_view word : absl::StrSplit(name, '_', absl::SkipEmpty())) {
    const char first = word[0];
    go_name += first >= 'a' && first <= 'z' ? static_cast<char>(first - 'a' + 'A') : first;
    go_name.append(word.data() + 1, word.size() - 1);
  }
  return go_name;
}

}  // namespace

std::string QueryReader::Text(absl::string_view name) {
  return std::string(query_.First(name).value_or(""));
}

std::optional<bool> QueryReader::OptionalFlag(absl::string_view name) {
  const absl::string_view text = query_.First(name).value_or("");
  if (text.empty()) return std::nullopt;
  // What strconv.ParseBool takes.
  for (const absl::string_view yes : {"true", "1", "True", "TRUE", "t", "T"}) {
    if (text == yes) return true;
  }
  for (const absl::string_view no : {"false", "0", "False", "FALSE", "f", "F"}) {
    if (text == no) return false;
  }
  FailType(name, text, "ParseBool");
  return std::nullopt;
}

std::optional<int64_t> QueryReader::Integer(absl::string_view name, int64_t min, int64_t max) {
  const absl::string_view text = query_.First(name).value_or("");
  if (text.empty()) return std::nullopt;
  int64_t value = 0;
  if (!ParseInteger(text, value)) {
    FailType(name, text, "ParseInt");
    return std::nullopt;
  }
  if (value < min || value > max) {
    Fail(name, value < min ? "gte" : "lte");
    return std::nullopt;
  }
  return value;
}

std::vector<std::string> QueryReader::List(absl::string_view name, size_t count_max) {
  std::vector<std::string> values = query_.List(name);
  if (values.size() > count_max) Fail(name, "max");
  return values;
}

SecondsRange QueryReader::Range(absl::string_view min_name, absl::string_view max_name) {
  SecondsRange range;
  range.min = Integer(min_name, 0, kAny).value_or(range.min);
  range.max = Integer(max_name, 0, kAny).value_or(range.max);
  return range;
}

kalshi::Page QueryReader::Page(CursorList list, int32_t limit_default, int64_t limit_min,
                               int64_t limit_max) {
  const int64_t limit = Integer("limit", limit_min, limit_max).value_or(limit_default);
  return {.after = ParseCursor(list, query_.First("cursor").value_or("")),
          .limit = limit == 0 ? limit_default : static_cast<int32_t>(limit)};
}

AccountPart QueryReader::Part() {
  AccountPart part;
  const auto subaccount = Integer("subaccount", 0, kSubaccountMax);
  if (subaccount.has_value()) part.subaccount = static_cast<int32_t>(*subaccount);
  const auto index = Integer("exchange_index", -1, std::numeric_limits<int32_t>::max());
  if (index.has_value()) part.exchange_index = static_cast<int32_t>(*index);
  return part;
}

void QueryReader::Fail(absl::string_view name, absl::string_view rule) {
  const std::string field = GoName(name);
  SetError(absl::StrCat("Key: '", endpoint_, "Params.", field, "' Error:Field validation for '",
                        field, "' failed on the '", rule, "' tag"));
}

void QueryReader::FailType(absl::string_view name, absl::string_view value,
                           absl::string_view go_function) {
  SetError(absl::StrCat("schema: error converting value for \"", name, "\": strconv.", go_function,
                        ": parsing \"", value, "\": invalid syntax"));
}

void QueryReader::SetError(std::string text) {
  if (error_.has_value()) return;
  error_ = Error{errors::kBadParameter,
                 absl::StrCat("Parameter validation failed for ", endpoint_, ": ", text)};
}

}  // namespace engine::kalshi
