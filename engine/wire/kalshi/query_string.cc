#include "engine/wire/kalshi/query_string.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_split.h"

namespace engine::kalshi {
namespace {

// The digit's value; -1 for another character.
int DigitOf(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::optional<std::string> Unescape(absl::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = DigitOf(text[i + 1]);
    const int low = DigitOf(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    i += 2;
  }
  return out;
}

}  // namespace

QueryString QueryString::Parse(absl::string_view text) {
  QueryString query;
  while (!text.empty() && query.parameters_.size() < kParametersMax) {
    const size_t end = std::min(text.find('&'), text.size());
    const absl::string_view parameter = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (parameter.empty() || parameter.find(';') != absl::string_view::npos) continue;
    const size_t equals = std::min(parameter.find('='), parameter.size());
    std::optional<std::string> name = Unescape(parameter.substr(0, equals));
    std::optional<std::string> value =
        Unescape(parameter.substr(std::min(equals + 1, parameter.size())));
    if (!name.has_value() || !value.has_value()) continue;
    query.parameters_.emplace_back(*std::move(name), *std::move(value));
  }
  return query;
}

std::optional<absl::string_view> QueryString::First(absl::string_view name) const {
  for (const auto& [key, value] : parameters_) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::vector<std::string> QueryString::List(absl::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : parameters_) {
    if (key != name) continue;
    for (const absl::string_view part : absl::StrSplit(value, ',', absl::SkipEmpty())) {
      values.emplace_back(part);
    }
  }
  return values;
}

}  // namespace engine::kalshi
