#include "replay/retime/counted_run.h"

#include <array>
#include <utility>

#include "engine/base/check.h"
#include "engine/base/integer_text.h"
#include "engine/base/sequence_number.h"
#include "journal/record.h"
#include "replay/driver.h"

namespace replay {
namespace {

constexpr absl::string_view kFunction = "ApplyOfCountedClass<";

// The text of the assembly differs, so the compiler keeps all of them apart; and the call is not
// the last thing, so each of them is a function of the call graph.
template <size_t kClass>
[[gnu::noinline]] void ApplyOfCountedClass(Driver& driver, const journal::Record& record) {
  asm volatile("# class %c0" : : "i"(kClass));
  driver.Apply(record);
  asm volatile("" : : : "memory");
}

using ApplyFunction = void (*)(Driver&, const journal::Record&);

template <size_t... kClasses>
constexpr std::array<ApplyFunction, sizeof...(kClasses)> FunctionsOf(
    std::index_sequence<kClasses...>) {
  return {&ApplyOfCountedClass<kClasses>...};
}

constexpr auto kFunctions = FunctionsOf(std::make_index_sequence<kCountedClassesMax>());

}  // namespace

std::optional<size_t> CountedClassOf(absl::string_view function) {
  const size_t begin = function.find(kFunction);
  if (begin == absl::string_view::npos) return std::nullopt;
  const absl::string_view rest = function.substr(begin + kFunction.size());
  size_t index = 0;
  if (!engine::ParseInteger(rest.substr(0, rest.find_first_not_of("0123456789")), index) ||
      index >= kCountedClassesMax) {
    return std::nullopt;
  }
  return index;
}

void RunCounted(const RetimePlan& plan, Machine& machine) {
  CHECK(plan.classes.size() <= kCountedClassesMax);
  Driver driver(machine,
                plan.rows.empty() ? engine::SequenceNumber() : plan.rows.front().sequence - 1);
  PlannedRecords records(plan);
  for (size_t i = 0; i < plan.timed_from; ++i) driver.Apply(records.Next());
  for (const uint16_t its_class : plan.class_of) kFunctions[its_class](driver, records.Next());
}

}  // namespace replay
