#include "bench/contenders.h"

#include <array>
#include <utility>

namespace bench {
namespace {

constexpr std::array<std::pair<Contender, absl::string_view>, 4> kNames = {{
    {Contender::kNull, "null"},
    {Contender::kReference, "reference"},
    {Contender::kFast, "fast"},
    {Contender::kDigested, "digested"},
}};

}  // namespace

absl::string_view NameOf(Contender contender) {
  for (const auto& [each, name] : kNames) {
    if (each == contender) return name;
  }
  return "";
}

std::optional<Contender> ContenderOf(absl::string_view name) {
  for (const auto& [each, its_name] : kNames) {
    if (its_name == name) return each;
  }
  return std::nullopt;
}

}  // namespace bench
