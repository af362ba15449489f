// The query string of a URL: names and values, percent-decoded.
//
//   limit=5&tickers=A%2CB&tickers=C   ─►   limit: 5 · tickers: A,B · tickers: C

#ifndef ENGINE_WIRE_KALSHI_QUERY_STRING_H_
#define ENGINE_WIRE_KALSHI_QUERY_STRING_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"

namespace engine::kalshi {

// A value, owner of its texts.
class QueryString {
 public:
  static constexpr size_t kParametersMax = 1000;  // What follows is ignored.

  // `text` is what follows the question mark. '+' is a blank. As in Go, a parameter with a broken
  // escape or a semicolon is left out.
  static QueryString Parse(absl::string_view text);

  const std::vector<std::pair<std::string, std::string>>& parameters() const { return parameters_; }

  // The first value of that name, as in Go. nullopt if there is none.
  std::optional<absl::string_view> First(absl::string_view name) const;
  // All values of that name, each split at commas, empty ones left out: CSV and exploded arrays.
  std::vector<std::string> List(absl::string_view name) const;

 private:
  std::vector<std::pair<std::string, std::string>> parameters_;
};

}  // namespace engine::kalshi

#endif  // ENGINE_WIRE_KALSHI_QUERY_STRING_H_
