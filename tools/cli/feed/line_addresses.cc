#include "tools/cli/feed/line_addresses.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "engine/base/status_macros.h"
#include "tools/os/network/endpoint.h"

namespace tools {

absl::StatusOr<std::vector<FeedAddress>> ParseLines(const std::vector<std::string>& words) {
  std::array<std::optional<FeedAddress>, 2> lines;
  for (const std::string& word : words) {
    const std::pair<absl::string_view, absl::string_view> named =
        absl::StrSplit(word, absl::MaxSplits('=', 1));
    if (named.first != "A" && named.first != "B") {
      return absl::InvalidArgumentError(
          absl::StrCat("'", word, "' is no line; expected A=HOST:PORT or B=HOST:PORT"));
    }
    std::optional<FeedAddress>& line = lines[named.first == "B"];
    if (line.has_value()) {
      return absl::InvalidArgumentError(absl::StrCat("line ", named.first, " is named twice"));
    }
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(named.second, absl::MaxSplits('@', 1));
    ASSIGN_OR_RETURN(const Endpoint endpoint, Endpoint::Parse(parts.first));
    if (endpoint.family == Endpoint::Family::kUnix) {
      return absl::InvalidArgumentError(
          absl::StrCat("'", word, "' is no address of UDP; expected HOST:PORT"));
    }
    line = {.endpoint = endpoint, .interface = std::string(parts.second)};
  }
  if (!lines[0].has_value()) {
    return absl::InvalidArgumentError("there is no line A; expected A=HOST:PORT");
  }
  std::vector<FeedAddress> addresses = {*lines[0]};
  if (lines[1].has_value()) addresses.push_back(*lines[1]);
  return addresses;
}

}  // namespace tools
