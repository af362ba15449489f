#include "tools/strategy/parameters.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "engine/base/check.h"
#include "engine/base/status_macros.h"
#include "engine/types/decimal.h"
#include "engine/types/price.h"

namespace strategy {

const Parameters::Entry& Parameters::Add(absl::string_view name, const ParameterTerms& terms) {
  CHECK(Find(name) == nullptr) << "two parameters '" << name << "'";
  CHECK(0 <= terms.decimals && terms.decimals <= engine::kDecimalsMax) << name;
  CHECK(terms.low <= terms.value && terms.value <= terms.high) << name;
  all_.push_back({.name = std::string(name), .terms = terms, .value = terms.value});
  return all_.back();
}

const Parameters::Entry* Parameters::Find(absl::string_view name) const {
  const auto found = std::ranges::find(all_, name, &Entry::name);
  return found == all_.end() ? nullptr : &*found;
}

absl::Status Parameters::Check(absl::string_view name, int64_t value) const {
  const Entry* const entry = Find(name);
  if (entry == nullptr) {
    return absl::InvalidArgumentError(absl::StrCat(
        "no parameter '", name, "', expected one of ",
        absl::StrJoin(all_, ", ", [](std::string* out, const Entry& each) { *out += each.name; })));
  }
  if (entry->terms.low <= value && value <= entry->terms.high) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      name, "=", ParameterText(*entry, value), ": expected from ",
      ParameterText(*entry, entry->terms.low), " to ", ParameterText(*entry, entry->terms.high)));
}

absl::Status Parameters::Set(absl::string_view name, int64_t value) {
  RETURN_IF_ERROR(Check(name, value));
  std::ranges::find(all_, name, &Entry::name)->value = value;
  return absl::OkStatus();
}

absl::StatusOr<Parameters::Assignment> Parameters::Parse(absl::string_view text) const {
  const size_t equals = text.find('=');
  if (equals == absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat("'", text, "': expected NAME=VALUE"));
  }
  const absl::string_view name = text.substr(0, equals);
  const Entry* const entry = Find(name);
  if (entry == nullptr) return Check(name, 0);
  const auto value = engine::ParsePrice(text.substr(equals + 1), entry->terms.decimals);
  if (!value.ok()) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": ", value.status().message()));
  }
  RETURN_IF_ERROR(Check(name, value->units()));
  return Assignment{.name = std::string(name), .value = value->units()};
}

std::string ParameterText(const Parameters::Entry& entry, int64_t value) {
  return engine::FormatPrice(engine::Price::FromUnits(value), entry.terms.decimals);
}

}  // namespace strategy
